// SPDX-License-Identifier: BSD-3-Clause
// Deserialisation of values from a message.
#pragma once

#include <acre/global/wire/callable.hpp>
#include <acre/global/wire/detail/encoding.hpp>
#include <acre/global/wire/detail/load_bytes.hpp>
#include <acre/global/wire/detail/reader.hpp>
#include <acre/global/wire/detail/roomy.hpp>
#include <acre/global/wire/detail/save.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre::global {

template <class T>
T load(reader& from);

template <class Number>
Number load_number(reader& from) {
  Number number;
  std::memcpy(&number, from.take(sizeof number), sizeof number);
  return number;
}

inline bool load_flag(reader& from) {
  const auto flag = load_number<std::uint8_t>(from);
  if (flag > 1) [[unlikely]] {
    throw_bad_index(flag, 2);
  }
  return flag != 0;
}

template <class T>
T load_contiguous(reader& from) {
  using element = typename T::value_type;
  const std::size_t count = from.read_count(sizeof(element));
  from.skip_padding(element_alignment<element>);
  const std::byte* source = from.take(count * sizeof(element));
  T range;
  if constexpr (std::is_trivially_copyable_v<element> &&
                requires(const element* at) { range.assign(at, at); }) {
    if (reinterpret_cast<std::uintptr_t>(source) % alignof(element) == 0) {
      const auto* const first = reinterpret_cast<const element*>(source);
      range.assign(first, first + count);
      return range;
    }
  }
  if constexpr (requires { range.resize(count); } && std::default_initializable<element>) {
    range.resize(count);
    if (count != 0) std::memcpy(static_cast<void*>(range.data()), source, count * sizeof(element));
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      range.push_back(load_bytes<element>(source + i * sizeof(element)));
    }
  }
  return range;
}

template <class T>
T load_borrowed(reader& from) {
  using element = std::remove_cv_t<typename T::value_type>;
  static_assert(
      std::is_constructible_v<T, const element*, std::size_t>,
      "received memory is constant: receive a message_view<T>, span<const T> or string_view");
  static_assert(alignof(element) <= payload_alignment,
                "payloads are aligned to 8 bytes: receive a vector of this type");
  const std::size_t count = from.read_count(sizeof(element));
  from.skip_padding(alignof(element));
  const std::byte* source = from.take(count * sizeof(element));
  if (reinterpret_cast<std::uintptr_t>(source) % alignof(element) != 0) throw_misaligned();
  return T{reinterpret_cast<const element*>(source), count};
}

template <class T>
T load_lazily(reader& from) {
  const std::size_t count = from.read_count(bounds_of<typename T::value_type>().least);
  const auto bytes = load_number<std::uint64_t>(from);
  return T{from.take_part(bytes), count};
}

template <class T>
T load_sequence(reader& from) {
  using element = typename T::value_type;
  const reader::nested guard(from);
  const std::size_t count = from.read_count(bounds_of<element>().least);
  T range;
  if constexpr (requires { range.reserve(count); }) range.reserve(count);
  for (std::size_t i = 0; i < count; ++i) range.push_back(load<element>(from));
  return range;
}

template <class T>
T load_associative(reader& from) {
  using key = typename T::key_type;
  const reader::nested guard(from);
  const std::size_t count = from.read_count(bounds_of<key>().least);
  T range;
  if constexpr (requires { range.reserve(count); }) range.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    key next = load<key>(from);
    if constexpr (requires { typename T::mapped_type; }) {
      range.emplace_hint(range.end(), std::move(next), load<typename T::mapped_type>(from));
    } else {
      range.emplace_hint(range.end(), std::move(next));
    }
  }
  return range;
}

template <class T, std::size_t... Index>
T load_variant(reader& from, std::index_sequence<Index...>) {
  using alternatives = typename alternatives_of<T>::tuple;
  using loader = T (*)(reader&);
  static constexpr loader loaders[] = {[](reader& source) {
    return T{std::in_place_index<Index>, load<std::tuple_element_t<Index, alternatives>>(source)};
  }...};
  const auto index = load_number<std::uint8_t>(from);
  if (index >= sizeof...(Index)) throw_bad_index(index, sizeof...(Index));
  return loaders[index](from);
}

template <class T, std::size_t... Index>
T load_tuple(reader& from, std::index_sequence<Index...>) {
  if constexpr (sizeof...(Index) == 0) static_cast<void>(from.take(1));
  return T{load<std::remove_cv_t<std::tuple_element_t<Index, T>>>(from)...};
}

