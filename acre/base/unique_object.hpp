// SPDX-License-Identifier: BSD-3-Clause
// std::unique_ptr without `<memory>`, which includes the streams.
#pragma once

#include <cstddef>
#include <utility>

namespace acre::base {

template <class T>
class unique_object {
 public:
  unique_object() = default;
  unique_object(std::nullptr_t) noexcept {}
  explicit unique_object(T* made) noexcept : object_(made) {}
  unique_object(unique_object&& other) noexcept : object_(other.release()) {}
  unique_object& operator=(unique_object&& other) noexcept {
    const unique_object ending(std::exchange(object_, other.release()));
    return *this;
  }
  ~unique_object() {
    static_assert(requires { sizeof(T); }, "T must be complete when its owner is destroyed");
    delete object_;
  }

  [[nodiscard]] T* get() const noexcept { return object_; }
  [[nodiscard]] T& operator*() const noexcept { return *object_; }
  [[nodiscard]] T* operator->() const noexcept { return object_; }
  [[nodiscard]] explicit operator bool() const noexcept { return object_ != nullptr; }
  friend bool operator==(const unique_object& one, std::nullptr_t) noexcept {
    return one.object_ == nullptr;
  }

  [[nodiscard]] T* release() noexcept { return std::exchange(object_, nullptr); }
  void reset() noexcept { unique_object ending(std::move(*this)); }

 private:
  T* object_ = nullptr;
};

template <class T, class... Arguments>
[[nodiscard]] unique_object<T> make_unique_object(Arguments&&... arguments) {
  return unique_object<T>(new T(std::forward<Arguments>(arguments)...));
}

}  // namespace acre::base
