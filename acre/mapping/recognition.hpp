// Structure in traffic of which only the numbers are known, as a trace has them.
//
// What is done for a grid of ranks can be done for traffic from a file when one knows in which grid
// its ranks stand. Looked for, in this order:
//  - a grid in which the ranks are numbered row by row, as MPI_Cart_create numbers them, from the
//    differences of the numbers of ranks that talk;
//  - a grid, a torus or a hypercube, whatever the order of its ranks (detail/grid_growth.hpp);
//  - rows, columns, or both, each of which talks all to all;
//  - a tree, a path or a ring: its ranks in an order in which those that are near each other follow
//    each other.
// A part of the neighbours may be missing, and some traffic may go elsewhere. Where the heavier
// messages have a structure which all of them together have not, that one is found.
#pragma once

#include <acre/mapping/communication.hpp>

#include <optional>
#include <string>
#include <vector>

namespace acre::mapping {

struct recognised_structure {
  std::string name;                    ///< "a grid of 64x32x32"
  std::vector<std::uint32_t> extents;  ///< their product is the number of ranks
  std::vector<rank_t> ranks;           ///< in each cell, the last coordinate running fastest
  double explained = 0;                ///< the part of all bytes that is between neighbours
};

/// O(flows * (peers of a rank)^2) time; nothing is looked for where that is above a billion, or a
/// rank has more than 64 peers on the average. Ranks of very many peers get the places that are
/// left.
[[nodiscard]] std::optional<recognised_structure> recognise(const traffic& flows);

/// The same communication with a grid, where it had none: one of those that the program made, when
/// enough of the traffic keeps to it; or the one that is found. Its remarks say which was not
/// taken.
[[nodiscard]] communication with_structure(communication what);

}  // namespace acre::mapping
