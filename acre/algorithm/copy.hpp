// Copies between plain memory and distributed ranges, and between two of these.
//
//     acre::copy(a | std::views::drop(10) | std::views::take(20), buffer);   // one-sided: a get
//     acre::copy(buffer, a | std::views::take(20));                          // one-sided: a put
//     acre::copy(a, b);               // collective in b's team: each element to whom it belongs
//
// Each run of elements that lies in one piece is a transfer of its own: in a node a copy of memory,
// between nodes a put or a get that does not wait for the one before, and short ones share
// messages. (Between global pointers: global/put_get.hpp.)
#pragma once

#include <acre/algorithm/detail/aligned_runs.hpp>
#include <acre/algorithm/detail/range_parts.hpp>
#include <acre/algorithm/detail/run_transfer.hpp>
#include <acre/algorithm/detail/segment_reads.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/global/completion.hpp>
#include <acre/global/put_get.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>

namespace acre {

namespace detail {

/// @param call  "copy"
/// @throws acre::error
void require_equal_sizes(const char* call, std::size_t from, std::size_t to, const site& where);

/// Elements of a type, beside each other in memory.
template <class P, class T>
concept plain_memory = std::ranges::contiguous_range<P> && std::ranges::sized_range<P> &&
                       std::same_as<std::ranges::range_value_t<P>, T>;

}  // namespace detail

/// Reads a distributed range into memory of this rank. One-sided. Cost: R for each run of elements
/// of another member; short ones at other nodes share messages, here and below.
/// @throws acre::error when their sizes differ
template <ranges::distributed_range From, detail::plain_memory<ranges::value_of<From>> To>
  requires(!ranges::distributed_range<To>)
void copy(From&& from, To&& to, const site& where = site::current()) {
  detail::require_equal_sizes("copy", std::ranges::size(from), std::ranges::size(to), where);
  const std::span<ranges::value_of<From>> all(to);
  if constexpr (ranges::memory_range<From>) {
    detail::run_reads<ranges::value_of<From>> reads;
    detail::read_segments(from, 0, all, reads, where);
    reads.finish("copy");
    quiet();
  } else {
    detail::read_computed(from, all, where);
  }
}

/// Writes memory of this rank to a distributed range; the members' memories have it then.
/// One-sided. Cost: W for each run of elements of another member.
/// @throws acre::error when their sizes differ
template <class From, ranges::memory_range To>
  requires detail::plain_memory<From, ranges::value_of<To>> && ranges::writable_range<To> &&
           (!ranges::distributed_range<From>)
void copy(From&& from, To&& to, const site& where = site::current()) {
  detail::require_equal_sizes("copy", std::ranges::size(from), std::ranges::size(to), where);
  detail::run_writes<ranges::value_of<To>> writes;
  detail::write_segments(std::span<const ranges::value_of<To>>(from), to, 0, writes, where);
  writes.finish("copy");
  quiet();
}

/// Element i of the one becomes element i of the other, however both are spread; they must not
/// overlap. Collective in the team of `to`, of which each member reads what belongs to it. Cost: R
/// for each run of elements that are beside each other in both and on different members; 2 B.
/// @throws acre::error when their sizes differ
template <ranges::distributed_range From, ranges::writable_range To>
  requires std::same_as<ranges::value_of<From>, ranges::value_of<To>> &&
           (!(ranges::distributed_box<std::remove_cvref_t<From>> &&
              ranges::distributed_box<std::remove_cvref_t<To>>))  // copy_box.hpp
void copy(From&& from, To&& to, const site& where = site::current()) {
  detail::require_equal_sizes("copy", std::ranges::size(from), std::ranges::size(to), where);
  detail::between_barriers(ranges::members(to), where, [&] {
    if constexpr (ranges::memory_range<From> && ranges::memory_range<To>) {
      detail::run_reads<ranges::value_of<To>> reads;
      ranges::each_own_run(to, [&](std::size_t index, auto run) {
        detail::read_segments(from, index, run, reads, where);
      });
      reads.finish("copy");
      quiet();
    } else {
      const auto size = static_cast<std::size_t>(std::ranges::size(to));
      detail::each_aligned_run(
          to, size, where,
          [](std::size_t, auto run, auto source) {
            std::copy(source.begin(), source.end(), detail::plain_begin(run));
          },
          from);
    }
  });
}

}  // namespace acre
