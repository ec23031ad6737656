// SPDX-License-Identifier: BSD-3-Clause
// Picture of the mesh in the plane z = 1/2, leaves coloured by owner.
#pragma once

#include <apps/amr/location.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace acre::amr {

struct owned_leaf {
  location where;
  std::uint32_t owner = 0;
};

/// True if the plane cuts the leaf; of touching leaves, the upper ones.
[[nodiscard]] bool is_in_picture(const location& leaf) noexcept;

/// x points right, y up.
/// @param path  ends in .png or .svg
/// @throws acre::error on another suffix, or if it cannot be written
void draw(std::span<const owned_leaf> leaves, std::uint32_t owners, const std::string& path);

}  // namespace acre::amr
