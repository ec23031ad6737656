// Copies between plain memory and distributed ranges, and between two of these.
//
//     acre::copy(a | std::views::drop(10) | std::views::take(20), buffer);   // one-sided: a get
//     acre::copy(buffer, a | std::views::take(20));                          // one-sided: a put
//     acre::copy(a, b);               // collective in b's team: each element to whom it belongs
//
// Each run of elements that lies in one piece is a transfer of its own: in a node a copy of memory,
// between nodes a put or a get that does not wait for the one before. (Between global pointers:
// global/put_get.hpp.)
#pragma once

#include <acre/algorithm/for_each.hpp>
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/global/completion.hpp>
#include <acre/global/put_get.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/ranges.hpp>

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

/// The `count` elements from `first` on.
template <ranges::distributed_range R>
[[nodiscard]] auto part_of(R& range, std::size_t first, std::size_t count) {
  const auto begin = std::ranges::begin(range) + static_cast<std::ptrdiff_t>(first);
  return std::ranges::subrange(begin, begin + static_cast<std::ptrdiff_t>(count));
}

/// Complete after quiet().
template <ranges::distributed_range R, class T>
void get_range_nbi(R&& from, std::span<T> to, const site& where) {
  for (const auto& segment : ranges::segments(from)) {
    const std::span<T> part = to.first(segment.size());
    get_nbi(segment.data(), part, where);
    to = to.subspan(part.size());
  }
}
template <ranges::distributed_range R, class T>
void put_range_nbi(std::span<const T> from, R&& to, const site& where) {
  for (const auto& segment : ranges::segments(to)) {
    const std::span<const T> part = from.first(segment.size());
    put_nbi(segment.data(), part, where);
    from = from.subspan(part.size());
  }
}

}  // namespace detail

/// Reads a distributed range into memory of this rank. One-sided. Cost: R for each run of elements
/// of another member.
/// @throws acre::error when their sizes differ
template <ranges::distributed_range From, detail::plain_memory<ranges::value_of<From>> To>
  requires(!ranges::distributed_range<To>)
void copy(From&& from, To&& to, const site& where = site::current()) {
  detail::require_equal_sizes("copy", std::ranges::size(from), std::ranges::size(to), where);
  detail::get_range_nbi(from, std::span<ranges::value_of<From>>(to), where);
  quiet();
}

/// Writes memory of this rank to a distributed range; the members' memories have it then.
/// One-sided. Cost: W for each run of elements of another member.
/// @throws acre::error when their sizes differ
template <class From, ranges::distributed_range To>
  requires detail::plain_memory<From, ranges::value_of<To>> && (!ranges::distributed_range<From>)
void copy(From&& from, To&& to, const site& where = site::current()) {
  detail::require_equal_sizes("copy", std::ranges::size(from), std::ranges::size(to), where);
  detail::put_range_nbi(std::span<const ranges::value_of<To>>(from), to, where);
  quiet();
}

/// Element i of the one becomes element i of the other, however both are spread; they must not
/// overlap. Collective in the team of `to`, of which each member reads what belongs to it. Cost: R
/// for each run of elements that are beside each other in both and on different members; 2 B.
/// @throws acre::error when their sizes differ
template <ranges::distributed_range From, ranges::distributed_range To>
  requires std::same_as<ranges::value_of<From>, ranges::value_of<To>> &&
           (!(ranges::distributed_box<std::remove_cvref_t<From>> &&
              ranges::distributed_box<std::remove_cvref_t<To>>))  // copy_box.hpp
void copy(From&& from, To&& to, const site& where = site::current()) {
  detail::require_equal_sizes("copy", std::ranges::size(from), std::ranges::size(to), where);
  ranges::members(to).barrier(where);  // what others wrote before
  detail::then_barrier(ranges::members(to), where, [&] {
    ranges::each_own_run(to, [&](std::size_t index, auto run) {
      detail::get_range_nbi(detail::part_of(from, index, run.size()), run, where);
    });
    quiet();
  });
}

}  // namespace acre
