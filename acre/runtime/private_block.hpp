// SPDX-License-Identifier: BSD-3-Clause
// Blocks of this rank's private heap that go with their owners.
//
// Good for what is needed for a moment, again and again: the pages stay when a block of less than a
// huge page is given back, and other ranks may write there.
#pragma once

#include <cstddef>
#include <memory>

namespace acre::runtime {

struct free_private_block {
  void operator()(std::byte* block) const noexcept;
};
using private_block = std::unique_ptr<std::byte[], free_private_block>;

/// @return none when the heap has no room
[[nodiscard]] private_block try_private_block(std::size_t bytes,
                                              std::size_t alignment = 64) noexcept;

}  // namespace acre::runtime
