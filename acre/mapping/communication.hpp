// SPDX-License-Identifier: BSD-3-Clause
// Communications: who talks to whom in the usual algorithms, and the
// grid in which the ranks stand while they do.
//
// Ranks of a grid are numbered as MPI_Cart_create numbers them: the last
// coordinate runs fastest. Bytes count once a round of the communication.
//
// | specification              | communication |
// |----------------------------|-----------------------------------------------------------------|
// | cart:24x24x16              | each rank to both neighbours in each dimension, around borders  |
// | cart:24x24x16o             | the last dimension open: no neighbours across its border        |
// | cart:24x24x16@8,8,1        | bytes by direction; one number for all will do                  |
// | cannon:96x96               | Cannon's multiplication: left and up, and from right and below  |
// | shifts:96x96@8,4           | a step of Acre's Cannon: 8 bytes of A to the left, 4 of B up    |
// | rows:8x16, columns:8x16    | all to all in each row, in each column                          |
// | lines:96x96@8,4            | in both: a product whose ranks read what they need of A and B   |
// | layers:96x96/2x2@8,4,4     | the same in 2.5-D: four ranks share their parts of the result   |
// | hypercube:7                | each of 2^7 ranks to those whose number differs in one bit      |
#pragma once

#include <acre/mapping/known_grid.hpp>
#include <acre/mapping/traffic.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace acre::mapping {

struct communication {
  std::string name;
  std::vector<std::uint32_t> extents;  ///< of the grid of ranks; one number when there is no grid
  mapping::traffic traffic;
  /// The same traffic in the steps that follow each other when sends block: one direction of a
  /// stencil after the other. Nothing when all is one step.
  std::vector<mapping::traffic> phases{};
  /// The rank in each cell of the grid, or nobody; none: the i-th rank is in the i-th cell.
  std::vector<rank_t> ranks_of_cells{};
  /// What was found where no grid was known: "a grid of 64x32x32, with 95 % of the bytes in it".
  std::string structure{};
  /// Those that the program has made; whether the traffic keeps to them, with_structure() finds
  /// out.
  std::vector<known_grid> known_grids{};
  /// What the numbers of messages were read from, where they were.
  std::string messages_from{};
  /// What is to be said of the grids, a sentence each.
  std::vector<std::string> remarks{};

  [[nodiscard]] rank_t rank_of(std::uint32_t cell) const {
    return ranks_of_cells.empty() ? cell : ranks_of_cells[cell];
  }
  [[nodiscard]] bool has_empty_cells() const noexcept {
    return ranks_of_cells.size() > traffic.ranks();
  }
};

/// Traffic of ranks that stand in no grid.
[[nodiscard]] communication without_grid(std::string name, traffic flows);

/// @throws acre::error when there are more ranks than slots
void require_slots(std::size_t ranks, std::size_t slots);

/// One dimension of a grid of ranks.
struct grid_dimension {
  std::uint32_t extent = 1;
  bool periodic = true;
  double bytes = 1;  ///< sent to each neighbour in this dimension
};

/// A stencil: each rank sends to both neighbours in each dimension.
/// @throws acre::error when there is no dimension, one without extent, or 2^31 ranks and more
[[nodiscard]] communication cartesian(std::span<const grid_dimension> dimensions);

/// The shifts of Cannon's algorithm: A one to the left, B one up; with both directions of each, as
/// when blocks are sent and received at once (Cannon, A cellular computer to implement the Kalman
/// filter algorithm, 1969).
[[nodiscard]] communication cannon(std::uint32_t rows, std::uint32_t columns, double bytes = 1);

/// What each rank of a grid holds of the factors of a product A B, in bytes.
struct panel_bytes {
  double left = 1;
  double right = 1;
  double result = 1;  ///< in layers: what a rank holds of A B
};

/// A step of acre::multiply() by shifts: each rank reads the panel of A of its right neighbour and
/// that of B of its lower one. Half of cannon(), where panels come from both sides.
[[nodiscard]] communication shifts(std::uint32_t rows, std::uint32_t columns,
                                   panel_bytes bytes = {});

/// All of acre::multiply() by one-sided reads: each rank reads A of all ranks of its row, and B of
/// all ranks of its column. In phase s of as many as there are rows it reads B of the rank s rows
/// further down, and of A the columns that meet it.
[[nodiscard]] communication lines(std::uint32_t rows, std::uint32_t columns,
                                  panel_bytes bytes = {});

/// The same in layers: cells of cell_rows x cell_columns ranks each make the result of all their
/// ranks, each rank from its share of the inner indices, and then give it to those whose it is.
/// Two phases, the reads and the shares of the result.
/// @throws acre::error when the grid has no such cells
[[nodiscard]] communication layers(std::uint32_t rows, std::uint32_t columns,
                                   std::uint32_t cell_rows, std::uint32_t cell_columns,
                                   panel_bytes bytes = {});

enum class line { row, column };
/// All to all among the ranks of each row, or of each column.
[[nodiscard]] communication all_to_all(line along, std::uint32_t rows, std::uint32_t columns,
                                       double bytes = 1);

/// Butterflies, recursive doubling: each rank to those that differ in one bit.
[[nodiscard]] communication hypercube(unsigned dimensions, double bytes = 1);

/// What MPI_Dist_graph_create is told, with the same arguments: of one process, or those of all
/// processes behind each other. Source i sends to the next degrees[i] of the destinations.
/// @param weights bytes of each edge; none: 1 each, MPI_UNWEIGHTED
/// @throws acre::error when the lengths do not agree, a rank is not below `ranks`, or a degree or a
///         weight is negative
[[nodiscard]] communication distributed_graph(int ranks, std::span<const int> sources,
                                              std::span<const int> degrees,
                                              std::span<const int> destinations,
                                              std::span<const int> weights = {});

/// Makes the communication that a specification names.
/// @param slots of the job: a communication of more ranks is not begun
/// @throws acre::error that says where the specification is wrong, when there are more ranks than
///         slots, or more than 2^28 messages
[[nodiscard]] communication make_communication(std::string_view specification,
                                               std::size_t slots = std::size_t{1} << 31);

}  // namespace acre::mapping
