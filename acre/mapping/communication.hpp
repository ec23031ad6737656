// SPDX-License-Identifier: BSD-3-Clause
// Communication patterns between ranks. Grids are numbered as by MPI_Cart_create: last coordinate
// fastest.
//
// | specification          | communication                                            |
// |------------------------|----------------------------------------------------------|
// | cart:24x24x16          | periodic stencil, both neighbours in each dimension      |
// | cart:24x24x16o         | last dimension open                                      |
// | cart:24x24x16@8,8,1    | bytes by dimension, or one number                        |
// | cannon:96x96           | Cannon's multiplication                                  |
// | shifts:96x96@8,4       | step of Acre's Cannon: 8 bytes of A left, 4 of B up      |
// | rows:8x16, columns:8x16| all-to-all in each row, column                           |
// | lines:96x96@8,4        | product by one-sided reads                               |
// | layers:96x96/2x2@8,4,4 | 2.5-D product, four ranks per cell                       |
// | hypercube:7            | 2^7 ranks                                                |
#pragma once

#include <acre/mapping/known_grid.hpp>
#include <acre/mapping/traffic.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace acre::mapping {

struct communication {
  std::string name;
  std::vector<std::uint32_t> extents;  ///< rank grid; one number if unknown
  mapping::traffic traffic;
  /// Messages of each successive step, if sends block; empty: one step.
  std::vector<mapping::traffic> phases{};
  /// Rank in each cell, or `invalid_rank` (empty cell); empty: rank i in cell i.
  std::vector<rank_t> ranks_of_cells{};
  /// Description for users: "a grid of 64x32x32, with 95 % of the bytes in it".
  std::string structure{};
  /// Grids that the program created, for with_structure().
  std::vector<known_grid> known_grids{};
  /// Name of the file with the message counts.
  std::string messages_from{};
  /// Remarks for users on rejected grids.
  std::vector<std::string> remarks{};

  [[nodiscard]] rank_t rank_of(std::uint32_t cell) const {
    return ranks_of_cells.empty() ? cell : ranks_of_cells[cell];
  }
  [[nodiscard]] bool has_empty_cells() const noexcept {
    return ranks_of_cells.size() > traffic.ranks();
  }
};

[[nodiscard]] communication without_grid(std::string name, traffic flows);

/// @throws acre::error on too few slots
void require_slots(std::size_t ranks, std::size_t slots);

struct grid_dimension {
  std::uint32_t extent = 1;
  bool periodic = true;
  double bytes = 1;  ///< to each neighbour of this dimension
};

/// Each rank sends to both neighbours in each dimension.
///
/// @throws acre::error without dimensions, at an extent of 0, or at 2^31 or more ranks
[[nodiscard]] communication cartesian(std::span<const grid_dimension> dimensions);

/// Cannon's multiplication: row neighbours exchange blocks of A, column neighbours blocks of B.
/// (Cannon: A cellular computer to implement the Kalman filter algorithm, 1969.)
[[nodiscard]] communication cannon(std::uint32_t rows, std::uint32_t columns, double bytes = 1);

/// Bytes per rank of a product A B.
struct panel_bytes {
  double left = 1;
  double right = 1;
  double result = 1;  ///< of A B; used by layers() only
};

/// One step of acre::multiply() by shifts: each rank reads a block of A from the right, of B from
/// below.
[[nodiscard]] communication shifts(std::uint32_t rows, std::uint32_t columns,
                                   panel_bytes bytes = {});

/// acre::multiply() by one-sided reads: A from the row, B from the column. Phase s reads B from s
/// rows below, and the matching columns of A.
[[nodiscard]] communication lines(std::uint32_t rows, std::uint32_t columns,
                                  panel_bytes bytes = {});

/// lines() in layers: the ranks of a cell of `cell_rows` x `cell_columns` share the inner
/// dimension; each computes a partial result, then sends it to the owners. Two phases.
///
/// @throws acre::error if the grid does not divide into cells
[[nodiscard]] communication layers(std::uint32_t rows, std::uint32_t columns,
                                   std::uint32_t cell_rows, std::uint32_t cell_columns,
                                   panel_bytes bytes = {});

enum class line { row, column };
/// All-to-all within rows, or within columns.
[[nodiscard]] communication all_to_all(line along, std::uint32_t rows, std::uint32_t columns,
                                       double bytes = 1);

/// Recursive doubling: each rank sends to the ranks whose numbers differ in one bit.
///
/// @throws acre::error above 26 dimensions
[[nodiscard]] communication hypercube(unsigned dimensions, double bytes = 1);

/// Graph from the arguments of MPI_Dist_graph_create, of one or all processes, concatenated.
/// sources[i] sends to the next degrees[i] destinations.
///
/// @param weights bytes of each edge; empty: 1 (MPI_UNWEIGHTED)
/// @throws acre::error if lengths disagree, a rank is out of range, or a number is negative
[[nodiscard]] communication distributed_graph(int ranks, std::span<const int> sources,
                                              std::span<const int> degrees,
                                              std::span<const int> destinations,
                                              std::span<const int> weights = {});

/// Makes the communication of a specification (see the table).
///
/// @param slots slots of the job
/// @throws acre::error on syntax errors, too few slots, or more than 2^28 messages
[[nodiscard]] communication make_communication(std::string_view specification,
                                               std::size_t slots = std::size_t{1} << 31);

}  // namespace acre::mapping
