// SPDX-License-Identifier: BSD-3-Clause
// Small blocks of memory for what lives as long as an operation: states of
// futures, coroutine frames, records of what is under way. Each thread keeps a
// short list of the blocks that it has freed.
#pragma once

#include <cstddef>
#include <new>

namespace acre::runtime {

/// Memory from the calling thread's list of free blocks, or of the usual heap. It may
/// be returned by any thread. Aligned as by operator new.
[[nodiscard]] void* take_block(std::size_t bytes);
void return_block(void* block, std::size_t bytes) noexcept;

/// Whether returned blocks are used again; not under the address sanitizer.
[[nodiscard]] bool keeps_blocks() noexcept;

/// What is made with new and delete of a derived class is in such blocks.
struct pooled {
  static void* operator new(std::size_t bytes) { return take_block(bytes); }
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
