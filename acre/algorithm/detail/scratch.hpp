// Plain memory of this process for copies of blocks, without an initial value: of huge pages, where
// the system has them, as it is written once and given back.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <type_traits>

namespace acre::detail {

template <class T>
class scratch {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  scratch() = default;
  explicit scratch(std::size_t size) : size_(size) {
    if (size == 0) return;
    const std::size_t bytes = size * sizeof(T);
    const std::size_t alignment = bytes >= large ? huge : 64;
    const std::size_t room = (bytes + alignment - 1) / alignment * alignment;
    memory_.reset(static_cast<T*>(std::aligned_alloc(alignment, room)));
    if (memory_ == nullptr) throw std::bad_alloc();
    if (bytes >= large) ::madvise(memory_.get(), room, MADV_HUGEPAGE);
  }

  [[nodiscard]] T* get() const noexcept { return memory_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  static constexpr std::size_t huge = std::size_t{2} << 20;
  static constexpr std::size_t large = 2 * huge;

  struct release {
    void operator()(T* memory) const noexcept { std::free(memory); }
  };
  std::unique_ptr<T[], release> memory_;
  std::size_t size_ = 0;
};

}  // namespace acre::detail
