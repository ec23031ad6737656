// SPDX-License-Identifier: BSD-3-Clause
// The program's static data as memory that other ranks may touch: the global and
// static variables of the executable, which OpenSHMEM calls symmetric.
//
// Their pages move onto the file that the ranks of the node share, and stay at
// their addresses. Then a rank's static data and its segment, which is placed a
// fixed distance behind it, are one window: neighbours map both with the same
// distance between them, and the network names both by one offset. So a symmetric
// address becomes a neighbour's by one addition, whatever it points to.
//
// The variables of shared libraries stay private. A child that a program makes by
// fork() gets a copy of its own, and so does the rank itself when the job ends.
#pragma once

#include <cstddef>
#include <span>

namespace acre::runtime {

/// Called before the job starts by those whose users need it: in a static initialiser.
bool share_static_data();
[[nodiscard]] bool static_data_is_shared() noexcept;

/// The pages of the executable that may be written after its start.
[[nodiscard]] std::span<std::byte> static_data_pages() noexcept;

/// Where the segment lies behind the static data's first page: far enough for the heap of
/// malloc, which grows in between.
inline constexpr std::size_t window_gap = std::size_t{64} << 30;

}  // namespace acre::runtime
