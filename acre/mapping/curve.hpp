// SPDX-License-Identifier: BSD-3-Clause
// Orders of a grid's cells along curves or by blocks, in O(cells) memory; last coordinate fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace acre::mapping {

using cell_t = std::uint32_t;
/// Permutation of a grid's cells.
using order = std::vector<cell_t>;
using order_function = std::function<order(std::span<const std::uint32_t> extents)>;

[[nodiscard]] order rows(std::span<const std::uint32_t> extents);

/// Rows back and forth; successive cells are neighbours.
[[nodiscard]] order snake(std::span<const std::uint32_t> extents);

/// Hilbert curve through the enclosing cube of side 2^k; cells outside the grid are skipped
/// (Skilling: Programming the Hilbert curve, 2004; Hamilton, Rau-Chaplin: Compact Hilbert indices,
/// 2008). Successive cells are neighbours if all extents are the same power of two. O(cells log
/// cells).
///
/// @throws acre::error if the cube has more than 2^63 cells
[[nodiscard]] order hilbert(std::span<const std::uint32_t> extents);

/// Gray-code curve: a cell's interleaved coordinate bits are the Gray code of its position
/// (Faloutsos: Gray codes for partial match and range queries, 1988). Limits and cost of hilbert().
///
/// @throws acre::error if the enclosing cube has more than 2^63 cells
[[nodiscard]] order gray_code(std::span<const std::uint32_t> extents);

/// Number of blocks in each dimension, rounded up.
///
/// @throws acre::error if `block` has an extent of 0 or another number of dimensions
[[nodiscard]] std::vector<std::uint32_t> block_counts(std::span<const std::uint32_t> extents,
                                                      std::span<const std::uint32_t> block);

/// Visits the blocks in the order `among`, the cells of each block in the order `inside`.
[[nodiscard]] order blocks(std::span<const std::uint32_t> extents,
                           std::span<const std::uint32_t> block, std::span<const cell_t> among,
                           const order_function& inside);

/// Renumbers `cells` of the grid turned(extents, which) for the grid `extents`:
/// along_axes(hilbert(turned(extents, which)), extents, which).
[[nodiscard]] order along_axes(order cells, std::span<const std::uint32_t> extents,
                               std::span<const std::uint32_t> which);

/// Permuted extents: element i is extents[which[i]].
[[nodiscard]] std::vector<std::uint32_t> turned(std::span<const std::uint32_t> extents,
                                                std::span<const std::uint32_t> which);

/// Visits permutations of the axes, identity first; above four axes only the identity.
void for_each_turn(std::size_t axes,
                   const std::function<void(std::span<const std::uint32_t> which)>& visit);

}  // namespace acre::mapping
