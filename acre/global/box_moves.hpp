// How boxes move between this rank's memory and another's.
//
// Where that is mapped here, run by run. To another node a box of long runs goes as the provider
// likes; many short ones are packed, sent in messages, and put in place by whoever receives them,
// for a run of its own costs the provider as much as a message.
#pragma once

#include <acre/fabric/box.hpp>

#include <cstddef>
#include <cstdint>

namespace acre::detail {

/// @param there, here  the box's first byte on either side
void put_near_box(std::byte* there, const void* here, const fabric::box& shape) noexcept;
void get_near_box(const std::byte* there, void* here, const fabric::box& shape) noexcept;

/// Writes a box of another node; complete after quiet(), until when the source must stay as it is.
/// Cost: one W for each run, or 2 M for each message that short runs are packed into.
/// @param target  the bits of a pointer to its first byte there
void put_far_box_nbi(std::uint64_t target, const void* source, const fabric::box& shape);

/// Reads a box of another node; valid after quiet(). Cost: as put_far_box_nbi(), of R.
void get_far_box_nbi(std::uint64_t source, void* destination, const fabric::box& shape);

}  // namespace acre::detail
