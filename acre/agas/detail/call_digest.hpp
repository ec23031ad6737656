// SPDX-License-Identifier: BSD-3-Clause
// Digest of the function and arguments of a collective call, equal for equal values
// (same_call.hpp). Types of lambdas, classes with padding or pointers, and unordered containers are
// not compared.
#pragma once

#include <acre/agas/detail/member_call.hpp>
#include <acre/agas/gid.hpp>
#include <acre/base/bits.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/wire/serialization.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ranges>
#include <span>
#include <tuple>
#include <type_traits>
#include <typeinfo>

namespace acre::agas {

class call_digest {
 public:
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

  template <class T>
  call_digest& add(const T& value) {
    if constexpr (std::floating_point<T>) {
      add_number(value);
    } else if constexpr (requires {
                           { value.name() } -> std::convertible_to<gid>;
                         }) {
      const gid name = value.name();
      add_word(name.id());
      add_word(name.home());
    } else if constexpr (has_order<T>()) {
      add_range(value);
    } else if constexpr (are_bytes_equal<T>) {
      add_bytes(std::as_bytes(std::span(&value, 1)));
    } else if constexpr (requires { std::tuple_size<T>::value; }) {
      std::apply([&](const auto&... each) { (add(each), ...); }, value);
    }
    return *this;
  }

  template <class F>
  call_digest& add_function(const F& function) {
    if constexpr (std::is_class_v<F> && !is_member_call<F>) {
      add_word(global::number_of_operation(typeid(F)));
      if constexpr (!std::is_empty_v<F>) add(function);
    } else {
      const auto bytes = serialize(function);
      add_bytes(bytes);
    }
    return *this;
  }

 private:
  /// False for views, whose bytes contain an address.
  template <class T>
  static constexpr bool are_bytes_equal =
      std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T> &&
      !std::is_pointer_v<T> && !global::holds_view<T>();

  template <class T>
  static consteval bool has_order() {
    return std::ranges::forward_range<const T> && !requires { typename T::hasher; };
  }
  template <class Range>
  void add_range(const Range& range) {
    using value = std::ranges::range_value_t<const Range>;
    if constexpr (std::ranges::contiguous_range<const Range> && are_bytes_equal<value>) {
      add_bytes(std::as_bytes(std::span(std::ranges::data(range), std::ranges::size(range))));
    } else {
      std::uint64_t count = 0;
      for (const auto& each : range) {
        add(each);
        ++count;
      }
      add_word(count);
    }
  }
  /// +0 equals −0, and all NaNs are equal.
  template <std::floating_point T>
  void add_number(T value) noexcept {
    if (value != value) return add_word(1);
    const double wide = value == 0 ? 0.0 : static_cast<double>(value);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &wide, sizeof bits);
    add_word(bits);
  }
  void add_bytes(std::span<const std::byte> bytes) noexcept {
    add_word(bytes.size());
    for (; bytes.size() >= sizeof(std::uint64_t); bytes = bytes.subspan(sizeof(std::uint64_t))) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data(), sizeof word);
      add_word(word);
    }
    std::uint64_t rest = 0;
    if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
    add_word(rest);
  }
  void add_word(std::uint64_t word) noexcept { number_ = mix_bits(number_ + word + 1); }

  std::uint64_t number_ = 0;
};

}  // namespace acre::agas
