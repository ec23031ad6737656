// SPDX-License-Identifier: BSD-3-Clause
// Selects the encoding of a type by its shape (begin, end and push_back; ...).
#pragma once

#include <acre/global/wire/call_flaws.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

namespace acre {

template <class T>
class message_view;

template <class Iterator, class Sentinel>
class iterated_message_view;

namespace global {

/// Handles that are never sent (is_of_its_rank), or to one rank only (counts_references).
template <class T>
inline constexpr bool counts_references = false;
template <class T>
inline constexpr bool is_of_its_rank = false;
/// Only their id() is sent.
template <class T>
inline constexpr bool travels_by_id = false;

}  // namespace global

// Compilers print these names; each states the cure.

template <class T>
concept a_value_and_no_reference = !std::is_reference_v<T>;
/// An object_ref is one counted reference; keep or send the object's id().
template <class T>
concept object_refs_are_given_as_their_id = !global::counts_references<std::remove_cv_t<T>>;
/// Each member has its own handle, from split().
template <class T>
concept a_team_stays_with_its_members = !global::is_of_its_rank<std::remove_cv_t<T>>;

template <class T>
concept gives_no_handle = a_value_and_no_reference<T> && object_refs_are_given_as_their_id<T> &&
                          a_team_stays_with_its_members<T>;

namespace global {

/// Converts only to T&, not to a base: detects inherited acre_fields.
template <class T>
struct exactly {
  template <class U>
    requires std::same_as<U, T>
  operator U&() const;
};

template <class T>
concept has_own_fields =
    std::is_class_v<T> && requires(const exactly<T>& probe) { acre_fields(probe); };

template <class T>
concept has_any_fields = std::is_class_v<T> && requires(T& object) { acre_fields(object); };

template <class T>
using fields_of = decltype(acre_fields(std::declval<T&>()));

template <class T>
concept has_any_save = std::is_class_v<T> && requires(const T& object) { acre_save(object); };

template <class T>
using surrogate_of = std::remove_cvref_t<decltype(acre_save(std::declval<const T&>()))>;

/// acre_load must return T itself; one inherited from a base does not count.
template <class T>
concept has_surrogate = has_any_save<T> && requires(surrogate_of<T>&& arrived) {
  { acre_load(std::type_identity<T>(), std::move(arrived)) } -> std::same_as<T>;
};

template <class T>
concept range_like = requires(T& range) {
  range.begin();
  range.end();
  typename T::value_type;
};

/// span, string_view: the elements reside elsewhere.
template <class T>
concept borrowed_like = std::ranges::enable_borrowed_range<T> && requires(const T& range) {
  range.data();
  range.size();
  typename T::value_type;
};

template <class T>
concept sequence_like =
    range_like<T> && std::default_initializable<T> &&
    requires(T& range, typename T::value_type value) { range.push_back(std::move(value)); };

template <class T>
concept contiguous_like = sequence_like<T> && requires(T& range) {
  { range.data() } -> std::same_as<typename T::value_type*>;
  range.size();
};

template <class T>
concept associative_like =
    range_like<T> && std::default_initializable<T> &&
    requires(T& range) { typename T::key_type; } &&
    (requires(T& map, typename T::key_type key, typename T::mapped_type value) {
      map.emplace_hint(map.end(), std::move(key), std::move(value));
    } || requires(T& set, typename T::key_type key) {
      requires !requires { typename T::mapped_type; };
      set.emplace_hint(set.end(), std::move(key));
    });

template <class T>
concept optional_like = requires(T& maybe, const T& constant) {
  typename T::value_type;
  { constant.has_value() } -> std::same_as<bool>;
  *constant;
  maybe.reset();
  maybe.emplace(std::declval<typename T::value_type>());
};

template <class T>
concept owner_like = requires(T& owner, typename T::element_type* raw) {
  typename T::deleter_type;
  owner.release();
  owner.reset(raw);
};

/// True for shared_ptr, of whose owners only one is sent.
template <class T>
concept shared_owner_like = requires(T& owner, typename T::element_type* raw) {
  owner.use_count();
  owner.reset(raw);
  { owner.get() } -> std::same_as<typename T::element_type*>;
};

/// Base of classes that are sent by an owner of the base: acre_classes(base) returns a tuple of
/// pointers to them.
template <class T>
concept lists_classes = std::is_polymorphic_v<T> && requires(const T& base) { acre_classes(base); };

template <class T>
concept tuple_like = requires { std::tuple_size<T>::value; };

template <class T>
concept array_like = tuple_like<T> && range_like<T>;

template <class T>
concept reference_wrapper_like = requires(const T& wrapper) {
  typename T::type;
  { wrapper.get() } -> std::same_as<typename T::type&>;
  { wrapper } -> std::convertible_to<typename T::type&>;
};

template <class T>
struct variant_alternatives {
  static constexpr bool known = false;
};
template <template <class...> class Variant, class... Alternatives>
  requires requires(const Variant<Alternatives...>& variant) {
    variant.index();
    variant.valueless_by_exception();
  }
struct variant_alternatives<Variant<Alternatives...>> {
  static constexpr bool known = true;
};

template <class T>
inline constexpr bool is_view = false;
template <class T>
inline constexpr bool is_view<message_view<T>> = true;

template <class T>
inline constexpr bool is_iterated_view = false;
template <class Iterator, class Sentinel>
inline constexpr bool is_iterated_view<iterated_message_view<Iterator, Sentinel>> = true;

template <class T>
inline constexpr bool is_initializer_list = false;
template <class T>
inline constexpr bool is_initializer_list<std::initializer_list<T>> = true;

template <class T>
inline constexpr bool is_function_pointer =
    std::is_pointer_v<T> && std::is_function_v<std::remove_pointer_t<T>>;

template <class T>
inline constexpr bool refers_to_memory =
    std::is_pointer_v<T> || std::is_member_pointer_v<T> || std::is_null_pointer_v<T> ||
    borrowed_like<T> || std::contiguous_iterator<T> || is_initializer_list<T> ||
    reference_wrapper_like<T> || is_view<T> || is_iterated_view<T>;

template <class T>
consteval bool is_plain();

}  // namespace global

/// True if T is sent as its bytes. Specialise to true if its pointers are valid on every rank or
/// C++ does not know that it can be copied; to false to forbid it.
template <class T>
inline constexpr bool travels_as_bytes = global::is_plain<T>();

namespace global {

template <class T>
inline constexpr bool arguments_travel_as_bytes = true;
template <template <class...> class Template, class... Arguments>
inline constexpr bool arguments_travel_as_bytes<Template<Arguments...>> =
    (travels_as_bytes<Arguments> && ...);

/// True for trivially copyable types without hooks; for pairs, tuples, arrays, optionals and
/// variants if their elements are.
template <class T>
consteval bool is_plain() {
  if constexpr (!std::is_trivially_copyable_v<T> || !std::is_move_constructible_v<T> ||
                std::is_array_v<T> || refers_to_memory<T> || has_any_fields<T> || has_any_save<T>) {
    return false;
  } else if constexpr (array_like<T> || optional_like<T>) {
    return travels_as_bytes<typename T::value_type>;
  } else if constexpr (tuple_like<T> || variant_alternatives<T>::known) {
    return arguments_travel_as_bytes<T>;
  } else {
    return true;
  }
}

enum class encoding {
  none,
  fields,     ///< members in order
  surrogate,  ///< result of acre_save
  boolean,    ///< one byte, 0 or 1
  bytes,
  function,
  contiguous,   ///< count, padding, elements; for vector, string
  borrowed,     ///< as contiguous; received without copy
  lazy_view,    ///< count, bytes, elements; received without copy
  sequence,     ///< count, elements
  associative,  ///< count, keys (and values)
  optional,     ///< a flag, a value
  owner,        ///< as optional
  class_owner,  ///< number of the class, value
  variant,      ///< index, alternative
  array,
  c_array,
  tuple,
};

template <class T>
consteval encoding find_encoding() {
  if constexpr (has_surrogate<T>) {
    return encoding::surrogate;
  } else if constexpr (has_own_fields<T>) {
    return encoding::fields;
  } else if constexpr (has_any_fields<T> || has_any_save<T> || std::is_reference_v<T> ||
                       std::is_void_v<T>) {
    return encoding::none;
  } else if constexpr (std::same_as<T, bool>) {
    return encoding::boolean;
  } else if constexpr (travels_as_bytes<T>) {
    return encoding::bytes;
  } else if constexpr (is_function_pointer<T>) {
    return encoding::function;
  } else if constexpr (std::is_array_v<T>) {
    return encoding::c_array;
  } else if constexpr (is_iterated_view<T>) {
    if constexpr (travels_as_bytes<typename T::value_type>) return encoding::borrowed;
    return encoding::lazy_view;
  } else if constexpr (is_view<T>) {
    if constexpr (borrowed_like<T>) return encoding::borrowed;
    return encoding::lazy_view;
  } else if constexpr (borrowed_like<T>) {
    return travels_as_bytes<std::remove_cv_t<typename T::value_type>> ? encoding::borrowed
                                                                      : encoding::none;
  } else if constexpr (contiguous_like<T>) {
    if constexpr (travels_as_bytes<typename T::value_type>) return encoding::contiguous;
    return encoding::sequence;
  } else if constexpr (associative_like<T>) {
    return encoding::associative;
  } else if constexpr (sequence_like<T>) {
    return encoding::sequence;
  } else if constexpr (optional_like<T>) {
    return encoding::optional;
  } else if constexpr (owner_like<T> || shared_owner_like<T>) {
    constexpr bool owns_one = requires(const T& owner) { *owner; };
    using element = std::remove_cv_t<typename T::element_type>;
    if constexpr (!owns_one) {
      return encoding::none;
    } else if constexpr (std::is_polymorphic_v<element>) {
      return lists_classes<element> ? encoding::class_owner : encoding::none;
    } else {
      return encoding::owner;
    }
  } else if constexpr (variant_alternatives<T>::known) {
    return encoding::variant;
  } else if constexpr (array_like<T>) {
    return encoding::array;
  } else if constexpr (tuple_like<T>) {
    return encoding::tuple;
  } else {
    return encoding::none;
  }
}

template <class T>
inline constexpr encoding encoding_of = find_encoding<std::remove_cv_t<T>>();

template <class T>
consteval bool can_travel();

template <class Tuple>
struct all_elements;
template <template <class...> class Tuple, class... Elements>
struct all_elements<Tuple<Elements...>> {
  static constexpr bool can_travel = (global::can_travel<Elements>() && ...);
};

/// True if T can be sent. Does not look into acre_fields, acre_save and owners, through which a
/// type may contain itself; these are checked when written.
template <class T>
consteval bool can_travel() {
  constexpr encoding how = encoding_of<T>;
  if constexpr (how == encoding::none) {
    return false;
  } else if constexpr (how == encoding::associative) {
    if constexpr (requires { typename T::mapped_type; }) {
      return can_travel<typename T::key_type>() && can_travel<typename T::mapped_type>();
    } else {
      return can_travel<typename T::key_type>();
    }
  } else if constexpr (how == encoding::contiguous || how == encoding::sequence ||
                       how == encoding::optional || how == encoding::array ||
                       how == encoding::lazy_view || how == encoding::borrowed) {
    return can_travel<std::remove_cv_t<typename T::value_type>>();
  } else if constexpr (how == encoding::c_array) {
    return can_travel<std::remove_extent_t<T>>();
  } else if constexpr (how == encoding::variant || how == encoding::tuple) {
    return all_elements<std::remove_cv_t<T>>::can_travel;
  } else {
    return true;
  }
}

template <class T>
consteval rpc_flaw find_type_flaw() {
  using type = std::remove_cv_t<T>;
  if constexpr (travels_by_id<type>) {
    return rpc_flaw::type_stays_with_its_makers;
  } else if constexpr (is_of_its_rank<type>) {
    return rpc_flaw::type_is_a_team;
  } else if constexpr (std::is_reference_v<type>) {
    return rpc_flaw::type_is_a_reference;
  } else if constexpr (std::is_member_pointer_v<type>) {
    return rpc_flaw::type_is_a_member_pointer;
  } else if constexpr (std::is_pointer_v<type> || std::contiguous_iterator<type> ||
                       std::is_null_pointer_v<type> || reference_wrapper_like<type>) {
    return rpc_flaw::type_is_a_pointer;
  } else if constexpr (has_any_fields<type> && !has_own_fields<type>) {
    return rpc_flaw::type_inherits_its_fields;
  } else if constexpr (has_any_save<type>) {
    return rpc_flaw::type_has_no_load;
  } else if constexpr (owner_like<type> || shared_owner_like<type>) {
    return rpc_flaw::type_owns_an_array;
  } else {
    return rpc_flaw::type_is_unknown;
  }
}

template <class T>
consteval void require_serializable() {
  if constexpr (encoding_of<std::remove_cv_t<T>> == encoding::none) {
    explain_call<find_type_flaw<T>(), T>();
  }
}

}  // namespace global
}  // namespace acre
