// SPDX-License-Identifier: BSD-3-Clause
// Copies between local memory and distributed ranges, and between two distributed ranges.
//
//     acre::copy(a, b);       // collective in b's team
//
// Source and target may overlap, as in std::memmove. Elements are converted by static_cast. Short
// runs share messages.
#pragma once

#include <acre/algorithm/detail/aligned_runs.hpp>
#include <acre/algorithm/detail/overlap.hpp>
#include <acre/algorithm/detail/range_parts.hpp>
#include <acre/algorithm/detail/run_transfer.hpp>
#include <acre/algorithm/detail/segment_reads.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/algorithm/detail/write_after_reading.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/base/error.hpp>
#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/transfer/completion.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>

namespace acre {

namespace algorithm {

void require_equal_sizes(const char* call, std::size_t from, std::size_t to, const site& where);

template <class P, class T>
concept plain_memory = std::ranges::contiguous_range<P> && std::ranges::sized_range<P> &&
                       std::same_as<std::ranges::range_value_t<P>, T>;
template <class P, class T>
concept converted_memory = std::ranges::contiguous_range<P> && std::ranges::sized_range<P> &&
                           std::convertible_to<std::ranges::range_value_t<P>, T>;
template <class P, class T>
concept memory_converted_to =
    std::ranges::contiguous_range<P> && std::ranges::sized_range<P> &&
    std::convertible_to<T, std::ranges::range_value_t<P>> &&
    std::assignable_from<std::ranges::range_reference_t<P>, std::ranges::range_value_t<P>>;

template <class T, class F>
void each_buffered_part(std::size_t size, F&& f) {
  constexpr std::size_t most = larger(std::size_t{1}, (std::size_t{1} << 20) / sizeof(T));
  for (std::size_t first = 0; first < size; first += most) f(first, smaller(most, size - first));
}

inline constexpr auto copy_converted = [](auto to, std::size_t count, const auto& from) {
  using T = std::iter_value_t<decltype(to)>;
  auto at = view::plain_begin(from);
  for (std::size_t i = 0; i < count; ++i, ++at, ++to) *to = static_cast<T>(*at);
};

template <class From, class To>
concept copied_elements_fit =
    std::convertible_to<std::ranges::range_value_t<From>, std::ranges::range_value_t<To>>;
template <class To>
concept copied_to_elements =
    ranges::writable_range<To> ||
    (!ranges::distributed_range<To> &&
     (!std::ranges::contiguous_range<To> ||
      std::assignable_from<std::ranges::range_reference_t<To>, std::ranges::range_value_t<To>>));
template <class From, class To>
concept copied_where_memory_is =
    (ranges::distributed_range<From> && ranges::distributed_range<To>) ||
    (std::ranges::contiguous_range<From> && ranges::memory_range<To>) ||
    (ranges::distributed_range<From> && std::ranges::contiguous_range<To>);
template <class From, class To>
concept copied_ranges = std::ranges::sized_range<From> && std::ranges::sized_range<To> &&
                        (ranges::distributed_range<From> || ranges::distributed_range<To>) &&
                        (!hides_segments<From>) && (!hides_segments<To>);
template <class From, class To>
concept may_be_copied =
    copied_elements_fit<From, To> && copied_to_elements<To> && copied_where_memory_is<From, To>;

template <ranges::distributed_range From, ranges::writable_range To>
void copy_elements(From& from, To& to, const site& where) {
  require_equal_sizes("copy", std::ranges::size(from), std::ranges::size(to), where);
  if (overlap_of(from, to) == view::overlap::other) {
    return write_after_reading("copy", to, where, copy_converted, from);
  }
  between_barriers(ranges::members(to), where, [&] {
    if constexpr (ranges::memory_range<From> && ranges::memory_range<To> &&
                  std::same_as<ranges::value_of<From>, ranges::value_of<To>>) {
      run_reads<ranges::value_of<To>> reads;
      ranges::each_own_run(
          to, [&](std::size_t index, auto run) { read_segments(from, index, run, reads, where); });
      reads.finish("copy");
      quiet();
    } else {
      each_aligned_run(
          to, static_cast<std::size_t>(std::ranges::size(to)), where,
          [](std::size_t, const auto& run, const auto& source) {
            copy_converted(view::plain_begin(run), static_cast<std::size_t>(std::ranges::size(run)),
                           source);
          },
          from);
    }
  });
}

}  // namespace algorithm

/// Reads into local memory. One-sided. Cost: R per contiguous run of other members. Extra memory
/// only for conversions, or if `to` overlaps `from`.
/// @throws acre::error if sizes differ
template <ranges::distributed_range From, algorithm::memory_converted_to<ranges::value_of<From>> To>
  requires(!ranges::distributed_range<To>)
void copy(From&& from, To&& to, const site& where = site::current()) {
  using T = std::ranges::range_value_t<To>;
  view::begin_call("copy", where, from);
  algorithm::require_equal_sizes("copy", std::ranges::size(from), std::ranges::size(to), where);
  const std::span<T> all(to);
  if (algorithm::has_elements_of(from, all)) {
    const base::plain_buffer<T> beside(all.size());
    copy(from, beside.span(), where);
    base::move_elements<T>(all.data(), beside.span());
    return;
  }
  if constexpr (ranges::memory_range<From> && std::same_as<ranges::value_of<From>, T>) {
    algorithm::run_reads<T> reads;
    algorithm::read_segments(from, 0, all, reads, where);
    reads.finish("copy");
    quiet();
  } else {
    algorithm::read_computed(from, all, where);
  }
}

/// Writes local memory to a range; complete at return. One-sided. Cost: W per contiguous run of
/// other members.
/// @throws acre::error if sizes differ
template <class From, ranges::memory_range To>
  requires algorithm::converted_memory<From, ranges::value_of<To>> && ranges::writable_range<To> &&
           (!ranges::distributed_range<From>)
void copy(From&& from, To&& to, const site& where = site::current()) {
  using T = ranges::value_of<To>;
  using source = std::ranges::range_value_t<From>;
  view::begin_call("copy", where, to);
  algorithm::require_equal_sizes("copy", std::ranges::size(from), std::ranges::size(to), where);
  const std::span<const source> all(std::ranges::data(from), std::ranges::size(from));
  if (algorithm::has_elements_of(to, all)) {
    const base::plain_buffer<source> beside(all.size());
    base::move_elements<source>(beside.data(), all);
    return copy(beside.span(), to, where);
  }
  const auto write = [&](std::size_t first, std::span<const T> elements) {
    algorithm::run_writes<T> writes;
    algorithm::write_segments(elements, to, first, writes, where);
    writes.finish("copy");
    quiet();
  };
  if constexpr (std::same_as<source, T>) {
    write(0, all);
  } else {
    algorithm::each_buffered_part<T>(all.size(), [&](std::size_t first, std::size_t count) {
      const base::plain_buffer<T> converted(count);
      algorithm::copy_converted(converted.data(), count, all.subspan(first, count));
      write(first, converted.span());
    });
  }
}

/// Copies element i to element i. Collective in the team of `to`, whose members read. Cost: 2 B,
/// and R per contiguous run common to both ranges but on different members. If they share elements
/// at different positions: also 1 allreduce, and memory for own elements of `to`.
/// @throws acre::error if sizes differ
template <ranges::distributed_range From, ranges::writable_range To>
  requires std::convertible_to<ranges::value_of<From>, ranges::value_of<To>> &&
           (!(ranges::distributed_box<std::remove_cvref_t<From>> &&
              ranges::distributed_box<std::remove_cvref_t<To>>))  // copy_box.hpp
void copy(From&& from, To&& to, const site& where = site::current()) {
  view::begin_collective_call("copy", where, to, from);
  algorithm::copy_elements(from, to, where);
}

template <class From, class To>
  requires algorithm::copied_ranges<From, To> && (!algorithm::may_be_copied<From, To>)
void copy(From&&, To&&, const site& = site::current()) {
  constexpr bool fit = algorithm::copied_elements_fit<From, To>;
  constexpr bool are_written = algorithm::copied_to_elements<To>;
  constexpr bool are_memory = algorithm::copied_where_memory_is<From, To>;
  static_assert(fit,
                "the elements of `from` do not convert to those of `to`: use acre::transform(from, "
                "to, f) with a converting f");
  static_assert(
      are_written,
      "the elements to copy to are const or computed: pass the container itself, or a part of it");
  static_assert(are_memory,
                "copies between memory and a distributed range require contiguous elements: use a "
                "std::vector (not of bool), std::array or std::span, and a range without a stride");
}

template <algorithm::argument_of_std From, algorithm::argument_of_std To, class... Rest>
void copy(const From&, const To&, const Rest&...) {
  algorithm::explain_range<algorithm::range_use::read, From>();
}

}  // namespace acre
