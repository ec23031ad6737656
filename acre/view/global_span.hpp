// SPDX-License-Identifier: BSD-3-Clause
// Contiguous elements in the memory of one rank; does not own them, valid on all ranks.
#pragma once

#include <acre/base/checks.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/view/random_steps.hpp>
#include <acre/view/range_faults.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <span>
#include <type_traits>

namespace acre {

template <class T>
class global_span {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;

  class iterator : public view::random_steps<iterator, T, global_ref<T>> {
   public:
    using iterator_category = std::random_access_iterator_tag;

    iterator() = default;
    iterator(global_ptr<T> at, T* own) noexcept : at_(at), own_(own) {}

    [[nodiscard]] global_ref<T> operator*() const noexcept { return {at_, own_}; }
    [[nodiscard]] global_ref<T> operator[](std::ptrdiff_t distance) const noexcept {
      return *(*this + distance);
    }
    [[nodiscard]] global_ptr<T> pointer() const noexcept { return at_; }

    iterator& operator+=(std::ptrdiff_t distance) noexcept {
      at_ += distance;
      if (own_ != nullptr) own_ += distance;
      return *this;
    }
    friend std::ptrdiff_t operator-(const iterator& a, const iterator& b) noexcept {
      return a.at_ - b.at_;
    }
    friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.at_ == b.at_; }
    friend auto operator<=>(const iterator& a, const iterator& b) noexcept {
      return a.at_ <=> b.at_;
    }

   private:
    global_ptr<T> at_;
    T* own_ = nullptr;
  };

  constexpr global_span() noexcept = default;
  constexpr global_span(global_ptr<T> first, std::size_t count) noexcept
      : first_(first), count_(count) {}
  template <class U>
    requires(!std::same_as<U, T> && std::convertible_to<U (*)[], T (*)[]>)
  constexpr global_span(const global_span<U>& other) noexcept
      : global_span(other.data(), other.size()) {}

  /// Owner of the memory: a rank of the job.
  [[nodiscard]] constexpr rank_t rank() const noexcept { return first_.rank(); }
  [[nodiscard]] constexpr global_ptr<T> data() const noexcept { return first_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return count_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return count_ == 0; }

  [[nodiscard]] iterator begin() const noexcept { return {first_, own()}; }
  [[nodiscard]] iterator end() const noexcept {
    return begin() + static_cast<std::ptrdiff_t>(count_);
  }
  /// Cost: R or W; l for own elements.
  [[nodiscard]] global_ref<T> operator[](std::size_t index) const noexcept(!base::has_checks) {
    if constexpr (base::has_checks) {
      if (index >= count_) [[unlikely]] {
        view::throw_no_element("global_span", index, count_);
      }
    }
    return begin()[static_cast<std::ptrdiff_t>(index)];
  }

  /// True if not empty and in this rank's memory.
  [[nodiscard]] bool is_own() const noexcept { return count_ != 0 && rank() == acre::rank(); }
  /// True if empty, or local() returns the elements (same node).
  [[nodiscard]] bool is_local() const noexcept(!base::has_checks) {
    return count_ == 0 || first_.is_local();
  }
  /// Local memory; empty if not mapped here.
  [[nodiscard]] std::span<T> local() const noexcept(!base::has_checks) {
    T* const here = count_ == 0 ? nullptr : first_.local();
    return here == nullptr ? std::span<T>() : std::span<T>(here, count_);
  }

  /// Requires first + count <= size().
  [[nodiscard]] constexpr global_span subspan(std::size_t first, std::size_t count) const noexcept {
    return {first_ + static_cast<std::ptrdiff_t>(first), count};
  }

 private:
  [[nodiscard]] T* own() const noexcept {
    return is_own() ? reinterpret_cast<T*>(runtime::direct_address(first_.bits())) : nullptr;
  }

  global_ptr<T> first_;
  std::size_t count_ = 0;
};

}  // namespace acre

template <class T>
inline constexpr bool std::ranges::enable_view<acre::global_span<T>> = true;
template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<acre::global_span<T>> = true;