template <class T, std::size_t... Index>
void load_fields(reader& from, T& object, std::index_sequence<Index...>) {
  using std::get;
  if constexpr (sizeof...(Index) == 0) static_cast<void>(from.take(1));
  [[maybe_unused]] auto fields = acre_fields(object);
  (from.read_into(get<Index>(fields)), ...);
}

template <class T>
T load_default(reader& from) {
  static_assert(std::default_initializable<T>,
                "a type with acre_fields is received into a default-constructed object: add a "
                "default constructor, or replace acre_fields by acre_save and acre_load");
  T object{};
  from.read_into(object);
  return object;
}

template <class T, std::size_t... Index>
T load_array(reader& from, std::index_sequence<Index...>) {
  const auto next = [&from](std::size_t) { return load<typename T::value_type>(from); };
  return T{{next(Index)...}};
}

template <class T>
T load_class_owner(reader& from) {
  using base = std::remove_cv_t<typename T::element_type>;
  const reader::nested guard(from);
  const auto number = load_number<std::uint8_t>(from);
  if (number == 0) return T{};
  T loaded{};
  const bool is_known = class_list<base, classes_of<base>>::choose(
      number,
      [&]<class Class>(std::type_identity<Class>) { loaded = T{new Class(load<Class>(from))}; });
  if (!is_known) throw_bad_index(number, max_alternatives);
  return loaded;
}

template <class T>
T load(reader& from) {
  require_serializable<T>();
  constexpr encoding how = encoding_of<T>;
  static_assert(how != encoding::c_array, "arrays are received with read_into, or as members");
  if constexpr (how == encoding::array && !std::default_initializable<T>) {
    return load_array<T>(from, std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (how == encoding::fields || how == encoding::array) {
    return load_default<T>(from);
  } else if constexpr (how == encoding::surrogate) {
    return acre_load(std::type_identity<T>(), load<surrogate_of<T>>(from));
  } else if constexpr (how == encoding::boolean) {
    return load_flag(from);
  } else if constexpr (how == encoding::bytes) {
    return load_bytes<T>(from.take(sizeof(T)));
  } else if constexpr (how == encoding::function) {
    const auto token = load_number<callable_token>(from);
    return token == callable_token::none ? nullptr : resolve<std::remove_pointer_t<T>>(token);
  } else if constexpr (how == encoding::contiguous) {
    return load_contiguous<T>(from);
  } else if constexpr (how == encoding::borrowed) {
    return load_borrowed<T>(from);
  } else if constexpr (how == encoding::lazy_view) {
    return load_lazily<T>(from);
  } else if constexpr (how == encoding::sequence) {
    return load_sequence<T>(from);
  } else if constexpr (how == encoding::associative) {
    return load_associative<T>(from);
  } else if constexpr (how == encoding::optional) {
    const reader::nested guard(from);
    T maybe;
    if (load_flag(from)) maybe.emplace(load<typename T::value_type>(from));
    return maybe;
  } else if constexpr (how == encoding::owner) {
    const reader::nested guard(from);
    using element = std::remove_cv_t<typename T::element_type>;
    return load_flag(from) ? T{new element(load<element>(from))} : T{};
  } else if constexpr (how == encoding::class_owner) {
    return load_class_owner<T>(from);
  } else if constexpr (how == encoding::variant) {
    return load_variant<T>(from, typename alternatives_of<T>::indices{});
  } else {
    return load_tuple<T>(from, std::make_index_sequence<std::tuple_size_v<T>>{});
  }
}

}  // namespace acre::global

namespace acre {

template <class T>
T reader::read() {
  return global::load<T>(*this);
}

template <class T>
void reader::read_into(T& target) {
  constexpr global::encoding how = global::encoding_of<T>;
  if constexpr (how == global::encoding::fields) {
    global::load_fields(*this, target,
                        typename global::checked_fields<global::fields_of<T>>::indices{});
  } else if constexpr (how == global::encoding::array || how == global::encoding::c_array) {
    for (auto& element : target) read_into(element);
  } else if constexpr (how == global::encoding::bytes && global::is_large<T>) {
    std::memcpy(static_cast<void*>(&target), take(sizeof(T)), sizeof(T));
  } else {
    target = global::load<T>(*this);
  }
}

}  // namespace acre
