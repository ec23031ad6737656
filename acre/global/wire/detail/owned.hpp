// SPDX-License-Identifier: BSD-3-Clause
// Owning types in place of views, for results and arguments.
#pragma once

#include <acre/global/wire/serialization.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace acre {

template <class T>
class future;

namespace global {

template <class T>
struct owned {
  using type = received_t<T>;
};
template <std::size_t Size>
struct owned<char[Size]> {
  using type = std::string;
};
template <class T, std::size_t Extent>
struct owned<std::span<T, Extent>> {
  using type = std::vector<std::remove_const_t<T>>;
};
template <>
struct owned<std::string_view> {
  using type = std::string;
};
template <class T>
using owned_t = typename owned<std::remove_cvref_t<T>>::type;

template <class Kind, class T, class... Around>
consteval bool holds();

template <class Kind, class Tuple, class... Around>
inline constexpr bool element_holds = false;
template <class Kind, template <class...> class Tuple, class... Elements, class... Around>
inline constexpr bool element_holds<Kind, Tuple<Elements...>, Around...> =
    (holds<Kind, std::remove_cvref_t<Elements>, Around...>() || ...);

/// True if T is, or contains, a type for which Kind::is<T> is true. `Around`: enclosing types,
/// which end the recursion.
template <class Kind, class T, class... Around>
consteval bool holds() {
  constexpr encoding how = encoding_of<T>;
  if constexpr ((std::is_same_v<T, Around> || ...)) {
    return false;
  } else if constexpr (Kind::template is<T>) {
    return true;
  } else if constexpr (how == encoding::fields) {
    return element_holds<Kind, fields_of<T>, T, Around...>;
  } else if constexpr (how == encoding::surrogate) {
    if constexpr (Kind::is_seen_in_surrogates) {
      return holds<Kind, std::remove_cvref_t<surrogate_of<T>>, T, Around...>();
    } else {
      return false;
    }
  } else if constexpr (how == encoding::variant || how == encoding::tuple) {
    return element_holds<Kind, T, T, Around...>;
  } else if constexpr (how == encoding::owner) {
    return holds<Kind, std::remove_cv_t<typename T::element_type>, T, Around...>();
  } else if constexpr (how == encoding::associative) {
    if constexpr (requires { typename T::mapped_type; }) {
      return holds<Kind, typename T::key_type, T, Around...>() ||
             holds<Kind, typename T::mapped_type, T, Around...>();
    } else {
      return holds<Kind, typename T::key_type, T, Around...>();
    }
  } else if constexpr (how == encoding::c_array) {
    return holds<Kind, std::remove_cv_t<std::remove_extent_t<T>>, T, Around...>();
  } else if constexpr (how == encoding::sequence || how == encoding::optional ||
                       how == encoding::array) {
    return holds<Kind, std::remove_cv_t<typename T::value_type>, T, Around...>();
  } else {
    return false;
  }
}

struct views {
  template <class T>
  static constexpr bool is =
      encoding_of<T> == encoding::borrowed || encoding_of<T> == encoding::lazy_view;
  static constexpr bool is_seen_in_surrogates = false;
};

template <class T>
consteval bool holds_view() {
  return holds<views, T>();
}

/// True if a T can be deserialised only once, because its bytes transfer a reference.
template <class T>
inline constexpr bool travels_once = false;

struct valuables {
  template <class T>
  static constexpr bool is = travels_once<T>;
  static constexpr bool is_seen_in_surrogates = true;
};

template <class T>
consteval bool may_be_read_twice() {
  return !holds<valuables, T>();
}

/// Owning type with the encoding of T, if that is or contains a view; else T.
template <class T>
struct owned_result {
  using type = T;
};
template <class T>
using owned_result_t = typename owned_result<std::remove_cvref_t<T>>::type;

template <std::size_t Size>
struct owned_result<char[Size]> {
  using type = std::string;
};
template <class Character, class Traits>
struct owned_result<std::basic_string_view<Character, Traits>> {
  using type = std::basic_string<Character, Traits>;
};
template <class T>
  requires(encoding_of<T> == encoding::borrowed &&
           !std::is_same_v<std::remove_cv_t<typename T::value_type>, bool>)
struct owned_result<T> {
  using type = std::vector<std::remove_cv_t<typename T::value_type>>;
};
template <class T>
  requires(holds_view<T>() && encoding_of<std::vector<T>> == encoding::sequence)
struct owned_result<std::vector<T>> {
  using type = std::vector<owned_result_t<T>>;
};
template <template <class...> class Holder, class... Elements>
  requires(holds_view<Holder<Elements...>>() &&
           (encoding_of<Holder<Elements...>> == encoding::tuple ||
            encoding_of<Holder<Elements...>> == encoding::optional ||
            encoding_of<Holder<Elements...>> == encoding::variant))
struct owned_result<Holder<Elements...>> {
  using type = Holder<owned_result_t<Elements>...>;
};
template <template <class, std::size_t> class Array, class T, std::size_t Size>
  requires(holds_view<T>() && encoding_of<Array<T, Size>> == encoding::array)
struct owned_result<Array<T, Size>> {
  using type = Array<owned_result_t<T>, Size>;
};

/// As owned_result, for a whole argument or result: lazy views become vectors too. Inside other
/// types they are not supported.
template <class T>
struct whole_result : owned_result<T> {};
template <class T>
  requires(encoding_of<T> == encoding::lazy_view)
struct whole_result<T> {
  using type = std::vector<typename T::value_type>;
};
template <class T>
using whole_result_t = typename whole_result<std::remove_cvref_t<T>>::type;

template <class T>
[[nodiscard]] whole_result_t<T> deserialize_whole(std::span<const std::byte> bytes) {
  if constexpr (encoding_of<T> == encoding::lazy_view) {
    const auto elements = deserialize<received_t<T>>(bytes);
    whole_result_t<T> copies;
    copies.reserve(elements.size());
    for (const auto& each : elements) copies.push_back(each);
    return copies;
  } else {
    return deserialize<whole_result_t<T>>(bytes);
  }
}

}  // namespace global
}  // namespace acre
