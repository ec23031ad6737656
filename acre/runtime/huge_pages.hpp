// SPDX-License-Identifier: BSD-3-Clause
// Huge pages for large blocks of the segment: a random access to a table of
// ordinary pages misses the TLB as well as the cache.
//
// Segments are memory files, for which nearly every Linux leaves transparent
// huge pages switched off. MADV_COLLAPSE (Linux 6.1) asks for them all the same
// and needs no right. Whoever owns a block asks before it writes to all of it:
// then a huge page comes in place of 512 page faults, in a sixth of their time,
// and every process that maps the file gets it by its first touch. What is never
// written to as a whole (queues) does not ask: it would cost memory.
#pragma once

#include <cstddef>

namespace acre::fabric {
enum class file_pages;
}

namespace acre::runtime {

inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// Reads ACRE_HUGE_PAGES: "on", "off", or "reserved", which makes all of the segments of pages
/// that the administrator has set aside.
/// @return what the node's file is to be made of
/// @throws acre::error when it says something else, or no page is set aside
fabric::file_pages choose_huge_pages();

/// Makes huge pages of those of a block of the segment, which its owner is about to write from end
/// to end; at its ends also such as lie partly outside, where that is little against the block.
/// What they hold stays. Blocks of a few pages stay as they
/// are; so does what the system has no huge pages for, or would have to make room for slowly.
/// Counted as `huge_page`.
void use_huge_pages(void* block, std::size_t bytes) noexcept;

}  // namespace acre::runtime
