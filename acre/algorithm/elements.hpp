// SPDX-License-Identifier: BSD-3-Clause
// Loops and reductions over containers without positions: tables, queues and bags.
//
//     const auto used = acre::count_if_on_all(map, is_used);
//
// Each member visits copies of own elements; a bag's are not copied, so f must not change it.
// Concurrent changes may be missed. Collective. Cost: B, l for each element; of reductions 1
// allreduce more.
#pragma once

#include <acre/algorithm/add_elements.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/base/checks.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/view/ranges.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace acre {

namespace algorithm {

template <class Operation, class C>
void begin_container_call(const char* call, [[maybe_unused]] const C& container,
                          const site& where) {
  if constexpr (base::has_checks) {
    global::common_call mine(call, where);
    mine.with_type("the container", typeid(C));
    mine.with_identity("the function", global::number_of_operation(typeid(Operation)));
    global::require_same_call(container.members(), mine);
  }
}

template <class T, class C, class Operation, class F>
[[nodiscard]] possible<T> reduce_elements(C& container, const Operation& operation, const F& f) {
  possible<T> mine;
  for (const auto& element : container.own_elements()) {
    combine_into(mine, static_cast<T>(f(element)), operation);
  }
  return mine;
}

template <class T, class C, class Operation, class F>
[[nodiscard]] T reduce_container(const char* call, C& container, const T& initial,
                                 const Operation& operation, const F& f, const site& where) {
  begin_container_call<Operation>(call, container, where);
  const auto all = combine_on_all<T>(container.members(), call, where, operation,
                                     [&] { return reduce_elements<T>(container, operation, f); });
  return with_initial(initial, all, operation);
}
template <class C, class Holds>
[[nodiscard]] std::size_t count_elements(const char* call, C& container, const Holds& holds,
                                         const site& where) {
  return reduce_container(call, container, std::size_t{0}, op::sum, one_where(holds), where);
}

template <class F, class C>
concept takes_elements_of = std::invocable<F&, const ranges::element_of<C>&>;
template <class Holds, class C>
concept condition_on_elements_of = std::predicate<const Holds&, const ranges::element_of<C>&>;

}  // namespace algorithm

/// Calls f(element) on the owner. A member whose f throws throws after the barrier.
template <ranges::distributed_container C, algorithm::takes_elements_of<C> F>
void for_each(C&& container, F&& f, const site& where = site::current()) {
  algorithm::begin_container_call<std::remove_cvref_t<F>>("for_each", container, where);
  algorithm::then_barrier(container.members(), where, [&] {
    for (const auto& element : container.own_elements()) f(element);
  });
}

/// Combines f(element) and `initial`. The operation must be associative and commutative.
template <ranges::distributed_container C, class T, class Operation, class F>
  requires algorithm::combining<Operation, T> &&
           std::convertible_to<std::invoke_result_t<const F&, const ranges::element_of<C>&>, T>
[[nodiscard]] T transform_reduce_on_all(C&& container, T initial, const Operation& operation,
                                        const F& f, const site& where = site::current()) {
  return algorithm::reduce_container("transform_reduce_on_all", container, initial, operation, f,
                                     where);
}
/// By default the sum.
template <ranges::distributed_container C, class Operation = op::addition>
  requires algorithm::combining<Operation, ranges::element_of<C>>
[[nodiscard]] ranges::element_of<C> reduce_on_all(
    C&& container, std::type_identity_t<ranges::element_of<C>> initial = {},
    const Operation& operation = {}, const site& where = site::current()) {
  return algorithm::reduce_container("reduce_on_all", container, initial, operation,
                                     algorithm::itself(), where);
}

template <ranges::distributed_container C, algorithm::condition_on_elements_of<C> Holds>
[[nodiscard]] std::size_t count_if_on_all(C&& container, const Holds& holds,
                                          const site& where = site::current()) {
  return algorithm::count_elements("count_if_on_all", container, holds, where);
}
template <ranges::distributed_container C>
  requires std::equality_comparable<ranges::element_of<C>>
[[nodiscard]] std::size_t count_on_all(C&& container, const ranges::element_of<C>& value,
                                       const site& where = site::current()) {
  return algorithm::count_elements(
      "count_on_all", container, [&](const auto& element) { return element == value; }, where);
}
template <ranges::distributed_container C, algorithm::condition_on_elements_of<C> Holds>
[[nodiscard]] bool all_of_on_all(C&& container, const Holds& holds,
                                 const site& where = site::current()) {
  return algorithm::count_elements(
             "all_of_on_all", container, [&](const auto& element) { return !holds(element); },
             where) == 0;
}
template <ranges::distributed_container C, algorithm::condition_on_elements_of<C> Holds>
[[nodiscard]] bool any_of_on_all(C&& container, const Holds& holds,
                                 const site& where = site::current()) {
  return algorithm::count_elements("any_of_on_all", container, holds, where) != 0;
}
template <ranges::distributed_container C, algorithm::condition_on_elements_of<C> Holds>
[[nodiscard]] bool none_of_on_all(C&& container, const Holds& holds,
                                  const site& where = site::current()) {
  return algorithm::count_elements("none_of_on_all", container, holds, where) == 0;
}

}  // namespace acre
