// SPDX-License-Identifier: BSD-3-Clause
// Reductions and searches of distributed ranges.
//
//     const double sum = acre::reduce_on_all(a);
//
// Collective in the range's team; _on_all functions return the result on all members. Cost: 1
// allreduce, and 1 B before, which completes earlier writes.
#pragma once

#include <acre/algorithm/add_elements.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/base/reproducible_sum.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace acre {

namespace algorithm {

template <class T>
struct sum_of {
  using type = T;
};
template <std::integral T>
  requires(sizeof(T) < sizeof(std::int64_t))
struct sum_of<T> {
  using type =
      std::conditional_t<std::is_signed_v<T> || std::same_as<T, bool>, std::int64_t, std::uint64_t>;
};

}  // namespace algorithm

/// Type of a sum of T: std::int64_t or std::uint64_t for smaller integers of either kind (bool:
/// signed), as in NumPy, otherwise T.
template <class T>
using sum_type = typename algorithm::sum_of<std::remove_cv_t<T>>::type;

namespace algorithm {

inline constexpr auto as_summand = []<class T>(const T& element) -> decltype(auto) {
  if constexpr (std::same_as<sum_type<T>, T>) {
    return (element);
  } else {
    return static_cast<sum_type<T>>(element);
  }
};

template <class T>
struct possible {
  T value{};
  bool is_there = false;
  bool has_failed = false;
};

template <class T, class Operation>
void combine_into(possible<T>& sum, T value, const Operation& operation) {
  sum.value = sum.is_there ? static_cast<T>(operation(sum.value, value)) : std::move(value);
  sum.is_there = true;
}

/// Combines f(element) of own elements. The operation must be associative and commutative.
template <class T, class R, class Operation, class F>
[[nodiscard]] possible<T> reduce_own(R&& range, const Operation& operation, const F& f) {
  possible<T> mine;
  ranges::each_own(range, [&](auto elements) {
    auto at = view::plain_begin(elements);
    const auto end = at + static_cast<std::ptrdiff_t>(std::ranges::size(elements));
    if (at == end) return;
    // A local variable stays in a register.
    T sum = static_cast<T>(f(*at));
    for (++at; at != end; ++at) sum = static_cast<T>(operation(sum, f(*at)));
    combine_into(mine, std::move(sum), operation);
  });
  return mine;
}

template <class T, class R, class F>
[[nodiscard]] possible<reproducible_sum<T>> reduce_own(R&& range, op::reproducible_addition,
                                                       const F& f) {
  possible<reproducible_sum<T>> mine{.is_there = true};
  ranges::each_own(range, [&](const auto& elements) { add_elements(elements, f, mine.value); });
  return mine;
}

/// Returns reduce(initial, operation); of a reproducible sum, the value of a sum of exact sums.
template <class T, class Operation, class Reduce>
[[nodiscard]] auto reduce_with(const T& initial, const Operation& operation, Reduce&& reduce) {
  if constexpr (reproducible_operation<Operation>) {
    return rounded(reduce(reproducible_sum<T>(initial), op::sum));
  } else {
    return reduce(initial, operation);
  }
}

/// Combines possible values. Stores exceptions, which must not leave a collective call.
template <class T, class Operation>
[[nodiscard]] auto where_there(const Operation& operation, std::exception_ptr& failure) {
  return [&operation, &failure](const possible<T>& a, const possible<T>& b) {
    if (a.has_failed || b.has_failed) return a.has_failed ? a : b;
    if (!a.is_there || !b.is_there) return a.is_there ? a : b;
    possible<T> both = a;
    try {
      combine_into(both, b.value, operation);
    } catch (...) {
      failure = std::current_exception();
      both.has_failed = true;
    }
    return both;
  };
}

/// Combines the results of part() on all members by the collective combine(mine, failure), also
/// called after exceptions.
/// @throws the exception of part() here; failures of others are in the result
template <class T, class Part, class Combine>
[[nodiscard]] auto combine_parts(const team& members, const site& where, Part&& part,
                                 Combine&& combine) {
  members.barrier(where);  // completes earlier writes
  possible<T> mine;
  std::exception_ptr failure;
  try {
    mine = part();
  } catch (...) {
    failure = std::current_exception();
    mine = {.has_failed = true};
  }
  const auto all = combine(mine, failure);
  if (failure != nullptr) std::rethrow_exception(failure);
  return all;
}
template <class T, class Operation, class Part>
[[nodiscard]] possible<T> combine_on_all(const team& members, const char* call, const site& where,
                                         const Operation& operation, Part&& part) {
  const auto all = combine_parts<T>(
      members, where, part, [&](const possible<T>& mine, std::exception_ptr& failure) {
        return members.allreduce(mine, where_there<T>(operation, failure), where);
      });
  if (all.has_failed) global::throw_failed_elsewhere(call, where);
  return all;
}

template <class T, class Operation>
[[nodiscard]] T with_initial(const T& initial, const possible<T>& all, const Operation& operation) {
  return all.is_there ? static_cast<T>(operation(initial, all.value)) : initial;
}

struct named_call {
  const char* name;
  std::initializer_list<view::common_argument> alike;
};

template <class R, class T, class Operation, class Own>
[[nodiscard]] T transform_reduce_as(const named_call& call, R& range, const T& initial,
                                    const Operation& operation, const site& where, Own&& own) {
  view::begin_collective_call(call.name, where, call.alike, range);
  const auto all = combine_on_all<T>(ranges::members(range), call.name, where, operation, own);
  return with_initial(initial, all, operation);
}
template <class R, class T, class Operation, class Own>
[[nodiscard]] std::optional<T> transform_reduce_as(rank_t root, const named_call& call, R& range,
                                                   const T& initial, const Operation& operation,
                                                   const site& where, Own&& own) {
  const team& members = ranges::members(range);
  view::begin_collective_call(call.name, where, call.alike, range);
  const auto all = combine_parts<T>(
      members, where, own, [&](const possible<T>& mine, std::exception_ptr& failure) {
        return members.reduce(mine, root, where_there<T>(operation, failure), where);
      });
  if (!all) return std::nullopt;
  if (all->has_failed) global::throw_failed_elsewhere(call.name, where);
  return with_initial(initial, *all, operation);
}

template <class Holds>
[[nodiscard]] auto one_where(const Holds& holds) {
  return [&holds](const auto& element) -> std::size_t { return holds(element) ? 1 : 0; };
}

template <class R, class Holds>
[[nodiscard]] std::size_t count_as(const named_call& call, R& range, const Holds& holds,
                                   const site& where) {
  return transform_reduce_as(call, range, std::size_t{0}, op::sum, where, [&] {
    return reduce_own<std::size_t>(range, op::sum, one_where(holds));
  });
}
template <class R, class Holds>
[[nodiscard]] std::optional<std::size_t> count_as(rank_t root, const named_call& call, R& range,
                                                  const Holds& holds, const site& where) {
  return transform_reduce_as(root, call, range, std::size_t{0}, op::sum, where, [&] {
    return reduce_own<std::size_t>(range, op::sum, one_where(holds));
  });
}

}  // namespace algorithm

