// SPDX-License-Identifier: BSD-3-Clause
// Blocks that the program allocated in the symmetric heap.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace acre::shmem {

[[nodiscard]] std::optional<std::span<const std::byte>> heap_block_around(const void* address);

[[nodiscard]] std::size_t heap_blocks();

void forget_heap_blocks();

}  // namespace acre::shmem
