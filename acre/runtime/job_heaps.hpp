// SPDX-License-Identifier: BSD-3-Clause
// Heaps of this rank's segment.
#pragma once

#include <acre/runtime/segment_heap.hpp>

#include <cstddef>
#include <optional>
#include <span>

namespace acre::runtime {

struct job_heaps {
  std::span<std::byte> mapped;
  std::optional<segment_heap> symmetric;
  std::optional<segment_heap> private_part;
};

/// Null outside a job.
extern constinit job_heaps* the_heaps;

}  // namespace acre::runtime
