// SPDX-License-Identifier: BSD-3-Clause
// Serialisation of values into a message.
#pragma once

#include <acre/global/wire/callable.hpp>
#include <acre/global/wire/detail/encoding.hpp>
#include <acre/global/wire/detail/reader.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace acre::global {

struct size_bounds {
  std::size_t least = 0;
  bool fixed = true;
};

template <class T>
consteval size_bounds bounds_of();

template <class... Elements>
consteval size_bounds bounds_of_all() {
  size_bounds sum;
  ((sum.least += bounds_of<Elements>().least, sum.fixed &= bounds_of<Elements>().fixed), ...);
  if (sum.least == 0) sum.least = 1;
  return sum;
}

template <class Tuple>
struct tuple_bounds;
template <template <class...> class Tuple, class... Elements>
struct tuple_bounds<Tuple<Elements...>> {
  static constexpr size_bounds value = bounds_of_all<std::remove_cvref_t<Elements>...>();
};

template <class T>
consteval size_bounds bounds_of() {
  require_serializable<T>();
  constexpr encoding how = encoding_of<T>;
  if constexpr (how == encoding::fields) {
    return tuple_bounds<fields_of<T>>::value;
  } else if constexpr (how == encoding::surrogate) {
    return bounds_of<surrogate_of<T>>();
  } else if constexpr (how == encoding::tuple) {
    return tuple_bounds<std::remove_cv_t<T>>::value;
  } else if constexpr (how == encoding::array) {
    constexpr size_bounds one = bounds_of<typename T::value_type>();
    return {one.least * std::tuple_size_v<T>, one.fixed};
  } else if constexpr (how == encoding::c_array) {
    constexpr size_bounds one = bounds_of<std::remove_extent_t<T>>();
    return {one.least * std::extent_v<T>, one.fixed};
  } else if constexpr (how == encoding::bytes) {
    return {sizeof(T), true};
  } else if constexpr (how == encoding::boolean) {
    return {1, true};
  } else if constexpr (how == encoding::function) {
    return {sizeof(callable_token), true};
  } else if constexpr (how == encoding::optional || how == encoding::owner ||
                       how == encoding::class_owner || how == encoding::variant) {
    return {1, false};
  } else {
    return {sizeof(std::uint64_t), false};
  }
}

// save() runs with a writing output; before, for values without fixed size, with a counting one.

/// Limits recursion through owners, which may be cyclic or nested deeper than a reader accepts.
class save_depth {
 public:
  /// True if an output has look_at(first, count), called before put().
  static constexpr bool looks_at_values = false;

  class nested {
   public:
    explicit nested(save_depth& out) : out_(out) {
      if (++out_.depth_ > reader::max_depth) throw_too_deep_to_send();
    }
    nested(const nested&) = delete;
    nested& operator=(const nested&) = delete;
    ~nested() { --out_.depth_; }

   private:
    save_depth& out_;
  };

 private:
  std::uint32_t depth_ = 0;
};

class byte_counter : public save_depth {
 public:
  void put(const void*, std::size_t bytes) noexcept { offset_ += bytes; }
  void pad(std::size_t alignment) noexcept {
    offset_ = (offset_ + alignment - 1) / alignment * alignment;
  }
  [[nodiscard]] std::size_t offset() const noexcept { return offset_; }
  void patch(std::size_t, std::uint64_t) noexcept {}

 private:
  std::size_t offset_ = 0;
};

enum class room { checked, known_to_suffice };

template <room Room>
class byte_writer : public save_depth {
 public:
  explicit byte_writer(std::span<std::byte> payload) noexcept
      : base_(payload.data()), cursor_(base_), end_(base_ + payload.size()) {}

  void put(const void* source, std::size_t bytes) {
    require(bytes);
    if (bytes != 0) std::memcpy(cursor_, source, bytes);
    cursor_ += bytes;
  }
  void pad(std::size_t alignment) {
    const std::size_t padding = (alignment - offset() % alignment) % alignment;
    require(padding);
    for (std::size_t i = 0; i < padding; ++i) *cursor_++ = std::byte{0};
  }
  [[nodiscard]] std::size_t offset() const noexcept {
    return static_cast<std::size_t>(cursor_ - base_);
  }
  void patch(std::size_t offset, std::uint64_t value) noexcept {
    std::memcpy(base_ + offset, &value, sizeof value);
  }

 private:
  void require(std::size_t bytes) const {
    if constexpr (Room == room::checked) {
      const auto left = static_cast<std::size_t>(end_ - cursor_);
      if (bytes > left) [[unlikely]] {
        throw_no_room(bytes, left);
      }
    }
  }

