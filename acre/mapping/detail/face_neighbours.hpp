// SPDX-License-Identifier: BSD-3-Clause
// Finds the face neighbours of wide stencils with equal messages by the Jaccard index of neighbour
// sets, each including the cell: in boxes 1/2 for faces, 2/7 for diagonals, larger at borders. A
// face is therefore compared with the rank's third nearest neighbour, as nearly every rank has
// three faces.
#pragma once

#include <acre/mapping/detail/deadline.hpp>
#include <acre/mapping/detail/neighbour_lists.hpp>

namespace acre::mapping {

/// True if most neighbours share further ones.
[[nodiscard]] bool mostly_in_triangles(const neighbour_lists& neighbours);

/// O(ranks * neighbours^2) time.
///
/// @throws too_late
[[nodiscard]] neighbour_lists face_neighbours(const neighbour_lists& neighbours, deadline& end);

}  // namespace acre::mapping
