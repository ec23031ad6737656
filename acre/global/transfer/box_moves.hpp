// SPDX-License-Identifier: BSD-3-Clause
// How boxes move between this rank's memory and another's.
//
// Where that is mapped here, run by run. To another node a box of few or long runs goes as the
// provider likes. Many short ones, each of which would cost it as much as a message, are packed,
// travel in one piece, and are put in place at the other end: small boxes in messages, larger ones
// through memory of a segment (detail/packed_get.hpp, detail/packed_put.hpp).
#pragma once

#include <acre/fabric/box.hpp>
#include <acre/runtime/remote.hpp>

#include <cstddef>
#include <cstdint>

namespace acre::global {

/// @param there, here  the box's first byte on either side
void put_near_box(std::byte* there, const void* here, const fabric::box& shape) noexcept;
void get_near_box(const std::byte* there, void* here, const fabric::box& shape) noexcept;

/// Writes a box of another node; complete after quiet(), until when the source must stay as it is.
/// Cost: one W for each run; or, of short ones, 2 M for each message, or W + 2 M for each 256 KiB.
/// @param target  the bits of a pointer to its first byte there
void put_far_box_nbi(std::uint64_t target, const void* source, const fabric::box& shape);

/// Reads a box of another node; valid after quiet(). Cost: one R for each run; or, of short ones, 2
/// M for each message or each 256 KiB, which the owner puts here: 512 where that is memory of the
/// segment without gaps, to its place.
void get_far_box_nbi(std::uint64_t source, void* destination, const fabric::box& shape);

/// The same, complete when `done` is: in whatever thread finds it. What does not fit into four
/// stages of an owner, or 4 MiB of gets, waits in the call for room; gets to their place need none.
void put_far_box(std::uint64_t target, const void* source, const fabric::box& shape,
                 fabric::operation& done);
void get_far_box(std::uint64_t source, void* destination, const fabric::box& shape,
                 fabric::operation& done);

/// Whether a box to or from another node is packed. A message sent behind such a put may come
/// before its bytes are in their places.
[[nodiscard]] bool is_packed(const fabric::box& shape) noexcept;

}  // namespace acre::global
