// SPDX-License-Identifier: BSD-3-Clause
// Folding one grid into another of as many cells and other dimensions.
//
// Each extent of the first grid is cut into factors, each extent of the second is
// made of them: a 32x32 grid fits into 8x8x16 as (8*4)x(8*4) = 8 x 8 x (4*4). A
// coordinate becomes digits of these factors, and each digit goes to the dimension
// that its factor belongs to. Digits run back and forth (a reflected mixed-radix
// Gray code), so that a step in the first grid changes one digit by one, and so
// moves along one dimension only. (Ma, Tao: Embeddings among toruses and meshes,
// 1987, use such codes for the grids that they treat.)
#pragma once

#include <acre/mapping/curve.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

/// Factors: [i][j] is the part that dimension i of the first grid has in dimension j of the second.
/// The rows multiply to the extents of the first grid, the columns to those of the second.
using folding = std::vector<std::vector<std::uint32_t>>;

/// The ways to fold a grid into another, at most `most` of them; none when their cells differ in
/// number, or no factors fit. Those that share the fewest dimensions come first.
[[nodiscard]] std::vector<folding> foldings(std::span<const std::uint32_t> from,
                                            std::span<const std::uint32_t> to, std::size_t most);

/// For each cell of the second grid, the cell of the first that is folded there.
[[nodiscard]] order folded(const folding& factors);

}  // namespace acre::mapping
