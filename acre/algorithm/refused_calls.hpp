// SPDX-License-Identifier: BSD-3-Clause
// Compile errors for invalid calls, each with a remedy: overloads that accept exactly the invalid
// arguments and fail by static_assert. Calls that std accepts by argument-dependent lookup remain
// std's.
#pragma once

#include <acre/algorithm/execution_policy.hpp>
#include <acre/base/invoke.hpp>
#include <acre/base/reproducible_sum.hpp>
#include <acre/base/site.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/future/shared_future.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/view/ranges.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

namespace acre::algorithm {

template <class R>
struct hides_segments_of {
  static constexpr bool value = false;
};
template <class R>
concept hides_segments = hides_segments_of<std::remove_cvref_t<R>>::value;
template <class R>
  requires(!ranges::distributed_range<R>) && requires(const R& r) { r.base(); }
struct hides_segments_of<R> {
  using base = std::remove_cvref_t<decltype(std::declval<const R&>().base())>;
  static constexpr bool value = ranges::distributed_range<base> || hides_segments<base>;
};

enum class range_use : std::uint8_t { read, written, in_place };

template <class R, range_use Use>
concept range_for =
    ranges::distributed_range<R> && (Use == range_use::read || ranges::writable_range<R>) &&
    (Use != range_use::in_place || ranges::memory_range<R>);
template <range_use Use, class R, class... Rest>
concept refused_ranges = (ranges::distributed_range<R> && !range_for<R, Use>) ||
                         hides_segments<R> || (hides_segments<Rest> || ...);
/// Argument of std's algorithms: a local range, or an iterator.
template <class R>
concept argument_of_std =
    !ranges::distributed_range<R> && !ranges::distributed_container<R> && !hides_segments<R> &&
    (ranges::segmented_iterator<R> ||
     (std::ranges::range<R> && std::is_arithmetic_v<std::ranges::range_value_t<R>>));

template <range_use Use, class R, class... Rest>
consteval void explain_range() {
  constexpr bool keeps_segments = !(hides_segments<R> || ... || hides_segments<Rest>);
  static_assert(keeps_segments,
                "a std view hides the location of the elements: use acre::views::transform or "
                "another of acre::views in place of std::views");
  if constexpr (keeps_segments) {
    constexpr bool is_range = !ranges::segmented_iterator<R>;
    constexpr bool is_distributed = ranges::distributed_range<R> || !is_range;
    constexpr bool is_written =
        Use == range_use::read || !is_distributed || !is_range || ranges::writable_range<R>;
    constexpr bool is_memory = Use != range_use::in_place || !is_distributed || !is_range ||
                               !is_written || ranges::memory_range<R>;
    static_assert(is_range,
                  "pass the range in place of its iterators, or a part of it: a | "
                  "std::views::drop(n), std::ranges::subrange(first, last)");
    static_assert(is_distributed,
                  "this is memory of this rank only: pass an acre::array, an acre::matrix or "
                  "another distributed range, or use an algorithm of std");
    static_assert(is_written,
                  "the elements of this range are const or computed: pass the container itself, or "
                  "a part of it");
    static_assert(is_memory,
                  "the elements of this range are not contiguous in memory: pass the container "
                  "itself, or a part of it, in place of a strided view");
  }
}

struct not_given {};

struct by_less {
  template <class A, class B>
    requires requires(const A& a, const B& b) { a < b; }
  [[nodiscard]] constexpr bool operator()(const A& a, const B& b) const {
    return a < b;
  }
};

template <class F, class T, class... From>
concept maker_of = std::invocable<F, From...> && requires(T& x, F&& f, From&&... from) {
  x = base::invoke(std::forward<F>(f), std::forward<From>(from)...);
};
template <class F, class T, class... From>
concept converter_to = std::invocable<F, From...> && requires(F&& f, From&&... from) {
  static_cast<T>(base::invoke(std::forward<F>(f), std::forward<From>(from)...));
};
template <class Operation, class T>
concept combining =
    requires(const Operation& combine, const T& a, const T& b) { static_cast<T>(combine(a, b)); };
template <class Operation>
concept reproducible_operation =
    std::same_as<std::remove_cvref_t<Operation>, op::reproducible_addition>;
/// Operation of reductions.
template <class Operation, class T>
concept reducing = (!reproducible_operation<Operation> && combining<Operation, T>) ||
                   (reproducible_operation<Operation> && reproducible_addend<T>);
template <class R>
concept number_range = ranges::distributed_range<R> && reproducible_real<ranges::value_of<R>>;
template <class T>
concept has_equal = requires(const T& a, const T& b) {
  { a == b } -> std::convertible_to<bool>;
};

template <class R, class F = not_given, class...>
inline constexpr bool takes_element = std::invocable<F, ranges::own_reference_of<R>>;
template <class R, class F = not_given, class...>
inline constexpr bool takes_indexed = std::invocable<F, std::size_t, ranges::own_reference_of<R>>;
template <class R, class Value = not_given, class...>
inline constexpr bool takes_value = std::convertible_to<Value, ranges::value_of<R>>;
template <class R, class F = not_given, class...>
inline constexpr bool takes_maker = maker_of<F&, ranges::value_of<R>>;
template <class R, class F = not_given, class...>
inline constexpr bool takes_indexed_maker = maker_of<F&, ranges::value_of<R>, std::size_t>;
template <class R, class F = not_given, class...>
inline constexpr bool takes_condition =
    std::predicate<std::remove_cvref_t<F>, const ranges::value_of<R>&>;
template <class R, class Value = not_given, class...>
inline constexpr bool takes_equal =
    has_equal<ranges::value_of<R>> && std::convertible_to<Value, ranges::value_of<R>>;
template <class R, class Less = by_less, class...>
inline constexpr bool takes_order =
    std::predicate<const std::remove_cvref_t<Less>&, const ranges::value_of<R>&,
                   const ranges::value_of<R>&>;
template <class R, class Less = std::ranges::less, class Projection = std::identity, class...>
inline constexpr bool takes_sorting = requires {
  requires std::sortable<ranges::value_of<R>*, std::remove_cvref_t<Less>,
                         std::remove_cvref_t<Projection>>;
};
template <class R, class Less = std::ranges::less, class Projection = std::identity, class...>
inline constexpr bool takes_weak_order = requires {
  requires std::indirect_strict_weak_order<
      std::remove_cvref_t<Less>,
      std::projected<const ranges::value_of<R>*, std::remove_cvref_t<Projection>>>;
};
template <class R, class Equal = std::ranges::equal_to, class Projection = std::identity, class...>
inline constexpr bool takes_equality = requires {
  requires std::indirect_equivalence_relation<
      std::remove_cvref_t<Equal>,
      std::projected<const ranges::value_of<R>*, std::remove_cvref_t<Projection>>>;
};
template <class R, class Initial = ranges::value_of<R>, class Operation = op::addition, class...>
inline constexpr bool takes_operation =
    std::convertible_to<Initial, ranges::value_of<R>> && reducing<Operation, ranges::value_of<R>>;
template <class R, class T = not_given, class Operation = not_given, class F = not_given, class...>
inline constexpr bool takes_reduction =
    reducing<Operation, std::remove_cvref_t<T>> &&
    converter_to<const std::remove_reference_t<F>&, std::remove_cvref_t<T>,
                 ranges::own_reference_of<R>>;
template <class T>
concept is_call_site = std::same_as<std::remove_cvref_t<T>, site>;
template <class R, class F>
concept binned_by = std::integral<
    std::invoke_result_t<const std::remove_reference_t<F>&, const ranges::value_of<R>&>>;
template <class R, class First, class Last>
concept binned_between =
    std::is_arithmetic_v<ranges::value_of<R>> && std::convertible_to<First, ranges::value_of<R>> &&
    std::convertible_to<Last, ranges::value_of<R>>;
template <class R, class Bins = not_given, class F = not_given, class Last = site, class...>
inline constexpr bool takes_bins =
    is_call_site<Last> ? binned_by<R, F> : binned_between<R, F, Last>;
template <class A, class B = not_given, class Equal = std::ranges::equal_to, class...>
inline constexpr bool takes_second = requires {
  requires ranges::distributed_range<B>;
  requires std::predicate<const std::remove_cvref_t<Equal>&, const ranges::value_of<A>&,
                          const ranges::value_of<B>&>;
};
template <class To, class F, class... From>
concept made_of = (ranges::distributed_range<From> && ...) && ranges::writable_range<To> &&
                  converter_to<F&, ranges::value_of<To>, const ranges::value_of<From>&...>;
template <class From, class Second = not_given, class Third = not_given, class Fourth = site,
          class...>
inline constexpr bool takes_transform =
    is_call_site<Fourth> ? made_of<Second, Third, From> : made_of<Third, Fourth, From, Second>;
template <class R, class Operation, class Initial = not_given>
concept scanned =
    range_for<R, range_use::in_place> &&
    operation_on<std::remove_cvref_t<Operation>, ranges::value_of<R>> &&
    (std::same_as<Initial, not_given> || std::convertible_to<Initial, ranges::value_of<R>>);
template <class From, class Second = op::addition, class Third = op::addition, class...>
inline constexpr bool takes_scan =
    ranges::distributed_range<Second> ? scanned<Second, Third> : scanned<From, Second>;
template <class From, class Second = not_given, class Third = not_given,
          class Fourth = op::addition, class...>
inline constexpr bool takes_scan_from =
    ranges::distributed_range<Second>
        ? scanned<Second, Fourth, Third>
        : scanned<From, std::conditional_t<std::same_as<Third, not_given>, op::addition, Third>,
                  Second>;
template <class R, class...>
inline constexpr bool takes_numbers = number_range<R>;
template <class R, class Second = not_given, class...>
inline constexpr bool takes_equal_numbers = false;
template <number_range R, number_range Second, class... Rest>
inline constexpr bool takes_equal_numbers<R, Second, Rest...> =
    std::same_as<ranges::value_of<R>, ranges::value_of<Second>>;
template <class R, class...>
inline constexpr bool takes_nothing = true;

}  // namespace acre::algorithm

