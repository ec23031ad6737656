// SPDX-License-Identifier: BSD-3-Clause
// Which neighbours of a stencil with diagonals, or of more than one step in each direction, differ
// by one step in one dimension, where all of its messages are of the same size.
//
// Two cells share more of their neighbours the nearer they are. Let each have itself as a neighbour
// as well, and take the part of the neighbours of either that are those of both (Jaccard: Étude
// comparative de la distribution florale, 1901): of a box of 3x3 or 3x3x3 cells it is 1/2 for
// faces, 2/7 for diagonals; of a star of two steps in each of three directions 2/11 and 3/23. At
// borders all are larger. So what counts is what else a rank has: a face is nearly as near as its
// third nearest neighbour, for each rank has three faces but those in the corners of a plane.
#pragma once

#include <acre/mapping/detail/deadline.hpp>
#include <acre/mapping/detail/neighbour_lists.hpp>

namespace acre::mapping {

/// Whether most pairs of neighbours have others in common, as in such stencils.
[[nodiscard]] bool mostly_in_triangles(const neighbour_lists& neighbours);

/// O(ranks * neighbours^2) time.
/// @throws too_late
[[nodiscard]] neighbour_lists face_neighbours(const neighbour_lists& neighbours, deadline& end);

}  // namespace acre::mapping
