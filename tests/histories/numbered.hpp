// SPDX-License-Identifier: BSD-3-Clause
// Numbers in types of many sizes, to detect torn values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace histories {

/// a torn value
inline constexpr std::uint64_t broken = ~std::uint64_t{0};

template <class T>
struct numbered;

template <>
struct numbered<std::uint64_t> {
  static std::uint64_t make(std::uint64_t number) { return number; }
  static std::uint64_t number(std::uint64_t value) { return value; }
};

template <std::size_t Words>
struct numbered<std::array<std::uint64_t, Words>> {
  static std::array<std::uint64_t, Words> make(std::uint64_t number) {
    std::array<std::uint64_t, Words> value;
    value.fill(number);
    return value;
  }
  static std::uint64_t number(const std::array<std::uint64_t, Words>& value) {
    for (const std::uint64_t each : value) {
      if (each != value[0]) return broken;
    }
    return value[0];
  }
};

template <>
struct numbered<std::string> {
  static std::string make(std::uint64_t number) {
    return std::to_string(number) + std::string(number % 300, '.');
  }
  static std::uint64_t number(const std::string& value) {
    const std::uint64_t number = std::stoull(value);
    return value == make(number) ? number : broken;
  }
};

}  // namespace histories
