// SPDX-License-Identifier: BSD-3-Clause
// Orders of the cells of a grid: along rows, snakes, Hilbert curves, blocks.
//
// Cells are numbered with the last coordinate fastest. All orders take grids of
// any extents and any number of dimensions, in O(cells) memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace acre::mapping {

/// A cell of a grid.
using cell_t = std::uint32_t;
/// Cells in the order in which they are visited: each once.
using order = std::vector<cell_t>;
using order_function = std::function<order(std::span<const std::uint32_t> extents)>;

/// As they are numbered.
[[nodiscard]] order rows(std::span<const std::uint32_t> extents);

/// Rows there and back, so that each cell follows one of its neighbours (boustrophedon).
[[nodiscard]] order snake(std::span<const std::uint32_t> extents);

/// Along a Hilbert curve through the smallest cube of 2^k cells a side that holds the grid; cells
/// outside the grid are left out (Skilling: Programming the Hilbert curve, 2004; Hamilton,
/// Rau-Chaplin: Compact Hilbert indices, 2008). Where extents are powers of two and equal, each
/// cell follows one of its neighbours. O(cells log cells).
/// @throws acre::error when that cube has 2^63 cells or more
[[nodiscard]] order hilbert(std::span<const std::uint32_t> extents);

/// How many blocks a grid is cut into, by dimension; those at the far borders are smaller where
/// extents are no multiples.
/// @throws acre::error when a block has no cell, or other dimensions than the grid
[[nodiscard]] std::vector<std::uint32_t> block_counts(std::span<const std::uint32_t> extents,
                                                      std::span<const std::uint32_t> block);

/// Block by block: `among` is an order of the blocks, the cells of a grid of block_counts();
/// `inside` orders the cells of a block.
[[nodiscard]] order blocks(std::span<const std::uint32_t> extents,
                           std::span<const std::uint32_t> block, std::span<const cell_t> among,
                           const order_function& inside);

/// The same order in the numbers of another grid: `cells` are of the grid whose i-th dimension is
/// that of number `which[i]` of a grid of `extents`. So a curve is laid along other axes:
/// along_axes(hilbert(turned extents), extents, which).
[[nodiscard]] order along_axes(order cells, std::span<const std::uint32_t> extents,
                               std::span<const std::uint32_t> which);

/// The extents of that grid: the i-th is extents[which[i]].
[[nodiscard]] std::vector<std::uint32_t> turned(std::span<const std::uint32_t> extents,
                                                std::span<const std::uint32_t> which);

/// Visits the orders of so many axes, the given one first; that one alone when there are more than
/// four.
void for_each_turn(std::size_t axes,
                   const std::function<void(std::span<const std::uint32_t> which)>& visit);

}  // namespace acre::mapping
