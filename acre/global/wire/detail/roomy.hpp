// SPDX-License-Identifier: BSD-3-Clause
// A value that does not strain the stack: in place if it is small, in the heap if it is large.
//
// What travels by value would else lie on the stack of the rank that reads it, several times over;
// 4 MiB are enough to end a rank with 8 MiB of stack.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace acre::global {

/// Larger values are kept in the heap.
inline constexpr std::size_t most_on_stack = std::size_t{64} << 10;

/// What calls take that have several of a value on the stack at once, as reductions do.
inline constexpr std::size_t most_by_value = std::size_t{1} << 20;

template <class T>
inline constexpr bool is_large = sizeof(T) > most_on_stack;
template <class T>
inline constexpr bool is_large<T&> = false;

/// The result of make(). It is built in its final place; moving a large one moves a pointer.
template <class T, bool Large = is_large<T>>
class roomy {
 public:
  template <class Make>
  explicit roomy(std::in_place_t, Make&& make) : value_(make()) {}
  [[nodiscard]] T& operator*() noexcept { return value_; }

 private:
  T value_;
};
template <class T>
class roomy<T, true> {
 public:
  template <class Make>
  explicit roomy(std::in_place_t, Make&& make) : value_(new T(make())) {}
  ~roomy() { delete value_; }
  roomy(roomy&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  roomy& operator=(roomy&&) = delete;
  [[nodiscard]] T& operator*() noexcept { return *value_; }

 private:
  T* value_;  // owned; <memory> would be a third of the header
};
template <class T>
class roomy<T&, false> {
 public:
  template <class Make>
  explicit roomy(std::in_place_t, Make&& make) : value_(&make()) {}
  [[nodiscard]] T& operator*() noexcept { return *value_; }

 private:
  T* value_;
};

}  // namespace acre::global
