// SPDX-License-Identifier: BSD-3-Clause
// The mesh in the plane z = 1/2, each leaf in its owner's colour.
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

/// Whether a leaf is cut by the plane. Of those that touch it, the upper ones are.
[[nodiscard]] bool is_in_picture(const location& leaf) noexcept;

/// x goes to the right and y up. What is not in the picture is passed over.
/// @param path  ends in .png or .svg
/// @param owners  how many there are, each with a hue
/// @throws acre::error when it ends in something else, or cannot be written
void draw(std::span<const owned_leaf> leaves, std::uint32_t owners, const std::string& path);

}  // namespace acre::amr
