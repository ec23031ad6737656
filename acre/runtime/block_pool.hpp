// SPDX-License-Identifier: BSD-3-Clause
// Small blocks with the lifetime of an operation.
#pragma once

#include <cstddef>
#include <new>

namespace acre::runtime {

/// Block from the thread's free list or the heap, aligned as by operator new. Any thread
/// may return it.
[[nodiscard]] void* allocate_block(std::size_t bytes);
void return_block(void* block, std::size_t bytes) noexcept;

/// False under the address sanitizer: blocks then go to the heap at once.
[[nodiscard]] bool keeps_blocks() noexcept;

/// Base whose derived objects are allocated from these blocks.
struct pooled {
  static void* operator new(std::size_t bytes) { return allocate_block(bytes); }
  static void operator delete(void* block, std::size_t bytes) noexcept {
    return_block(block, bytes);
  }
  static void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return ::operator new(bytes, alignment);
  }
  static void operator delete(void* block, std::size_t, std::align_val_t alignment) noexcept {
    ::operator delete(block, alignment);
  }
};

}  // namespace acre::runtime