/// Combines f(element) of all elements and `initial`. The operation must be associative and
/// commutative. Floating-point sums depend on the number of members, except with
/// op::reproducible_sum: if f(element) is, the result is bitwise equal for any number of members,
/// distribution and order.
template <ranges::distributed_range R, class T, class Operation, class F>
  requires algorithm::takes_reduction<R, T, Operation, F>
[[nodiscard]] T transform_reduce_on_all(R&& range, T initial, const Operation& operation,
                                        const F& f, const site& where = site::current()) {
  return algorithm::reduce_with(initial, operation, [&](const auto& from, const auto& combine) {
    return algorithm::transform_reduce_as(
        {"reduce_on_all",
         {{"the operation", typeid(Operation)},
          view::common_argument::of_value("the initial value", initial)}},
        range, from, combine, where, [&] { return algorithm::reduce_own<T>(range, operation, f); });
  });
}
/// Sum of all elements. Integers of less than 64 bits, and bool, are added as 64-bit integers.
template <ranges::distributed_range R>
  requires algorithm::combining<op::addition, ranges::value_of<R>>
[[nodiscard]] sum_type<ranges::value_of<R>> reduce_on_all(R&& range,
                                                          const site& where = site::current()) {
  return transform_reduce_on_all(range, sum_type<ranges::value_of<R>>{}, op::sum,
                                 algorithm::as_summand, where);
}
/// Combines all elements and `initial`, as elements; by default their sum.
template <ranges::distributed_range R, class Operation = op::addition>
  requires algorithm::reducing<Operation, ranges::value_of<R>>
