// SPDX-License-Identifier: BSD-3-Clause
// Asynchronous one-sided copies from and to local memory, and to own elements of ranges. Only
// transfers to other nodes are asynchronous; the call itself copies memory of this node, and
// local memory that overlaps the range.
#pragma once

#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/copy_box.hpp>
#include <acre/algorithm/detail/range_parts.hpp>
#include <acre/base/site.hpp>
#include <acre/global/future/counting_promise.hpp>
#include <acre/global/future/shared_future.hpp>
#include <acre/global/transfer/put_get_completions.hpp>
#include <acre/global/transfer/strided_async.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <cstddef>
#include <span>

namespace acre {

namespace algorithm {

template <class From, class To>
concept copied_elements_stay =
    (ranges::distributed_range<From> || std::ranges::borrowed_range<From>) &&
    (ranges::distributed_range<To> || std::ranges::borrowed_range<To>);
template <class From, class To>
concept copied_as_they_are =
    std::same_as<std::ranges::range_value_t<From>, std::ranges::range_value_t<To>>;
template <class From, class To>
concept copied_run_by_run = (ranges::memory_range<From> || !ranges::distributed_range<From>) &&
                            (ranges::memory_range<To> || !ranges::distributed_range<To>) &&
                            copied_where_memory_is<From, To>;
template <class From, class To>
concept may_be_copied_later =
    copied_elements_stay<From, To> && copied_as_they_are<From, To> && copied_run_by_run<From, To>;

[[noreturn]] void throw_shared(const site& where);

template <class Part>
[[nodiscard]] shared_future<> done_by(Part&& part) {
  part();
  return counting_promise().close();
}

}  // namespace algorithm

/// Reads into local memory, which must exist until the future is ready. Cost: R per run at other
/// nodes.
/// @throws acre::error if sizes differ
template <ranges::memory_range From, algorithm::plain_memory<ranges::value_of<From>> To>
  requires(!ranges::distributed_range<To>) && std::ranges::borrowed_range<To> &&
          std::assignable_from<std::ranges::range_reference_t<To>, const ranges::value_of<From>&>
[[nodiscard]] shared_future<> copy_async(From&& from, To&& to,
                                         const site& where = site::current()) {
  view::begin_call("copy_async", where, from);
  algorithm::require_equal_sizes("copy_async", std::ranges::size(from), std::ranges::size(to),
                                 where);
  std::span<ranges::value_of<From>> rest(to);
  if (algorithm::has_elements_of(from, rest))
    return algorithm::done_by([&] { copy(from, to, where); });
  counting_promise all;
  algorithm::each_segment(from, 0, rest.size(), [&](const auto& segment) {
    get_async(segment.data(), rest.first(segment.size()), on_operation(all, where));
    rest = rest.subspan(segment.size());
  });
  return all.close();
}

/// Writes local memory, which must not change until the future is ready; its elements are then in
/// the owners' memory. Cost: W per run at other nodes.
/// @throws acre::error if sizes differ
template <class From, ranges::memory_range To>
  requires algorithm::plain_memory<From, ranges::value_of<To>> &&
           std::ranges::borrowed_range<From> &&
           (!ranges::distributed_range<From>) && ranges::writable_range<To>
[[nodiscard]] shared_future<> copy_async(From&& from, To&& to,
                                         const site& where = site::current()) {
  view::begin_call("copy_async", where, to);
  algorithm::require_equal_sizes("copy_async", std::ranges::size(from), std::ranges::size(to),
                                 where);
  std::span<const ranges::value_of<To>> rest(from);
  if (algorithm::has_elements_of(to, rest))
    return algorithm::done_by([&] { copy(from, to, where); });
  counting_promise all;
  algorithm::each_segment(to, 0, rest.size(), [&](const auto& segment) {
    put_async(segment.data(), rest.first(segment.size()), on_operation(all, where));
    rest = rest.subspan(segment.size());
  });
  return all.close();
}

/// Reads this member's own elements of `to` from `from`. Not collective, without a barrier:
/// elements of `from` must be complete before, and unchanged until the future is ready. Cost: R per
/// common run at another node.
/// @throws acre::error if sizes differ, or if the ranges share elements at different positions
template <ranges::memory_range From, ranges::memory_range To>
  requires ranges::writable_range<To> && std::same_as<ranges::value_of<From>, ranges::value_of<To>>
[[nodiscard]] shared_future<> copy_async(From&& from, To&& to,
                                         const site& where = site::current()) {
  using T = ranges::value_of<To>;
  view::begin_call("copy_async", where, from, to);
  algorithm::require_equal_sizes("copy_async", std::ranges::size(from), std::ranges::size(to),
                                 where);
  if (algorithm::overlap_of(from, to) == view::overlap::other) algorithm::throw_shared(where);
  counting_promise all;
  ranges::each_own_run(to, [&](std::size_t index, std::span<T> rest) {
    algorithm::each_segment(from, index, rest.size(), [&](const auto& segment) {
      get_async(segment.data(), rest.first(segment.size()), on_operation(all, where));
      rest = rest.subspan(segment.size());
    });
  });
  return all.close();
}

template <class From, class To>
  requires algorithm::copied_ranges<From, To> &&
           (!(algorithm::may_be_copied<From, To> && algorithm::may_be_copied_later<From, To>))
shared_future<> copy_async(From&&, To&&, const site& = site::current()) {
  constexpr bool stay = algorithm::copied_elements_stay<From, To>;
  constexpr bool are_alike = algorithm::copied_as_they_are<From, To>;
  constexpr bool are_written = algorithm::copied_to_elements<To>;
  constexpr bool are_memory = algorithm::copied_run_by_run<From, To>;
  static_assert(stay,
                "a temporary is destroyed before it is copied: name the memory, and keep it until "
                "the future is ready");
  static_assert(are_alike,
                "copy_async does not convert elements: use acre::copy(from, to), which converts "
                "them and blocks");
  static_assert(are_written,
                "the elements to copy to are const: pass writable memory, or a writable range");
  static_assert(are_memory,
                "copy_async does not copy computed elements: use acre::copy(from, to), which reads "
                "them and blocks");
  __builtin_unreachable();
}

/// Reads a box. Cost: as copy(). The call issues all transfers, and packs short rows.
/// @throws acre::error if extents differ
template <ranges::distributed_box From>
[[nodiscard]] shared_future<> copy_async(
    const From& from, const box_span<typename From::value_type, From::dimensions>& to,
    const site& where = site::current()) {
  algorithm::require_equal_extents("copy_async", from.extents(), to.extents(), where);
  if (algorithm::has_elements_of(from, to))
    return algorithm::done_by([&] { copy(from, to, where); });
  counting_promise all;
  from.each_piece(ranges::whole(from), [&](const auto& part, const auto& piece) {
    const auto here = to.sub(part);
    get_strided_async(piece.data(), piece.extents(), view::signed_strides(piece.strides()),
                      here.data(), view::signed_strides(here.strides()), on_operation(all, where));
  });
  return all.close();
}

/// Writes a box.
/// @throws acre::error if extents differ
template <ranges::distributed_box To>
[[nodiscard]] shared_future<> copy_async(
    const box_span<const typename To::value_type, To::dimensions>& from, const To& to,
    const site& where = site::current()) {
  algorithm::require_equal_extents("copy_async", from.extents(), to.extents(), where);
  if (algorithm::has_elements_of(to, from))
    return algorithm::done_by([&] { copy(from, to, where); });
  counting_promise all;
  to.each_piece(ranges::whole(to), [&](const auto& part, const auto& piece) {
    const auto here = from.sub(part);
    put_strided_async(piece.data(), piece.extents(), view::signed_strides(piece.strides()),
                      here.data(), view::signed_strides(here.strides()), on_operation(all, where));
  });
  return all.close();
}
template <ranges::distributed_box To>
[[nodiscard]] shared_future<> copy_async(
    const box_span<typename To::value_type, To::dimensions>& from, const To& to,
    const site& where = site::current()) {
  return copy_async(box_span<const typename To::value_type, To::dimensions>(from), to, where);
}

template <ranges::distributed_box From, class T, std::size_t N>
  requires(!std::same_as<typename From::value_type, T> || From::dimensions != N)
shared_future<> copy_async(const From&, const box_span<T, N>&, const site& = site::current()) {
  constexpr bool is_as_it_is = std::same_as<typename From::value_type, T> && From::dimensions == N;
  static_assert(is_as_it_is,
                "copy_async requires boxes of equal dimensions and element type: use "
                "acre::copy(from, to), which converts elements and blocks");
  __builtin_unreachable();
}
template <class T, std::size_t N, ranges::distributed_box To>
  requires(!std::same_as<std::remove_const_t<T>, typename To::value_type> || To::dimensions != N)
shared_future<> copy_async(const box_span<T, N>&, const To&, const site& = site::current()) {
  constexpr bool is_as_it_is =
      std::same_as<std::remove_const_t<T>, typename To::value_type> && To::dimensions == N;
  static_assert(is_as_it_is,
                "copy_async requires boxes of equal dimensions and element type: use "
                "acre::copy(from, to), which converts elements and blocks");
  __builtin_unreachable();
}

}  // namespace acre
