// SPDX-License-Identifier: BSD-3-Clause
// Views of ranges in messages.
#pragma once

#include <acre/global/wire/detail/encoding.hpp>
#include <acre/global/wire/detail/reader.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace acre {

/// Contiguous elements in the sender's container, or in the received message until the receiving
/// function returns. Receiving neither allocates nor copies.
template <class T>
  requires travels_as_bytes<T>
class message_view<T> {
 public:
  using value_type = T;
  using iterator = const T*;

  static_assert(alignof(T) <= payload_alignment,
                "payloads are aligned to 8 bytes: receive a vector of this type");

  message_view() = default;
  message_view(const T* data, std::size_t size) noexcept : data_(data), size_(size) {}

  [[nodiscard]] const T* begin() const noexcept { return data_; }
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const T& operator[](std::size_t index) const noexcept { return data_[index]; }
  [[nodiscard]] const T& front() const noexcept { return data_[0]; }
  [[nodiscard]] const T& back() const noexcept { return data_[size_ - 1]; }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// View of elements that are not sent as bytes; deserialises them during iteration. For receivers
/// only (make_message_view()).
template <class T>
class message_view {
 public:
  using value_type = T;

  class iterator {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = const T*;
    using reference = const T&;

    iterator() = default;

    [[nodiscard]] const T& operator*() const noexcept { return *current_; }
    [[nodiscard]] const T* operator->() const noexcept { return &*current_; }
    iterator& operator++() {
      --left_;
      read_next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& a, const iterator& b) noexcept {
      return a.left_ == b.left_;
    }

   private:
    friend class message_view;
    iterator(reader elements, std::size_t left) : elements_(elements), left_(left) { read_next(); }

    void read_next() {
      if (left_ != 0) {
        current_.emplace(elements_.template read<T>());
      } else {
        current_.reset();
      }
    }

    reader elements_{{}};
    std::size_t left_ = 0;
    std::optional<T> current_;
  };

  message_view() = default;
  message_view(reader elements, std::size_t size) noexcept : elements_(elements), size_(size) {}

  [[nodiscard]] iterator begin() const { return {elements_, size_}; }
  [[nodiscard]] iterator end() const noexcept { return {}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

 private:
  reader elements_{{}};
  std::size_t size_ = 0;
};

}  // namespace acre

template <class T>
  requires acre::travels_as_bytes<T>
inline constexpr bool std::ranges::enable_borrowed_range<acre::message_view<T>> = true;

namespace acre {

/// The sender's range behind a message_view. Iterated twice: for the size, and for the bytes.
template <class Iterator, class Sentinel = Iterator>
class iterated_message_view {
 public:
  using value_type = std::iter_value_t<Iterator>;

  iterated_message_view(Iterator first, Sentinel last)
      : first_(std::move(first)), last_(std::move(last)) {}

  [[nodiscard]] Iterator begin() const { return first_; }
  [[nodiscard]] Sentinel end() const { return last_; }

 private:
  Iterator first_;
  Sentinel last_;
};

/// Sends [first, last) as a message_view<T>. The range must live until the sending call returns.
template <std::forward_iterator Iterator, std::sentinel_for<Iterator> Sentinel>
[[nodiscard]] auto make_message_view(Iterator first, Sentinel last) {
  using value_type = std::iter_value_t<Iterator>;
  if constexpr (travels_as_bytes<value_type> && std::contiguous_iterator<Iterator>) {
    const std::span elements(first, static_cast<std::size_t>(last - first));
    return message_view<value_type>{elements.data(), elements.size()};
  } else {
    return iterated_message_view<Iterator, Sentinel>{std::move(first), std::move(last)};
  }
}

template <class Range>
  requires requires(const Range& range) {
    range.begin();
    range.end();
  }
[[nodiscard]] auto make_message_view(const Range& range) {
  return make_message_view(range.begin(), range.end());
}

}  // namespace acre