[[nodiscard]] ranges::value_of<R> reduce_on_all(R&& range,
                                                std::type_identity_t<ranges::value_of<R>> initial,
                                                const Operation& operation = {},
                                                const site& where = site::current()) {
  return transform_reduce_on_all(range, initial, operation, algorithm::itself(), where);
}

/// Number of elements for which `holds` is true.
template <ranges::distributed_range R, std::predicate<const ranges::value_of<R>&> Holds>
[[nodiscard]] std::size_t count_if_on_all(R&& range, const Holds& holds,
                                          const site& where = site::current()) {
  return algorithm::count_as({"count_if_on_all", {{"the condition", typeid(Holds)}}}, range, holds,
                             where);
}
/// Number of elements equal to `value`.
template <ranges::distributed_range R>
  requires algorithm::has_equal<ranges::value_of<R>>
[[nodiscard]] std::size_t count_on_all(R&& range, const ranges::value_of<R>& value,
                                       const site& where = site::current()) {
  return algorithm::count_as(
      {"count_on_all", {view::common_argument::of_value("the value", value)}}, range,
      [&](const auto& element) { return element == value; }, where);
}

// As above, with the result on member `root`, null on others. Cost: 1 B and 1 reduce.

template <ranges::distributed_range R, class T, class Operation, class F>
  requires algorithm::takes_reduction<R, T, Operation, F>
[[nodiscard]] std::optional<T> transform_reduce_on(rank_t root, R&& range, T initial,
                                                   const Operation& operation, const F& f,
                                                   const site& where = site::current()) {
  return algorithm::reduce_with(initial, operation, [&](const auto& from, const auto& combine) {
    return algorithm::transform_reduce_as(
        root, {"reduce_on", {{"root", root}, {"the operation", typeid(Operation)}}}, range, from,
        combine, where, [&] { return algorithm::reduce_own<T>(range, operation, f); });
  });
}
template <ranges::distributed_range R>
  requires algorithm::combining<op::addition, ranges::value_of<R>>
[[nodiscard]] std::optional<sum_type<ranges::value_of<R>>> reduce_on(
    rank_t root, R&& range, const site& where = site::current()) {
  return transform_reduce_on(root, range, sum_type<ranges::value_of<R>>{}, op::sum,
                             algorithm::as_summand, where);
}
template <ranges::distributed_range R, class Operation = op::addition>
  requires algorithm::reducing<Operation, ranges::value_of<R>>
[[nodiscard]] std::optional<ranges::value_of<R>> reduce_on(
    rank_t root, R&& range, std::type_identity_t<ranges::value_of<R>> initial,
    const Operation& operation = {}, const site& where = site::current()) {
  return transform_reduce_on(root, range, initial, operation, algorithm::itself(), where);
}
template <ranges::distributed_range R, std::predicate<const ranges::value_of<R>&> Holds>
[[nodiscard]] std::optional<std::size_t> count_if_on(rank_t root, R&& range, const Holds& holds,
                                                     const site& where = site::current()) {
  return algorithm::count_as(root,
                             {"count_if_on", {{"root", root}, {"the condition", typeid(Holds)}}},
                             range, holds, where);
}
template <ranges::distributed_range R>
  requires algorithm::has_equal<ranges::value_of<R>>
