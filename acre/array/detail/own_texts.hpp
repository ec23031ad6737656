// SPDX-License-Identifier: BSD-3-Clause
// Views of strings that are contiguous in local memory.
#pragma once

#include <acre/view/random_steps.hpp>

#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <string_view>

namespace acre::arrays {

class own_texts : public std::ranges::view_base {
 public:
  class iterator : public acre::view::numbered_steps<iterator, std::string_view> {
   public:
    using iterator_category = std::input_iterator_tag;

    iterator() = default;
    iterator(const own_texts& of, std::size_t number) noexcept
        : begin_(of.begin_), bytes_(of.bytes_), number_(number) {}

    [[nodiscard]] std::string_view operator*() const noexcept { return (*this)[0]; }
    [[nodiscard]] std::string_view operator[](std::ptrdiff_t n) const noexcept {
      const std::size_t* const at = begin_ + number_ + n;
      return {bytes_ + at[0], at[1] - at[0]};
    }
    iterator& operator+=(std::ptrdiff_t n) noexcept {
      number_ += static_cast<std::size_t>(n);
      return *this;
    }
    [[nodiscard]] std::size_t number() const noexcept { return number_; }

   private:
    const std::size_t* begin_ = nullptr;
    const char* bytes_ = nullptr;
    std::size_t number_ = 0;
  };

  own_texts() = default;
  /// @param offsets  places of the strings in `bytes`, and their end; may be empty
  own_texts(std::span<const std::size_t> offsets, const char* bytes) noexcept
      : begin_(offsets.data()), size_(offsets.empty() ? 0 : offsets.size() - 1), bytes_(bytes) {}

  [[nodiscard]] iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] iterator end() const noexcept { return {*this, size_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept {
    return begin()[static_cast<std::ptrdiff_t>(i)];
  }

 private:
  const std::size_t* begin_ = nullptr;
  std::size_t size_ = 0;
  const char* bytes_ = nullptr;
};

}  // namespace acre::arrays

template <>
inline constexpr bool std::ranges::enable_borrowed_range<acre::arrays::own_texts> = true;
