// SPDX-License-Identifier: BSD-3-Clause
// Copies, packs and unpacks boxes in local memory.
#pragma once

#include <acre/fabric/box.hpp>

#include <cstddef>
#include <cstdint>

namespace acre::fabric {

struct box_part {
  box shape;
  std::size_t first;
  std::size_t count;

  [[nodiscard]] std::size_t bytes() const noexcept { return count * shape.run_bytes(); }
  [[nodiscard]] bool lies_in(std::uint64_t offset, std::uint64_t bytes) const noexcept {
    return first <= shape.runs() && count <= shape.runs() - first && shape.lies_in(offset, bytes);
  }
};

void copy_to_remote(std::byte* remote, const std::byte* local, const box& shape) noexcept;
void copy_to_local(std::byte* local, const std::byte* remote, const box& shape) noexcept;

void pack_remote(std::byte* packed, const std::byte* remote, const box_part& part) noexcept;
void pack_local(std::byte* packed, const std::byte* local, const box_part& part) noexcept;
void unpack_remote(std::byte* remote, const std::byte* packed, const box_part& part) noexcept;
void unpack_local(std::byte* local, const std::byte* packed, const box_part& part) noexcept;

}  // namespace acre::fabric