  std::byte* base_;
  std::byte* cursor_;
  std::byte* end_;
};

template <class T, class Output>
void save(Output& out, const T& value);

template <class T>
constexpr std::size_t element_alignment =
    alignof(T) < payload_alignment ? alignof(T) : payload_alignment;

template <class Number, class Output>
void save_number(Output& out, Number number) {
  out.put(&number, sizeof number);
}

template <class Output, class Tuple, std::size_t... Index>
void save_elements(Output& out, const Tuple& tuple, std::index_sequence<Index...>) {
  using std::get;
  if constexpr (sizeof...(Index) == 0) save_number(out, std::uint8_t{0});
  (save(out, get<Index>(tuple)), ...);
}

template <class Output, class Range>
void save_contiguous(Output& out, const Range& range) {
  using element = std::remove_cv_t<typename Range::value_type>;
  save_number(out, std::uint64_t{range.size()});
  out.pad(element_alignment<element>);
  if constexpr (Output::looks_at_values) out.look_at(range.data(), range.size());
  out.put(range.data(), range.size() * sizeof(element));
}

template <class Output, class Range>
std::uint64_t save_each(Output& out, const Range& range) {
  using element = typename Range::value_type;
  std::uint64_t count = 0;
  for (const element& value : range) {
    if constexpr (requires { typename Range::mapped_type; }) {
      save(out, value.first);
      save(out, value.second);
    } else {
      save(out, value);
    }
    ++count;
  }
  return count;
}

template <class Output, class Range>
void save_as_contiguous(Output& out, const Range& range) {
  const std::size_t count_at = out.offset();
  save_number(out, std::uint64_t{0});
  out.pad(element_alignment<typename Range::value_type>);
  std::uint64_t count = 0;
  for (const typename Range::value_type& value : range) {
    if constexpr (Output::looks_at_values) out.look_at(&value, 1);
    out.put(&value, sizeof value);
    ++count;
  }
  out.patch(count_at, count);
}

template <class Output, class Range>
void save_lazily(Output& out, const Range& range) {
  const std::size_t count_at = out.offset();
  save_number(out, std::uint64_t{0});
  save_number(out, std::uint64_t{0});
  const std::size_t begin = out.offset();
  out.patch(count_at, save_each(out, range));
  out.patch(count_at + sizeof(std::uint64_t), out.offset() - begin);
}

inline constexpr std::size_t max_alternatives = 255;

template <class Output, class Variant, std::size_t... Index>
void save_variant(Output& out, const Variant& variant, std::index_sequence<Index...>) {
  static_assert(sizeof...(Index) < max_alternatives,
                "a variant may have at most 254 alternatives: its index is sent as one byte");
  if (variant.valueless_by_exception()) throw_valueless();
  save_number(out, static_cast<std::uint8_t>(variant.index()));
  const auto save_if = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    if (variant.index() == I) save(out, get<I>(variant));
  };
  (save_if(std::integral_constant<std::size_t, Index>{}), ...);
}

template <class T>
using classes_of = decltype(acre_classes(std::declval<const T&>()));

template <class Base, class Classes>
struct class_list;
template <class Base, template <class...> class Tuple, class... Classes>
struct class_list<Base, Tuple<Classes*...>> {
  static_assert(sizeof...(Classes) < max_alternatives,
                "acre_classes may list at most 254 classes: the number is sent as one byte");
  static_assert(std::has_virtual_destructor_v<Base>,
                "a base of classes that are sent by a pointer needs a virtual destructor");
  template <class T>
  static constexpr bool is_sent = std::is_base_of_v<Base, T> && !std::is_abstract_v<T>;

  template <class Output>
  static void save_as(Output& out, const Base& value) {
    std::uint8_t number = 0;
    bool is_saved = false;
    const auto save_if = [&]<class T>(std::type_identity<T>) {
      ++number;
      if constexpr (is_sent<T>) {
        if (is_saved || typeid(value) != typeid(T)) return;
        is_saved = true;
        save_number(out, number);
        save(out, dynamic_cast<const T&>(value));
      }
    };
    (save_if(std::type_identity<Classes>()), ...);
    if (!is_saved) throw_unlisted_class(typeid(value), typeid(Base));
  }
  /// Calls make() with the type_identity of class `number`, from 1; false if unknown.
  template <class Make>
  static bool choose(std::uint8_t number, Make&& make) {
    std::uint8_t at = 0;
    bool is_found = false;
    const auto choose_if = [&]<class T>(std::type_identity<T> chosen) {
      if constexpr (is_sent<T>) {
        if (++at == number) {
          is_found = true;
          make(chosen);
        }
      } else {
        ++at;
      }
    };
    (choose_if(std::type_identity<Classes>()), ...);
    return is_found;
  }
};

