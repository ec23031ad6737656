// SPDX-License-Identifier: BSD-3-Clause
// Parameters of overloads of collectives that only reject, with the remedy in the compiler's
// message.
#pragma once

#include <acre/global/team/collectable.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/wire/call_flaws.hpp>
#include <acre/global/wire/detail/encoding.hpp>
#include <acre/runtime/world.hpp>

#include <concepts>
#include <span>
#include <type_traits>
#include <vector>

namespace acre::global {

template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t Size>
inline constexpr bool is_span<std::span<T, Size>> = true;

enum class value_flaw {
  none,
  has_an_id,
  is_a_team,
  counts_references,
  is_an_address,
  has_no_fields
};

template <class T>
consteval value_flaw find_value_flaw() {
  if constexpr (travels_by_id<T>) {
    return value_flaw::has_an_id;
  } else if constexpr (is_of_its_rank<T>) {
    return value_flaw::is_a_team;
  } else if constexpr (is_span<T> || collectable<T>) {
    return value_flaw::none;
  } else if constexpr (std::is_pointer_v<T>) {
    return value_flaw::is_an_address;
  } else if constexpr (!serializable<T>) {
    using enum rpc_flaw;
    constexpr rpc_flaw flaw = find_type_flaw<T>();
    constexpr bool is_address =
        flaw == type_is_a_pointer || flaw == type_is_a_member_pointer || flaw == type_owns_an_array;
    return is_address ? value_flaw::is_an_address : value_flaw::has_no_fields;
  } else {
    return may_be_read_twice<T>() ? value_flaw::is_an_address : value_flaw::counts_references;
  }
}
/// Functions and arrays count as pointers.
template <class T, value_flaw Flaw>
concept has_flaw = find_value_flaw<std::decay_t<T>>() == Flaw;

// Parameters of overloads that only reject: compilers stop here and show the line.
struct a_value_that_travels {
  template <has_flaw<value_flaw::has_an_id> T>
  a_value_that_travels(const T&) = delete;  // a collection cannot be sent: send its id()
  template <has_flaw<value_flaw::is_a_team> T>
  a_value_that_travels(const T&) = delete;  // a team cannot be sent: split() returns each handle
  template <has_flaw<value_flaw::counts_references> T>
  a_value_that_travels(const T&) = delete;  // an object_ref is sent once: send its id()
  template <has_flaw<value_flaw::is_an_address> T>
  a_value_that_travels(const T&) = delete;  // no pointer or view: a std::string, vector or span
  template <has_flaw<value_flaw::has_no_fields> T>
  a_value_that_travels(const T&) = delete;  // auto acre_fields(T& x) { return std::tie(x.a, x.b); }
};
struct values_that_travel {
  template <class T>
    requires(!has_flaw<T, value_flaw::none>)
  values_that_travel(const std::vector<T>&) = delete;  // give their id(), or write acre_fields(T&)
};
template <class Operation>
struct a_value_that_combines {
  template <has_flaw<value_flaw::none> T>
    requires(!is_span<T> && !combinable<T>)
  a_value_that_combines(const T&) = delete;  // a number, a pair or a struct; std::span(v) for each
  template <combinable T>
    requires(!operation_on<Operation, T>)
  a_value_that_combines(const T&) = delete;  // op(a, b) of two values is a third, as acre::op::sum
};
template <class T>
struct an_initial_value {
  template <class Initial>
    requires(!std::convertible_to<Initial, T>)
  an_initial_value(const Initial&) = delete;  // exclusive_scan(value, initial, operation)
};
template <class Operation>
struct elements_that_combine {
  template <class T, std::size_t Size>
    requires(!reducible_in_place<T>)
  elements_that_combine(std::span<T, Size>) = delete;  // trivially copyable, not const, no pointers
  template <reducible_in_place T, std::size_t Size>
    requires(!operation_on<Operation, T>)
  elements_that_combine(std::span<T, Size>) = delete;  // op(a, b) of two is a third: acre::op::sum
};
struct elements_in_a_span {
  template <class T>
  elements_in_a_span(const std::vector<T>&) = delete;  // alltoall(std::span(v)), or alltoallv(v)
};
struct a_value_and_the_root {
  template <class T>
  a_value_and_the_root(const T&) = delete;  // the root's number follows: broadcast(value, 0)
};
struct the_root_as_a_number {
  template <class Root>
    requires(!std::convertible_to<Root, rank_t>)
  the_root_as_a_number(const Root&) = delete;  // the root follows the value: 0, or m.number()
};
struct the_team_before_the_size {
  template <std::integral... Sizes>
    requires(sizeof...(Sizes) > 0)
  the_team_before_the_size(Sizes...) = delete;  // array(team, size), matrix(team, {rows, columns})
};
struct a_vector_of_values_for_each {
  template <class T>
    requires(!std::ranges::range<T>)
  a_vector_of_values_for_each(const T&) = delete;  // a std::vector of size() elements
};

}  // namespace acre::global
