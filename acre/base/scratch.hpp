// SPDX-License-Identifier: BSD-3-Clause
// Uninitialised buffers in huge pages.
#pragma once

#include <acre/base/large_vector.hpp>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <type_traits>

namespace acre::base {

template <class T>
class scratch {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  scratch() = default;
  explicit scratch(std::size_t size) : size_(size) {
    if (size != 0) memory_.reset(huge_page_allocator<T>().allocate(size));
  }

  [[nodiscard]] T* get() const noexcept { return memory_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  struct release {
    void operator()(T* memory) const noexcept { std::free(memory); }
  };
  std::unique_ptr<T[], release> memory_;
  std::size_t size_ = 0;
};

}  // namespace acre::base
