// SPDX-License-Identifier: BSD-3-Clause
// std::shared_ptr without `<memory>` (unique_object.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace acre::base {

/// Reference counts are thread-safe, pointers are not.
template <class T>
class shared_object {
  struct counted {
    template <class... Arguments>
    explicit counted(Arguments&&... arguments) : object(std::forward<Arguments>(arguments)...) {}

    std::atomic<std::size_t> owners{1};
    T object;
  };

 public:
  shared_object() = default;
  shared_object(const shared_object& other) noexcept : held_(other.held_) {
    if (held_ != nullptr) held_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  shared_object(shared_object&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  shared_object& operator=(shared_object other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~shared_object() {
    if (held_ != nullptr && held_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete held_;
    }
  }

  template <class... Arguments>
  [[nodiscard]] static shared_object make(Arguments&&... arguments) {
    shared_object made;
    made.held_ = new counted(std::forward<Arguments>(arguments)...);
    return made;
  }

  [[nodiscard]] T* get() const noexcept { return held_ == nullptr ? nullptr : &held_->object; }
  [[nodiscard]] T& operator*() const noexcept { return held_->object; }
  [[nodiscard]] T* operator->() const noexcept { return &held_->object; }
  friend bool operator==(const shared_object&, const shared_object&) noexcept = default;
  friend bool operator==(const shared_object& one, std::nullptr_t) noexcept {
    return one.held_ == nullptr;
  }

 private:
  counted* held_ = nullptr;
};

}  // namespace acre::base
