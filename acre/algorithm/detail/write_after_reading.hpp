// SPDX-License-Identifier: BSD-3-Clause
// For overlapping ranges: members compute into buffers, and write after all have read.
#pragma once

#include <acre/algorithm/detail/aligned_runs.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <algorithm>
#include <cstddef>

namespace acre::algorithm {

/// Collective in the team of `to`. Cost: 2 B, 1 allreduce and a buffer for own elements.
/// @param compute  compute(first, count, from…) writes `count` elements
/// @throws acre::error on all members, before any write, if one lacks memory; an exception of
/// `compute`, and acre::error on others
template <ranges::distributed_range To, class Compute, ranges::distributed_range... From>
void write_after_reading(const char* call, To& to, const site& where, const Compute& compute,
                         From&... from) {
  using T = ranges::value_of<To>;
  const team& members = ranges::members(to);
  members.barrier(where);  // completes earlier writes
  std::size_t own = 0;
  ranges::each_own_run(to, [&](std::size_t, const auto& run) {
    own += static_cast<std::size_t>(std::ranges::size(run));
  });
  base::plain_buffer<T> beside;
  global::succeed_together(members, call, where, [&] {
    beside = base::plain_buffer<T>(own);
    T* next = beside.data();
    each_aligned_run(
        to, static_cast<std::size_t>(std::ranges::size(to)), where,
        [&](std::size_t, const auto& run, const auto&... source) {
          const auto count = static_cast<std::size_t>(std::ranges::size(run));
          compute(next, count, source...);
          next += count;
        },
        from...);
  });
  then_barrier(members, where, [&] {
    const T* next = beside.data();
    ranges::each_own_run(to, [&](std::size_t, const auto& run) {
      const auto count = static_cast<std::size_t>(std::ranges::size(run));
      std::copy_n(next, count, view::plain_begin(run));
      next += count;
    });
  });
}

}  // namespace acre::algorithm
