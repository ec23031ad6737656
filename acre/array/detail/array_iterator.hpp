// Walks over the elements of an array, whoever holds them. Any rank may have its own.
#pragma once

#include <acre/array/detail/array_memory.hpp>
#include <acre/base/checks.hpp>
#include <acre/base/site.hpp>
#include <acre/global/global_ptr.hpp>
#include <acre/global/put_get.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>

namespace acre::detail {

template <class T, class Kind>
class array_iterator {
 public:
  using value_type = std::remove_const_t<T>;
  using difference_type = std::ptrdiff_t;
  using reference = global_ref<T>;
  // What *i gives is no T&; as for vector<bool>, classic algorithms do all that they need with it.
  using iterator_category = std::random_access_iterator_tag;
  using iterator_concept = std::random_access_iterator_tag;

  array_iterator() = default;
  array_iterator(const array_memory<Kind>* elements, std::size_t index) noexcept
      : elements_(elements), index_(index) {}
  /// From an iterator that may write to one that may not.
  template <class U>
    requires std::same_as<const U, T>
  array_iterator(array_iterator<U, Kind> other) noexcept
      : elements_(other.elements_), index_(other.index_) {}

  [[nodiscard]] global_ref<T> operator*() const noexcept(!has_checks) {
    return global_ref<T>(pointer({}));
  }
  [[nodiscard]] global_ref<T> operator[](difference_type distance) const noexcept(!has_checks) {
    return *(*this + distance);
  }
  /// The element's global pointer.
  [[nodiscard]] global_ptr<T> pointer(const site& where = site::current()) const
      noexcept(!has_checks) {
    elements_->check(index_, "iterator", where);
    return elements_->template pointer<T>(index_);
  }
  /// The element's index in the array.
  [[nodiscard]] std::size_t index() const noexcept { return index_; }

  array_iterator& operator+=(difference_type distance) noexcept {
    index_ += static_cast<std::size_t>(distance);
    return *this;
  }
  array_iterator& operator-=(difference_type distance) noexcept {
    index_ -= static_cast<std::size_t>(distance);
    return *this;
  }
  array_iterator& operator++() noexcept { return *this += 1; }
  array_iterator& operator--() noexcept { return *this -= 1; }
  array_iterator operator++(int) noexcept {
    const array_iterator before = *this;
    ++*this;
    return before;
  }
  array_iterator operator--(int) noexcept {
    const array_iterator before = *this;
    --*this;
    return before;
  }
  friend array_iterator operator+(array_iterator i, difference_type n) noexcept { return i += n; }
  friend array_iterator operator+(difference_type n, array_iterator i) noexcept { return i += n; }
  friend array_iterator operator-(array_iterator i, difference_type n) noexcept { return i -= n; }
  friend difference_type operator-(const array_iterator& a, const array_iterator& b) noexcept {
    return static_cast<difference_type>(a.index_ - b.index_);
  }
  friend bool operator==(const array_iterator& a, const array_iterator& b) noexcept {
    return a.index_ == b.index_;
  }
  friend auto operator<=>(const array_iterator& a, const array_iterator& b) noexcept {
    return a.index_ <=> b.index_;
  }

 private:
  template <class U, class K>
  friend class array_iterator;

  const array_memory<Kind>* elements_ = nullptr;
  std::size_t index_ = 0;
};

}  // namespace acre::detail
