// SPDX-License-Identifier: BSD-3-Clause
// Moves boxes. In mapped memory: run by run. To other nodes: 8 or more runs that fit a message are
// packed (detail/packed_get.hpp, detail/packed_put.hpp) if below 4 KiB each or staged; the provider
// moves others.
#pragma once

#include <acre/fabric/box.hpp>
#include <acre/runtime/remote.hpp>

#include <cstddef>
#include <cstdint>

namespace acre::global {

void put_near_box(std::byte* there, const void* here, const fabric::box& shape) noexcept;
void get_near_box(const std::byte* there, void* here, const fabric::box& shape) noexcept;

/// Writes a remote box; the source must not change until quiet(). Cost: as put_strided_nbi().
void put_far_box_nbi(std::uint64_t target, const void* source, const fabric::box& shape);

/// Reads a remote box; valid after quiet(). Cost: as get_strided_nbi().
void get_far_box_nbi(std::uint64_t source, void* destination, const fabric::box& shape);

/// As above, but completes with `done`, in any thread. Waits while 4 stages of the owner or 16 in
/// all, or 4 MiB of gets not in place, are in use.
void put_far_box(std::uint64_t target, const void* source, const fabric::box& shape,
                 fabric::operation& done);
void get_far_box(std::uint64_t source, void* destination, const fabric::box& shape,
                 fabric::operation& done);

/// True if the box would be packed: a message sent later may then overtake its data.
[[nodiscard]] bool is_packed(const fabric::box& shape) noexcept;

}  // namespace acre::global
