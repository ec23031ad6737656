// Plain memory of this process for copies of blocks, without an initial value: of huge pages, where
// the system has them, as it is written once and given back.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <type_traits>
#include <utility>

namespace acre::detail {

template <class T>
class scratch {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  scratch() = default;
  explicit scratch(std::size_t size) {
    if (size == 0) return;
    const std::size_t bytes = size * sizeof(T);
    const std::size_t alignment = bytes >= large ? huge : 64;
    const std::size_t room = (bytes + alignment - 1) / alignment * alignment;
    memory_ = static_cast<T*>(std::aligned_alloc(alignment, room));
    if (memory_ == nullptr) throw std::bad_alloc();
    if (bytes >= large) ::madvise(memory_, room, MADV_HUGEPAGE);
    size_ = size;
  }
  scratch(scratch&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  scratch& operator=(scratch&& other) noexcept {
    if (this != &other) {
      std::free(memory_);
      memory_ = std::exchange(other.memory_, nullptr);
      size_ = std::exchange(other.size_, 0);
    }
    return *this;
  }
  ~scratch() { std::free(memory_); }

  [[nodiscard]] T* get() const noexcept { return memory_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  static constexpr std::size_t huge = std::size_t{2} << 20;
  static constexpr std::size_t large = 2 * huge;

  T* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace acre::detail
