// SPDX-License-Identifier: BSD-3-Clause
// Rotates or reverses a range. Collective in its team. All members read before any writes.
#pragma once

#include <acre/algorithm/detail/range_parts.hpp>
#include <acre/algorithm/detail/run_transfer.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace acre {

namespace algorithm {

/// @param read   read(index, span, reads) starts reads of new elements
/// @param write  write(span, run) stores them
template <class R, class Read, class Write>
void rearrange(R& range, const char* call, const site& where, Read&& read, Write&& write) {
  using T = ranges::value_of<R>;
  const team& members = ranges::members(range);
  members.barrier(where);  // completes earlier writes
  std::size_t count = 0;
  ranges::each_own_run(range, [&](std::size_t, auto run) { count += run.size(); });
  base::plain_buffer<T> buffer;
  global::succeed_together(members, call, where, [&] {
    buffer = base::plain_buffer<T>(count);
    run_reads<T> reads;
    std::span<T> rest = buffer.span();
    ranges::each_own_run(range, [&](std::size_t index, auto run) {
      read(index, rest.first(run.size()), reads);
      rest = rest.subspan(run.size());
    });
    reads.finish(call);
    quiet();
  });
  std::span<T> rest = buffer.span();
  ranges::each_own_run(range, [&](std::size_t, auto run) {
    write(rest.first(run.size()), run);
    rest = rest.subspan(run.size());
  });
  members.barrier(where);
}

}  // namespace algorithm

/// Rotates left: element `by` becomes the first. Cost: 2 B and 1 allreduce; R per contiguous run.
/// Memory: a copy of own elements.
/// @param by  modulo the size
template <ranges::memory_range R>
  requires ranges::writable_range<R>
void rotate(R&& range, std::size_t by, const site& where = site::current()) {
  using T = ranges::value_of<R>;
  view::begin_collective_call("rotate", where, {{"by", by}}, range);
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  const auto read = [&](std::size_t index, std::span<T> to, algorithm::run_reads<T>& reads) {
    while (!to.empty()) {
      const std::size_t from = (index + by % size) % size;
      const std::size_t count = std::min(to.size(), size - from);
      algorithm::read_segments(range, from, to.first(count), reads, where);
      to = to.subspan(count);
      index += count;
    }
  };
  algorithm::rearrange(range, "rotate", where, read,
                       [](auto from, auto run) { std::ranges::copy(from, run.begin()); });
}

/// Reverses the order. Cost: as rotate().
template <ranges::memory_range R>
  requires ranges::writable_range<R>
void reverse(R&& range, const site& where = site::current()) {
  using T = ranges::value_of<R>;
  view::begin_collective_call("reverse", where, range);
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  const auto read = [&](std::size_t index, std::span<T> to, algorithm::run_reads<T>& reads) {
    algorithm::read_segments(range, size - index - to.size(), to, reads, where);
  };
  algorithm::rearrange(range, "reverse", where, read,
                       [](auto from, auto run) { std::ranges::reverse_copy(from, run.begin()); });
}

}  // namespace acre
