// SPDX-License-Identifier: BSD-3-Clause
// Folds one grid into another of equally many cells: 32x32 fits into 8x8x16, as 32 = 8*4 and 16 =
// 4*4. Coordinates become digits of a reflected mixed-radix Gray code, so steps remain steps. (Ma,
// Tao: Embeddings among toruses and meshes, 1987.)
#pragma once

#include <acre/mapping/curve.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

/// [i][j]: factor of dimension i of the first grid in dimension j of the second.
using folding = std::vector<std::vector<std::uint32_t>>;

/// Returns up to `most` foldings, fewest factors above 1 first; the enumeration is limited.
[[nodiscard]] std::vector<folding> foldings(std::span<const std::uint32_t> from,
                                            std::span<const std::uint32_t> to, std::size_t most);

/// Cell of the first grid for each cell of the second.
[[nodiscard]] order folded(const folding& factors);

}  // namespace acre::mapping
