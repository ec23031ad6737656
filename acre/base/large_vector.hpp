// SPDX-License-Identifier: BSD-3-Clause
// Vectors in huge pages, for buffers written once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace acre::base {

/// Allocates aligned memory; requests huge pages from 4 MiB on.
template <class T>
struct huge_page_allocator {
  using value_type = T;

  huge_page_allocator() = default;
  template <class U>
  huge_page_allocator(const huge_page_allocator<U>&) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    constexpr std::size_t huge = std::size_t{2} << 20;
    constexpr std::size_t large = 2 * huge;
    if (count > (std::size_t{PTRDIFF_MAX} - huge) / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t bytes = std::max<std::size_t>(count, 1) * sizeof(T);
    const std::size_t alignment = bytes >= large ? huge : 64;
    const std::size_t room = (bytes + alignment - 1) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, room);
    if (memory == nullptr) throw std::bad_alloc();
    if (bytes >= large) ::madvise(memory, room, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }

  template <class U>
  bool operator==(const huge_page_allocator<U>&) const noexcept {
    return true;
  }
};

template <class T>
using large_vector = std::vector<T, huge_page_allocator<T>>;

}  // namespace acre::base