[[nodiscard]] std::optional<std::size_t> count_on(rank_t root, R&& range,
                                                  const ranges::value_of<R>& value,
                                                  const site& where = site::current()) {
  return algorithm::count_as(
      root, {"count_on", {{"root", root}, view::common_argument::of_value("the value", value)}},
      range, [&](const auto& element) { return element == value; }, where);
}

template <ranges::distributed_range R, std::predicate<const ranges::value_of<R>&> Holds>
[[nodiscard]] bool all_of_on_all(R&& range, const Holds& holds,
                                 const site& where = site::current()) {
  return algorithm::count_as({"all_of_on_all", {{"the condition", typeid(Holds)}}}, range, holds,
                             where) == static_cast<std::size_t>(std::ranges::size(range));
}
template <ranges::distributed_range R, std::predicate<const ranges::value_of<R>&> Holds>
[[nodiscard]] bool any_of_on_all(R&& range, const Holds& holds,
                                 const site& where = site::current()) {
  return algorithm::count_as({"any_of_on_all", {{"the condition", typeid(Holds)}}}, range, holds,
                             where) != 0;
}
template <ranges::distributed_range R, std::predicate<const ranges::value_of<R>&> Holds>
[[nodiscard]] bool none_of_on_all(R&& range, const Holds& holds,
                                  const site& where = site::current()) {
  return algorithm::count_as({"none_of_on_all", {{"the condition", typeid(Holds)}}}, range, holds,
                             where) == 0;
}

namespace algorithm {

template <class R, class Before>
[[nodiscard]] auto first_of_all(const char* call, R&& range, const Before& before,
                                const site& where) {
  view::begin_collective_call(call, where, range);
  using T = ranges::value_of<R>;
  struct candidate {
    T value;
    std::size_t index;
  };
  const auto better = [&](const candidate& a, const candidate& b) {
    if (before(a.value, b.value)) return a;
    if (before(b.value, a.value)) return b;
    return a.index < b.index ? a : b;
  };
  const auto own = [&] {
    possible<candidate> mine;
    ranges::each_own_run(range, [&](std::size_t index, auto elements) {
      if (elements.empty()) return;
      const auto first = view::plain_begin(elements);
      std::ptrdiff_t found = 0;
      for (std::ptrdiff_t i = 1; i < std::ranges::ssize(elements); ++i) {
        if (before(first[i], first[found])) found = i;
      }
      combine_into(mine, candidate{first[found], index + static_cast<std::size_t>(found)}, better);
    });
    return mine;
  };
  const auto all = combine_on_all<candidate>(ranges::members(range), call, where, better, own);
  const auto begin = std::ranges::begin(range);
  return all.is_there ? begin + static_cast<std::ptrdiff_t>(all.value.index)
                      : begin + static_cast<std::ptrdiff_t>(std::ranges::size(range));
}

}  // namespace algorithm

/// Returns an iterator to the first least element; the end if empty.
template <ranges::distributed_range R, class Less = algorithm::by_less>
  requires algorithm::takes_order<R, Less>
[[nodiscard]] auto min_element_on_all(R&& range, const Less& less = {},
                                      const site& where = site::current()) {
  return algorithm::first_of_all("min_element_on_all", range, less, where);
}
/// Returns an iterator to the first greatest element; the end if empty.
template <ranges::distributed_range R, class Less = algorithm::by_less>
  requires algorithm::takes_order<R, Less>
[[nodiscard]] auto max_element_on_all(R&& range, const Less& less = {},
                                      const site& where = site::current()) {
  return algorithm::first_of_all(
      "max_element_on_all", range, [&](const auto& a, const auto& b) { return less(b, a); }, where);
}

/// Returns iterators to the first least and the last greatest element; the end if empty.
template <ranges::distributed_range R, class Less = algorithm::by_less>
  requires algorithm::takes_order<R, Less>
