// What is true of all elements of a distributed range together: sums, numbers, places.
//
//     const double sum = acre::reduce_on_all(a);
//     const std::size_t zeros = acre::count_on_all(a, 0);
//     const auto least = acre::min_element_on_all(a);     // an iterator: *least, least.index()
//
// All are collective in the range's team. Each member works on its own elements, in loops over
// plain memory; then the members combine what they have. What is named _on_all returns the same on
// all of them. Cost: 1 allreduce, and 1 B before, so that what others wrote is seen.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/global/reduction.hpp>
#include <acre/view/ranges.hpp>

#include <concepts>
#include <cstddef>
#include <ranges>
#include <type_traits>
#include <utility>

namespace acre {

namespace detail {

/// What some members have and others may not.
template <class T>
struct possible {
  T value{};
  bool is_there = false;
};

template <class T, class Operation>
void combine_into(possible<T>& sum, T value, const Operation& operation) {
  sum = {sum.is_there ? static_cast<T>(operation(sum.value, value)) : std::move(value), true};
}

/// f(element) of all elements combined by an associative and commutative operation.
template <class T, class R, class Operation, class F>
[[nodiscard]] possible<T> reduce_parts(R&& range, const Operation& operation, const F& f,
                                       const site& where) {
  const team& members = ranges::members(range);
  members.barrier(where);
  possible<T> mine;
  ranges::each_own(range, [&](auto elements) {
    if (elements.empty()) return;
    // A value of its own, which the loop keeps in a register.
    T sum = f(elements.front());
    for (const auto& element : elements.subspan(1)) sum = operation(sum, f(element));
    combine_into(mine, std::move(sum), operation);
  });
  return members.allreduce(
      mine,
      [&](const possible<T>& a, const possible<T>& b) {
        if (!a.is_there || !b.is_there) return a.is_there ? a : b;
        return possible<T>{static_cast<T>(operation(a.value, b.value)), true};
      },
      where);
}

}  // namespace detail

/// f(element) of all elements and `initial`, combined. The operation is associative and
/// commutative, for elements are combined in any order; sums of floating-point numbers differ in
/// their last bits with the number of members.
template <ranges::distributed_range R, class T, class Operation, class F>
[[nodiscard]] T transform_reduce_on_all(R&& range, T initial, const Operation& operation,
                                        const F& f, const site& where = site::current()) {
  const auto all = detail::reduce_parts<T>(range, operation, f, where);
  return all.is_there ? static_cast<T>(operation(initial, all.value)) : initial;
}
/// All elements and `initial`, combined: their sum, where no operation is given.
template <ranges::distributed_range R, class Operation = op::addition>
[[nodiscard]] ranges::value_of<R> reduce_on_all(
    R&& range, std::type_identity_t<ranges::value_of<R>> initial = {},
    const Operation& operation = {}, const site& where = site::current()) {
  return transform_reduce_on_all(
      range, initial, operation, [](const auto& element) -> const auto& { return element; }, where);
}

/// For how many elements this holds.
template <ranges::distributed_range R, std::predicate<const ranges::value_of<R>&> Holds>
[[nodiscard]] std::size_t count_if_on_all(R&& range, const Holds& holds,
                                          const site& where = site::current()) {
  return transform_reduce_on_all(
      range, std::size_t{0}, op::sum,
      [&](const auto& element) { return static_cast<std::size_t>(holds(element) ? 1 : 0); }, where);
}
/// How many elements are equal to a value.
template <ranges::distributed_range R>
[[nodiscard]] std::size_t count_on_all(R&& range, const ranges::value_of<R>& value,
                                       const site& where = site::current()) {
  return count_if_on_all(range, [&](const auto& element) { return element == value; }, where);
}

template <ranges::distributed_range R, std::predicate<const ranges::value_of<R>&> Holds>
[[nodiscard]] bool all_of_on_all(R&& range, const Holds& holds,
                                 const site& where = site::current()) {
  return count_if_on_all(range, holds, where) == static_cast<std::size_t>(std::ranges::size(range));
}
template <ranges::distributed_range R, std::predicate<const ranges::value_of<R>&> Holds>
[[nodiscard]] bool any_of_on_all(R&& range, const Holds& holds,
                                 const site& where = site::current()) {
  return count_if_on_all(range, holds, where) != 0;
}
template <ranges::distributed_range R, std::predicate<const ranges::value_of<R>&> Holds>
[[nodiscard]] bool none_of_on_all(R&& range, const Holds& holds,
                                  const site& where = site::current()) {
  return count_if_on_all(range, holds, where) == 0;
}

namespace detail {

struct by_less {
  [[nodiscard]] constexpr bool operator()(const auto& a, const auto& b) const { return a < b; }
};

/// The place in the range of the first element that no other is before.
template <class R, class Before>
[[nodiscard]] auto first_of_all(R&& range, const Before& before, const site& where) {
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
  const team& members = ranges::members(range);
  members.barrier(where);
  possible<candidate> mine;
  ranges::each_own_run(range, [&](std::size_t index, auto elements) {
    std::size_t found = 0;
    for (std::size_t i = 1; i < elements.size(); ++i) {
      if (before(elements[i], elements[found])) found = i;
    }
    combine_into(mine, candidate{elements[found], index + found}, better);
  });
  const auto all = members.allreduce(
      mine,
      [&](const possible<candidate>& a, const possible<candidate>& b) {
        if (!a.is_there || !b.is_there) return a.is_there ? a : b;
        return possible<candidate>{better(a.value, b.value), true};
      },
      where);
  const auto begin = std::ranges::begin(range);
  return all.is_there ? begin + static_cast<std::ptrdiff_t>(all.value.index)
                      : begin + static_cast<std::ptrdiff_t>(std::ranges::size(range));
}

}  // namespace detail

/// The first of the least elements; the end of an empty range.
template <ranges::distributed_range R, class Less = detail::by_less>
[[nodiscard]] auto min_element_on_all(R&& range, const Less& less = {},
                                      const site& where = site::current()) {
  return detail::first_of_all(range, less, where);
}
/// The first of the greatest elements; the end of an empty range.
template <ranges::distributed_range R, class Less = detail::by_less>
[[nodiscard]] auto max_element_on_all(R&& range, const Less& less = {},
                                      const site& where = site::current()) {
  return detail::first_of_all(
      range, [&](const auto& a, const auto& b) { return less(b, a); }, where);
}

/// The first element for which this holds; the end when there is none. Members look at their own
/// until they find one. Cost: as all here.
template <ranges::distributed_range R, std::predicate<const ranges::value_of<R>&> Holds>
[[nodiscard]] auto find_if_on_all(R&& range, const Holds& holds,
                                  const site& where = site::current()) {
  const team& members = ranges::members(range);
  members.barrier(where);
  auto first = static_cast<std::size_t>(std::ranges::size(range));
  ranges::each_own_run(range, [&](std::size_t index, auto elements) {
    if (index >= first) return;
    for (const auto& element : elements) {
      if (holds(element)) {
        first = smaller(first, index);
        return;
      }
      ++index;
    }
  });
  return std::ranges::begin(range) +
         static_cast<std::ptrdiff_t>(members.allreduce(first, op::min, where));
}
/// The first element that is equal to a value; the end when there is none.
template <ranges::distributed_range R>
[[nodiscard]] auto find_on_all(R&& range, const ranges::value_of<R>& value,
                               const site& where = site::current()) {
  return find_if_on_all(range, [&](const auto& element) { return element == value; }, where);
}

}  // namespace acre
