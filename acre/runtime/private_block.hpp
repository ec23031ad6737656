// SPDX-License-Identifier: BSD-3-Clause
// Owned private blocks for repeated short use: small blocks keep their pages.
#pragma once

#include <cstddef>
#include <memory>

namespace acre::runtime {

struct free_private_block {
  void operator()(std::byte* block) const noexcept;
};
using private_block = std::unique_ptr<std::byte[], free_private_block>;

[[nodiscard]] private_block try_private_block(std::size_t bytes,
                                              std::size_t alignment = 64) noexcept;

}  // namespace acre::runtime
