// SPDX-License-Identifier: BSD-3-Clause
// Uninitialised buffers for elements that are transferred as bytes.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace acre::base {

/// Uninitialised memory for trivially copyable elements.
template <class T>
class plain_buffer {
  using allocator = typename std::vector<T>::allocator_type;

 public:
  plain_buffer() = default;
  explicit plain_buffer(std::size_t count)
      : elements_(allocator().allocate(count)), count_(count) {}
  plain_buffer(plain_buffer&& other) noexcept
      : elements_(std::exchange(other.elements_, nullptr)),
        count_(std::exchange(other.count_, 0)) {}
  plain_buffer& operator=(plain_buffer&& other) noexcept {
    plain_buffer taken(std::move(other));
    std::swap(elements_, taken.elements_);
    std::swap(count_, taken.count_);
    return *this;
  }
  ~plain_buffer() {
    if (elements_ != nullptr) allocator().deallocate(elements_, count_);
  }

  [[nodiscard]] T* data() const noexcept { return elements_; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::span<T> span() const noexcept { return {data(), count_}; }

 private:
  T* elements_ = nullptr;
  std::size_t count_ = 0;
};

template <class T>
void move_elements(T* to, std::span<const T> from) noexcept {
  if (to != from.data() && !from.empty()) std::memmove(to, from.data(), from.size_bytes());
}

}  // namespace acre::base
