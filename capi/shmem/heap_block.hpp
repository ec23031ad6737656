// SPDX-License-Identifier: BSD-3-Clause
// The blocks of the symmetric heap that the program has allocated.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace acre::shmem {

/// The block in which an address lies.
[[nodiscard]] std::optional<std::span<const std::byte>> heap_block_around(const void* address);

/// How many there are.
[[nodiscard]] std::size_t heap_blocks();

/// When the heap is gone.
void forget_heap_blocks();

}  // namespace acre::shmem
