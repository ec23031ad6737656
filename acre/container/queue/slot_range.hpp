// SPDX-License-Identifier: BSD-3-Clause
// A queue's values in place, on its host: a random-access range over a ring of slots.
//
//     auto values = queue.local();
//     std::sort(values.begin(), values.end());
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>

namespace acre {

/// References to values in slots that may wrap around. Copies are cheap; valid as local() states.
template <class T>
class slot_range {
  struct ring {
    std::byte* values = nullptr;
    std::size_t slot_bytes = 0;
    std::uint64_t mask = 0;

    [[nodiscard]] T& operator[](std::uint64_t place) const noexcept {
      return *std::launder(reinterpret_cast<T*>(values + (place & mask) * slot_bytes));
    }
  };

 public:
  class iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = T*;
    using reference = T&;

    iterator() = default;
    iterator(const ring& slots, std::uint64_t place) noexcept : slots_(slots), place_(place) {}

    reference operator*() const noexcept { return slots_[place_]; }
    pointer operator->() const noexcept { return &slots_[place_]; }
    reference operator[](difference_type n) const noexcept {
      return slots_[place_ + static_cast<std::uint64_t>(n)];
    }

    iterator& operator++() noexcept { return *this += 1; }
    iterator& operator--() noexcept { return *this -= 1; }
    iterator operator++(int) noexcept {
      iterator before = *this;
      ++*this;
      return before;
    }
    iterator operator--(int) noexcept {
      iterator before = *this;
      --*this;
      return before;
    }
    iterator& operator+=(difference_type n) noexcept {
      place_ += static_cast<std::uint64_t>(n);
      return *this;
    }
    iterator& operator-=(difference_type n) noexcept { return *this += -n; }
    friend iterator operator+(iterator at, difference_type n) noexcept { return at += n; }
    friend iterator operator+(difference_type n, iterator at) noexcept { return at += n; }
    friend iterator operator-(iterator at, difference_type n) noexcept { return at -= n; }
    friend difference_type operator-(const iterator& a, const iterator& b) noexcept {
      return static_cast<difference_type>(a.place_ - b.place_);
    }
    friend bool operator==(const iterator& a, const iterator& b) noexcept {
      return a.place_ == b.place_;
    }
    friend std::strong_ordering operator<=>(const iterator& a, const iterator& b) noexcept {
      return a - b <=> 0;
    }

   private:
    ring slots_;
    std::uint64_t place_ = 0;
  };

  slot_range() = default;
  /// @param values  the value in the first slot; those of further slots at multiples of
  /// `slot_bytes`
  /// @param mask    number of slots, a power of two, minus 1
  /// @param first   slot of the oldest value
  slot_range(std::byte* values, std::size_t slot_bytes, std::uint64_t mask, std::uint64_t first,
             std::uint64_t size) noexcept
      : slots_{values, slot_bytes, mask}, first_(first), size_(size) {}

  [[nodiscard]] iterator begin() const noexcept { return {slots_, first_}; }
  [[nodiscard]] iterator end() const noexcept { return {slots_, first_ + size_}; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] T& operator[](std::uint64_t i) const noexcept { return slots_[first_ + i]; }

 private:
  ring slots_;
  std::uint64_t first_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace acre

template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<acre::slot_range<T>> = true;
