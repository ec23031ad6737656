// SPDX-License-Identifier: BSD-3-Clause
// Locations in an octree over the periodic unit cube, which is level 0.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace acre::amr {

inline constexpr unsigned axes = 3;
inline constexpr unsigned children_of_node = 8;
inline constexpr unsigned parts_of_face = 4;
inline constexpr unsigned deepest_level = 20;

enum class face : std::uint8_t { x_low, x_high, y_low, y_high, z_low, z_high };
inline constexpr std::array<face, 6> faces{face::x_low,  face::x_high, face::y_low,
                                           face::y_high, face::z_low,  face::z_high};

[[nodiscard]] constexpr unsigned number_of(face f) noexcept { return static_cast<unsigned>(f); }
[[nodiscard]] constexpr unsigned axis_of(face f) noexcept { return number_of(f) / 2; }
[[nodiscard]] constexpr bool is_high(face f) noexcept { return number_of(f) % 2 != 0; }
[[nodiscard]] constexpr face opposite(face f) noexcept {
  return static_cast<face>(number_of(f) ^ 1U);
}
[[nodiscard]] constexpr face face_of(unsigned axis, bool high) noexcept {
  return static_cast<face>(2 * axis + (high ? 1 : 0));
}
[[nodiscard]] constexpr std::array<unsigned, 2> axes_along(face f) noexcept {
  const unsigned across = axis_of(f);
  return {across == 0 ? 1U : 0U, across == 2 ? 1U : 2U};
}

/// True if a child is in the high half of an axis. Child bits: x 1, y 2, z 4.
[[nodiscard]] constexpr bool lies_high(unsigned child, unsigned axis) noexcept {
  return ((child >> axis) & 1U) != 0;
}
[[nodiscard]] constexpr bool touches(unsigned child, face f) noexcept {
  return lies_high(child, axis_of(f)) == is_high(f);
}
/// The child's quarter of its parent's face: 2 for the high half of the first axis along it, plus 1
/// for the second.
[[nodiscard]] constexpr unsigned part_of(unsigned child, face f) noexcept {
  const auto [first, second] = axes_along(f);
  return (lies_high(child, first) ? 2U : 0U) + (lies_high(child, second) ? 1U : 0U);
}
[[nodiscard]] constexpr unsigned child_at(face f, unsigned part) noexcept {
  const auto [first, second] = axes_along(f);
  return ((is_high(f) ? 1U : 0U) << axis_of(f)) | ((part / 2) << first) | ((part % 2) << second);
}

struct location {
  std::uint32_t level = 0;
  std::array<std::uint32_t, axes> at = {};

  friend bool operator==(const location&, const location&) = default;

  [[nodiscard]] constexpr double side() const noexcept {
    return 1.0 / static_cast<double>(std::uint32_t{1} << level);
  }
  [[nodiscard]] constexpr location parent() const noexcept {
    return {level - 1, {at[0] / 2, at[1] / 2, at[2] / 2}};
  }
  [[nodiscard]] constexpr location child(unsigned number) const noexcept {
    location found{level + 1, at};
    for (unsigned axis = 0; axis < axes; ++axis) {
      found.at[axis] = 2 * at[axis] + (lies_high(number, axis) ? 1 : 0);
    }
    return found;
  }
  [[nodiscard]] constexpr unsigned number() const noexcept {
    return (at[0] % 2) + 2 * (at[1] % 2) + 4 * (at[2] % 2);
  }
  [[nodiscard]] constexpr location across(face f) const noexcept {
    const std::uint32_t last = (std::uint32_t{1} << level) - 1;
    location found = *this;
    found.at[axis_of(f)] = (found.at[axis_of(f)] + (is_high(f) ? 1 : last)) & last;
    return found;
  }
  /// Start of its volume on the Morton curve; equal for a parent and its first child.
  [[nodiscard]] constexpr std::uint64_t curve_begin() const noexcept {
    std::uint64_t place = 0;
    for (unsigned bit = level; bit-- > 0;) {
      for (unsigned axis = axes; axis-- > 0;) place = 2 * place + ((at[axis] >> bit) & 1U);
    }
    return place << (axes * (deepest_level - level));
  }
  /// Unique key: 1 followed by the Morton index.
  [[nodiscard]] constexpr std::uint64_t key() const noexcept {
    const std::uint64_t top = std::uint64_t{1} << (axes * deepest_level);
    return (top | curve_begin()) >> (axes * (deepest_level - level));
  }
};

}  // namespace acre::amr
