// SPDX-License-Identifier: BSD-3-Clause
// The executable's global and static variables as remote memory (symmetric in OpenSHMEM). Their
// pages move to the node's shared file, at unchanged addresses, and form one window with the
// segment: one addition translates a symmetric address to a neighbour's. Libraries' variables stay
// private; a fork() child gets copies.
#pragma once

#include <cstddef>
#include <span>

namespace acre::runtime {

/// Requests sharing of static data. Called in a static initialiser.
bool share_static_data();
[[nodiscard]] bool static_data_is_shared() noexcept;

/// Pages of the executable writable after its start.
[[nodiscard]] std::span<std::byte> static_data_pages() noexcept;

/// Distance from the first static page to the segment; malloc's heap is between.
inline constexpr std::size_t window_gap = std::size_t{64} << 30;

}  // namespace acre::runtime