template <class Variant>
struct alternatives_of;
template <template <class...> class Variant, class... Alternatives>
struct alternatives_of<Variant<Alternatives...>> {
  using tuple = std::tuple<Alternatives...>;
  using indices = std::index_sequence_for<Alternatives...>;
};

template <class Fields>
struct checked_fields;
template <template <class...> class Tuple, class... Fields>
struct checked_fields<Tuple<Fields...>> {
  static_assert((std::is_lvalue_reference_v<Fields> && ...) &&
                    (!std::is_const_v<std::remove_reference_t<Fields>> && ...),
                "acre_fields must return references to assignable members, as "
                "std::tie(x.a, x.b) does, and take its argument as T&");
  using indices = std::index_sequence_for<Fields...>;
};

template <class T, class Output>
void save(Output& out, const T& value) {
  require_serializable<T>();
  constexpr encoding how = encoding_of<T>;
  if constexpr (how == encoding::fields) {
    // acre_fields takes T&, but T is only read here.
    const auto fields = acre_fields(const_cast<T&>(value));
    save_elements(out, fields, typename checked_fields<fields_of<T>>::indices{});
  } else if constexpr (how == encoding::surrogate) {
    // A fixed size is not measured, so that acre_save runs once.
    if constexpr (std::is_same_v<Output, byte_counter> && bounds_of<surrogate_of<T>>().fixed) {
      out.put(nullptr, bounds_of<surrogate_of<T>>().least);
    } else {
      save<surrogate_of<T>>(out, acre_save(value));
    }
  } else if constexpr (how == encoding::boolean) {
    save_number(out, static_cast<std::uint8_t>(value));
  } else if constexpr (how == encoding::bytes) {
    if constexpr (Output::looks_at_values) out.look_at(&value, 1);
    out.put(&value, sizeof(T));
  } else if constexpr (how == encoding::function) {
    save_number(out, value == nullptr ? callable_token::none : token_of(value));
  } else if constexpr (how == encoding::contiguous) {
    save_contiguous(out, value);
  } else if constexpr (how == encoding::borrowed) {
    if constexpr (is_iterated_view<T>) {
      save_as_contiguous(out, value);
    } else {
      save_contiguous(out, value);
    }
  } else if constexpr (how == encoding::lazy_view) {
    save_lazily(out, value);
  } else if constexpr (how == encoding::sequence || how == encoding::associative) {
    const std::size_t count_at = out.offset();
    save_number(out, std::uint64_t{0});
    out.patch(count_at, save_each(out, value));
  } else if constexpr (how == encoding::optional) {
    save_number(out, static_cast<std::uint8_t>(value.has_value()));
    if (value.has_value()) save(out, *value);
  } else if constexpr (how == encoding::owner) {
    save_number(out, static_cast<std::uint8_t>(value != nullptr));
    const save_depth::nested guard(out);
    if (value != nullptr) save(out, static_cast<const typename T::element_type&>(*value));
  } else if constexpr (how == encoding::class_owner) {
    using base = std::remove_cv_t<typename T::element_type>;
    const save_depth::nested guard(out);
    if (value == nullptr) {
      save_number(out, std::uint8_t{0});
    } else {
      class_list<base, classes_of<base>>::save_as(out, *value);
    }
  } else if constexpr (how == encoding::variant) {
    save_variant(out, value, typename alternatives_of<T>::indices{});
  } else if constexpr (how == encoding::array || how == encoding::c_array) {
    for (const auto& element : value) save(out, element);
  } else if constexpr (how == encoding::tuple) {
    save_elements(out, value, std::make_index_sequence<std::tuple_size_v<T>>{});
  }
}

/// Literals are sent as strings, without final zero.
template <class T>
const T& as_sent(const T& value) noexcept {
  return value;
}
template <std::size_t Size>
std::string_view as_sent(const char (&literal)[Size]) noexcept {
  return {literal, literal[Size - 1] == '\0' ? Size - 1 : Size};
}

template <class... T>
consteval size_bounds bounds_as_sent() {
  return bounds_of_all<std::remove_cvref_t<decltype(as_sent(std::declval<const T&>()))>...>();
}

}  // namespace acre::global