namespace acre {

// For refused ranges, arguments of std's algorithms, and other invalid arguments.
#define ACRE_REFUSE(function, result, use, takes, text, ...)                               \
  template <class R, class... Rest>                                                        \
    requires algorithm::refused_ranges<algorithm::range_use::use, R, Rest...>              \
  result function(__VA_ARGS__ __VA_OPT__(, ) R&&, Rest&&...) {                             \
    algorithm::explain_range<algorithm::range_use::use, R, Rest...>();                     \
    __builtin_unreachable();                                                               \
  }                                                                                        \
  template <algorithm::argument_of_std R, class... Rest>                                   \
    requires(!(algorithm::hides_segments<Rest> || ...))                                    \
  result function(__VA_ARGS__ __VA_OPT__(, ) const R&, const Rest&...) {                   \
    algorithm::explain_range<algorithm::range_use::use, R>();                              \
    __builtin_unreachable();                                                               \
  }                                                                                        \
  template <algorithm::range_for<algorithm::range_use::use> R, class... Rest>              \
    requires(!(algorithm::hides_segments<Rest> || ...)) && (!algorithm::takes<R, Rest...>) \
  result function(__VA_ARGS__ __VA_OPT__(, ) R&&, Rest&&...) {                             \
    constexpr bool fits = algorithm::takes<R, Rest...>;                                    \
    static_assert(fits, text);                                                             \
    __builtin_unreachable();                                                               \
  }
#define ACRE_TEXT_OF_ELEMENT \
  "pass a function f(x) of an element: x is T, const T& or, if the range is not const, T&"
#define ACRE_TEXT_OF_INDEXED                                                                   \
  "pass a function f(i, x) of an index and its element: x is T, const T& or, if the range is " \
  "not const, T&"
#define ACRE_TEXT_OF_VALUE "pass a value that converts to the type of the elements"
#define ACRE_TEXT_OF_MAKER "pass a function without parameters that returns the new element"
#define ACRE_TEXT_OF_INDEXED_MAKER "pass a function of an index that returns the new element"
#define ACRE_TEXT_OF_TRANSFORM                                                            \
  "write transform(from, to, f) or transform(left, right, to, f): `to` is a distributed " \
  "range that is not const, and f returns its new element"
#define ACRE_TEXT_OF_CONDITION \
  "pass a function of an element that returns a bool: [](const T& x) { return ...; }"
#define ACRE_TEXT_OF_ORDER                                                                   \
  "pass a function of two elements that returns true if the first precedes the second, "     \
  "[](const T& a, const T& b) { return ...; }, or a projection; or define operator< of the " \
  "elements"
#define ACRE_TEXT_OF_EQUAL                                                                    \
  "the elements have no operator==, or the value does not convert to their type: define the " \
  "operator, or convert the value"
#define ACRE_TEXT_OF_OPERATION                                                                     \
  "pass an initial value that converts to the elements' type T, and an operation that combines "   \
  "two T, for example acre::op::sum; acre::transform_reduce_on_all(range, initial, operation, f) " \
  "combines the results of f"
#define ACRE_TEXT_OF_REDUCTION                                                        \
  "pass an initial value of a type T, an operation that combines two T, for example " \
  "acre::op::sum, "                                                                   \
  "and a function that returns a T for an element"
#define ACRE_TEXT_OF_SECOND                                                                   \
  "the second argument must be a distributed range whose elements compare with those of the " \
  "first by ==, or by the given function"
#define ACRE_TEXT_OF_SCAN                                                                     \
  "a scan writes to its range, or to a second one, whose elements must be in memory and not " \
  "const; its operation combines two elements, for example acre::op::sum"

#define ACRE_TEXT_OF_DOT                                                                         \
  "dot_on_all multiplies floats, or doubles, with elements of the same type: for others, write " \
  "acre::transform_reduce_on_all(acre::views::zip(a, b), initial, acre::op::sum, f) with a "     \
  "function f of a pair"
#define ACRE_TEXT_OF_NORM                                   \
  "norm_on_all takes floats or doubles: for others, write " \
  "std::sqrt(acre::transform_reduce_on_all(range, 0.0, acre::op::sum, square))"

ACRE_REFUSE(all_of_on_all, bool, read, takes_condition, ACRE_TEXT_OF_CONDITION)
ACRE_REFUSE(any_of_on_all, bool, read, takes_condition, ACRE_TEXT_OF_CONDITION)
ACRE_REFUSE(none_of_on_all, bool, read, takes_condition, ACRE_TEXT_OF_CONDITION)
ACRE_REFUSE(count_if_on_all, global::fits_everything, read, takes_condition, ACRE_TEXT_OF_CONDITION)
ACRE_REFUSE(find_if_on_all, global::fits_everything, read, takes_condition, ACRE_TEXT_OF_CONDITION)
ACRE_REFUSE(count_if_on, global::fits_everything, read, takes_condition, ACRE_TEXT_OF_CONDITION,
            rank_t)
ACRE_REFUSE(count_on_all, global::fits_everything, read, takes_equal, ACRE_TEXT_OF_EQUAL)
ACRE_REFUSE(find_on_all, global::fits_everything, read, takes_equal, ACRE_TEXT_OF_EQUAL)
ACRE_REFUSE(count_on, global::fits_everything, read, takes_equal, ACRE_TEXT_OF_EQUAL, rank_t)
ACRE_REFUSE(max_element_on_all, global::fits_everything, read, takes_order, ACRE_TEXT_OF_ORDER)
ACRE_REFUSE(min_element_on_all, global::fits_everything, read, takes_order, ACRE_TEXT_OF_ORDER)
ACRE_REFUSE(minmax_element_on_all, global::fits_everything, read, takes_order, ACRE_TEXT_OF_ORDER)
ACRE_REFUSE(is_sorted_on_all, bool, read, takes_weak_order, ACRE_TEXT_OF_ORDER)
ACRE_REFUSE(sort, void, in_place, takes_sorting, ACRE_TEXT_OF_ORDER)
ACRE_REFUSE(stable_sort, void, in_place, takes_sorting, ACRE_TEXT_OF_ORDER)
ACRE_REFUSE(equal_on_all, bool, read, takes_second, ACRE_TEXT_OF_SECOND)
ACRE_REFUSE(mismatch_on_all, global::fits_everything, read, takes_second, ACRE_TEXT_OF_SECOND)
ACRE_REFUSE(reduce_on_all, global::fits_everything, read, takes_operation, ACRE_TEXT_OF_OPERATION)
ACRE_REFUSE(reduce_on, global::fits_everything, read, takes_operation, ACRE_TEXT_OF_OPERATION,
            rank_t)
ACRE_REFUSE(transform_reduce_on_all, global::fits_everything, read, takes_reduction,
            ACRE_TEXT_OF_REDUCTION)
ACRE_REFUSE(transform_reduce_on, global::fits_everything, read, takes_reduction,
            ACRE_TEXT_OF_REDUCTION, rank_t)
ACRE_REFUSE(inclusive_scan, void, read, takes_scan, ACRE_TEXT_OF_SCAN)
ACRE_REFUSE(exclusive_scan, void, read, takes_scan_from, ACRE_TEXT_OF_SCAN)
ACRE_REFUSE(for_each, void, read, takes_element, ACRE_TEXT_OF_ELEMENT)
ACRE_REFUSE(for_each_with_index, void, read, takes_indexed, ACRE_TEXT_OF_INDEXED)
ACRE_REFUSE(fill, void, written, takes_value, ACRE_TEXT_OF_VALUE)
ACRE_REFUSE(generate, void, written, takes_maker, ACRE_TEXT_OF_MAKER)
ACRE_REFUSE(generate_with_index, void, written, takes_indexed_maker, ACRE_TEXT_OF_INDEXED_MAKER)
ACRE_REFUSE(transform, void, read, takes_transform, ACRE_TEXT_OF_TRANSFORM)
ACRE_REFUSE(histogram_on_all, global::fits_everything, read, takes_bins,
            "write histogram_on_all(range, bins, bin_of) with an integer bin_of(element), or "
            "histogram_on_all(range, bins, first, last) for numbers")
ACRE_REFUSE(dot_on_all, global::fits_everything, read, takes_equal_numbers, ACRE_TEXT_OF_DOT)
ACRE_REFUSE(norm_on_all, global::fits_everything, read, takes_numbers, ACRE_TEXT_OF_NORM)
ACRE_REFUSE(rotate, void, in_place, takes_nothing, "")
ACRE_REFUSE(reverse, void, in_place, takes_nothing, "")

ACRE_REFUSE(for_each, void, read, takes_element, ACRE_TEXT_OF_ELEMENT, const execution_policy auto&)
ACRE_REFUSE(for_each_with_index, void, read, takes_indexed, ACRE_TEXT_OF_INDEXED,
            const execution_policy auto&)
ACRE_REFUSE(fill, void, written, takes_value, ACRE_TEXT_OF_VALUE, const execution_policy auto&)
ACRE_REFUSE(generate, void, written, takes_maker, ACRE_TEXT_OF_MAKER, const execution_policy auto&)
ACRE_REFUSE(generate_with_index, void, written, takes_indexed_maker, ACRE_TEXT_OF_INDEXED_MAKER,
            const execution_policy auto&)
ACRE_REFUSE(transform, void, read, takes_transform, ACRE_TEXT_OF_TRANSFORM,
            const execution_policy auto&)
ACRE_REFUSE(transform_reduce_on_all, global::fits_everything, read, takes_reduction,
            ACRE_TEXT_OF_REDUCTION, const execution_policy auto&)
ACRE_REFUSE(reduce_on_all, global::fits_everything, read, takes_operation, ACRE_TEXT_OF_OPERATION,
            const execution_policy auto&)
ACRE_REFUSE(count_if_on_all, global::fits_everything, read, takes_condition, ACRE_TEXT_OF_CONDITION,
            const execution_policy auto&)

// For a projection after {}, whose type cannot be deduced.
#define ACRE_REFUSE_PROJECTION(function, result, use, takes)                                  \
  template <algorithm::range_for<algorithm::range_use::use> R, class Projection>              \
    requires(!algorithm::takes<R, std::ranges::less, Projection>)                             \
  result function(R&&, std::ranges::less, const Projection&, const site& = site::current()) { \
    constexpr bool fits = algorithm::takes<R, std::ranges::less, Projection>;                 \
    static_assert(fits, ACRE_TEXT_OF_ORDER);                                                  \
    __builtin_unreachable();                                                                  \
  }

ACRE_REFUSE_PROJECTION(is_sorted_on_all, bool, read, takes_weak_order)
ACRE_REFUSE_PROJECTION(sort, void, in_place, takes_sorting)
ACRE_REFUSE_PROJECTION(stable_sort, void, in_place, takes_sorting)

#undef ACRE_TEXT_OF_ELEMENT
#undef ACRE_TEXT_OF_INDEXED
#undef ACRE_TEXT_OF_VALUE
#undef ACRE_TEXT_OF_MAKER
#undef ACRE_TEXT_OF_INDEXED_MAKER
#undef ACRE_TEXT_OF_TRANSFORM
#undef ACRE_TEXT_OF_CONDITION
#undef ACRE_TEXT_OF_ORDER
#undef ACRE_TEXT_OF_EQUAL
#undef ACRE_TEXT_OF_OPERATION
#undef ACRE_TEXT_OF_REDUCTION
#undef ACRE_TEXT_OF_SECOND
#undef ACRE_TEXT_OF_SCAN
#undef ACRE_TEXT_OF_DOT
#undef ACRE_TEXT_OF_NORM
#undef ACRE_REFUSE
#undef ACRE_REFUSE_PROJECTION

// For views that hide segments; the functions' headers explain other mistakes.
#define ACRE_REFUSE_VIEWS_OF_STD(function, result)                        \
  template <class... Arguments>                                           \
    requires(algorithm::hides_segments<Arguments> || ...)                 \
  result function(Arguments&&...) {                                       \
    algorithm::explain_range<algorithm::range_use::read, Arguments...>(); \
    __builtin_unreachable();                                              \
  }

ACRE_REFUSE_VIEWS_OF_STD(copy, void)
ACRE_REFUSE_VIEWS_OF_STD(copy_async, shared_future<>)

#undef ACRE_REFUSE_VIEWS_OF_STD

// Too few arguments, or no target range: compilers show the deleted constructor's line.
namespace algorithm {
struct two_ranges {
  template <ranges::distributed_range R>
  two_ranges(const R&) = delete;  // write copy(from, to)
};
struct a_range_and_a_number {
  template <ranges::distributed_range R>
  a_range_and_a_number(const R&) = delete;  // write rotate(range, by)
};
struct a_range_or_memory_to_copy_to {
  template <class X>
    requires std::is_scalar_v<X>
  a_range_or_memory_to_copy_to(const X&) = delete;  // copy to a range, or a std::span of memory
};
}  // namespace algorithm

void copy(algorithm::two_ranges);
shared_future<> copy_async(algorithm::two_ranges);
template <ranges::distributed_range From>
void copy(const From&, algorithm::a_range_or_memory_to_copy_to);
template <ranges::distributed_range From>
shared_future<> copy_async(const From&, algorithm::a_range_or_memory_to_copy_to);
void rotate(algorithm::a_range_and_a_number);

}  // namespace acre
