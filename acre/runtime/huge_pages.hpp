// SPDX-License-Identifier: BSD-3-Clause
// Huge pages for large segment blocks, against TLB misses. Linux rarely enables them for memory
// files; MADV_COLLAPSE (Linux 6.1) needs no privilege. A huge page replaces 512 page faults in a
// sixth of their time. In partly written blocks (queues) it would waste memory.
#pragma once

#include <cstddef>

namespace acre::fabric {
enum class file_pages;
}

namespace acre::runtime {

inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// Reads ACRE_HUGE_PAGES: "on", "off" or "reserved" (set aside by the administrator).
/// @return page kind of the node's file
/// @throws acre::error for other values, or without reserved pages
fabric::file_pages choose_huge_pages();

/// Makes huge pages of a block that its owner will write completely; contents stay. Ignores blocks
/// below 4 MiB; stops if the pages take too long. Counts `huge_page`.
void use_huge_pages(void* block, std::size_t bytes) noexcept;

}  // namespace acre::runtime
