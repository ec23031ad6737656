// SPDX-License-Identifier: BSD-3-Clause
// Storage of values: in place if small, on the heap if large. A received value of 4 MiB, several
// times on the stack, would overflow 8 MiB.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace acre::global {

inline constexpr std::size_t most_on_stack = std::size_t{64} << 10;

/// Maximum size of values in calls with several copies on the stack, e.g. reductions.
inline constexpr std::size_t most_by_value = std::size_t{1} << 20;

template <class T>
inline constexpr bool is_large = sizeof(T) > most_on_stack;
template <class T>
inline constexpr bool is_large<T&> = false;

/// Result of make(), built in place. Moving a large one moves a pointer.
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
  T* value_;  // owned; unique_ptr's <memory> would be a third of the header
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
