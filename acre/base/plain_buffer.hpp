// Plain memory for elements that travel as their bytes.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>

namespace acre::detail {

/// Room for elements that are copied as their bytes; not initialised.
template <class T>
class plain_buffer {
 public:
  plain_buffer() = default;
  explicit plain_buffer(std::size_t count)
      : elements_(std::allocator<T>().allocate(count), deleter{count}), count_(count) {}

  [[nodiscard]] T* data() const noexcept { return elements_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::span<T> span() const noexcept { return {data(), count_}; }

 private:
  struct deleter {
    std::size_t count = 0;
    void operator()(T* elements) const noexcept { std::allocator<T>().deallocate(elements, count); }
  };
  std::unique_ptr<T, deleter> elements_;
  std::size_t count_ = 0;
};

template <class T>
void move_elements(T* to, std::span<const T> from) noexcept {
  if (to != from.data() && !from.empty()) std::memmove(to, from.data(), from.size_bytes());
}

}  // namespace acre::detail