[[nodiscard]] auto minmax_element_on_all(R&& range, const Less& less = {},
                                         const site& where = site::current()) {
  view::begin_collective_call("minmax_element_on_all", where, range);
  using T = ranges::value_of<R>;
  struct extremes {
    T least;
    T greatest;
    std::size_t least_at;
    std::size_t greatest_at;
  };
  const auto both = [&](const extremes& a, const extremes& b) {
    const extremes& first = a.least_at < b.least_at ? a : b;
    const extremes& other = a.least_at < b.least_at ? b : a;
    const bool keeps_least = !less(other.least, first.least);
    const extremes& last = a.greatest_at > b.greatest_at ? a : b;
    const extremes& before = a.greatest_at > b.greatest_at ? b : a;
    const bool keeps_greatest = !less(last.greatest, before.greatest);
    const extremes& least = keeps_least ? first : other;
    const extremes& greatest = keeps_greatest ? last : before;
    return extremes{least.least, greatest.greatest, least.least_at, greatest.greatest_at};
  };
  const auto own = [&] {
    algorithm::possible<extremes> mine;
    ranges::each_own_run(range, [&](std::size_t index, auto elements) {
      if (elements.empty()) return;
      const auto first = view::plain_begin(elements);
      std::ptrdiff_t least = 0;
      std::ptrdiff_t greatest = 0;
      for (std::ptrdiff_t i = 1; i < std::ranges::ssize(elements); ++i) {
        if (less(first[i], first[least])) least = i;
        if (!less(first[i], first[greatest])) greatest = i;
      }
      algorithm::combine_into(
          mine,
          extremes{first[least], first[greatest], index + static_cast<std::size_t>(least),
                   index + static_cast<std::size_t>(greatest)},
          both);
    });
    return mine;
  };
  const auto all = algorithm::combine_on_all<extremes>(ranges::members(range),
                                                       "minmax_element_on_all", where, both, own);
  const auto begin = std::ranges::begin(range);
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  const auto at = [&](std::size_t index) {
    return begin + static_cast<std::ptrdiff_t>(all.is_there ? index : size);
  };
  return std::pair(at(all.value.least_at), at(all.value.greatest_at));
}

namespace algorithm {

template <class R, class Holds>
[[nodiscard]] auto find_as(const named_call& call, R& range, const Holds& holds,
                           const site& where) {
  view::begin_collective_call(call.name, where, call.alike, range);
  const auto own = [&] {
    possible<std::size_t> mine;
    ranges::each_own_run(range, [&](std::size_t index, auto elements) {
      if (mine.is_there && index >= mine.value) return;
      for (const auto& element : elements) {
        if (holds(element)) return combine_into(mine, std::size_t{index}, op::min);
        ++index;
      }
    });
    return mine;
  };
  const auto all =
      combine_on_all<std::size_t>(ranges::members(range), call.name, where, op::min, own);
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  return std::ranges::begin(range) + static_cast<std::ptrdiff_t>(all.is_there ? all.value : size);
}

}  // namespace algorithm

/// Returns an iterator to the first element for which `holds` is true, or the end.
template <ranges::distributed_range R, std::predicate<const ranges::value_of<R>&> Holds>
[[nodiscard]] auto find_if_on_all(R&& range, const Holds& holds,
                                  const site& where = site::current()) {
  return algorithm::find_as({"find_if_on_all", {{"the condition", typeid(Holds)}}}, range, holds,
                            where);
}
/// Returns an iterator to the first element equal to `value`, or the end.
template <ranges::distributed_range R>
  requires algorithm::has_equal<ranges::value_of<R>>
[[nodiscard]] auto find_on_all(R&& range, const ranges::value_of<R>& value,
                               const site& where = site::current()) {
  return algorithm::find_as(
      {"find_on_all", {view::common_argument::of_value("the value", value)}}, range,
      [&](const auto& element) { return element == value; }, where);
}

}  // namespace acre
