// SPDX-License-Identifier: BSD-3-Clause
// Adds local memory to distributed elements, atomically: NGA_Acc, MPI_Accumulate. One-sided.
//
//     acre::accumulate(mine, acre::sub(m, part));                       // m[part] += mine
//     acre::accumulate(mine, a, acre::atomic_op::max);
#pragma once

#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/copy_box.hpp>
#include <acre/algorithm/detail/range_parts.hpp>
#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/atomic_apply.hpp>
#include <acre/global/transfer/accumulated_runs.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace acre {

namespace algorithm {

/// Calls f(global_ptr, span) for runs that are contiguous in both boxes.
template <class T, std::size_t N, class F>
void each_common_run(const global_box<T, N>& to, const box_span<const T, N>& from, const F& f) {
  if (from.empty()) return;
  const std::size_t last = from.extent(N - 1);
  const bool has_runs = to.strides()[N - 1] == 1 && from.stride(N - 1) == 1;
  layout::coordinates<N> extents = from.extents();
  if (has_runs) extents[N - 1] = 1;
  layout::coordinates<N> at{};
  for (std::size_t left = layout::box<N>{.extents = extents}.size(); left != 0; --left) {
    std::size_t offset = 0;
    for (std::size_t d = 0; d < N; ++d) offset += at[d] * to.strides()[d];
    f(to.data() + static_cast<std::ptrdiff_t>(offset),
      std::span<const T>(&from[at], has_runs ? last : 1));
    layout::row_major::advance(at, extents);
  }
}

template <class T, fabric::atomic_operation Operation>
concept accumulates =
    applicable<T, Operation> && !fabric::compares(Operation) &&
    Operation != fabric::atomic_operation::load && Operation != fabric::atomic_operation::store &&
    Operation != fabric::atomic_operation::exchange;

}  // namespace algorithm

/// to[i] = op(to[i], from[i]), each by one atomic operation; complete at return. Concurrent calls
/// lose no update. Cost: A per element in the node; else 2 M per 16 to 32 KiB.
/// @throws acre::error if sizes differ
template <class From, ranges::memory_range To,
          fabric::atomic_operation Operation = fabric::atomic_operation::add>
  requires algorithm::plain_memory<From, ranges::value_of<To>> && ranges::writable_range<To> &&
           (!ranges::distributed_range<From>) &&
           algorithm::accumulates<ranges::value_of<To>, Operation>
void accumulate(From&& from, To&& to, atomic_op::operation<Operation> operation = {},
                const site& where = site::current()) {
  using T = ranges::value_of<To>;
  static_cast<void>(operation);
  view::begin_call("accumulate", where, to);
  algorithm::require_equal_sizes("accumulate", std::ranges::size(from), std::ranges::size(to),
                                 where);
  std::span<const T> rest(from);
  global::accumulated_runs<T, Operation> runs("accumulate");
  algorithm::each_segment(to, 0, rest.size(), [&](const auto& segment) {
    runs.add(segment.data(), rest.first(segment.size()), where);
    rest = rest.subspan(segment.size());
  });
  runs.finish(where);
}

/// As above, for boxes.
/// @throws acre::error if extents differ
template <class T, ranges::distributed_box To,
          fabric::atomic_operation Operation = fabric::atomic_operation::add>
  requires std::same_as<std::remove_const_t<T>, typename To::value_type> &&
           (!std::is_const_v<typename To::element_type>) &&
           algorithm::accumulates<typename To::value_type, Operation>
void accumulate(const box_span<T, To::dimensions>& from, const To& to,
                atomic_op::operation<Operation> operation = {},
                const site& where = site::current()) {
  using value = typename To::value_type;
  static_cast<void>(operation);
  algorithm::require_equal_extents("accumulate", from.extents(), to.extents(), where);
  const box_span<const value, To::dimensions> source(from);
  global::accumulated_runs<value, Operation> runs("accumulate");
  to.each_piece(ranges::whole(to), [&](const auto& part, const auto& piece) {
    algorithm::each_common_run(piece, source.sub(part),
                               [&](global_ptr<value> first, std::span<const value> values) {
                                 runs.add(first, values, where);
                               });
  });
  runs.finish(where);
}

}  // namespace acre
