// SPDX-License-Identifier: BSD-3-Clause
// Grid of members over which a pattern distributes its dimensions.
#pragma once

#include <array>
#include <cstddef>

namespace acre {

/// Extents of the grid of members, numbered by rows; 0: chosen automatically. Those of a grid team
/// are team::spec().
template <std::size_t N>
struct team_spec {
  std::array<std::size_t, N> parts{};

  constexpr team_spec() noexcept = default;
  constexpr explicit team_spec(const std::array<std::size_t, N>& members) noexcept
      : parts(members) {}
};

}  // namespace acre
