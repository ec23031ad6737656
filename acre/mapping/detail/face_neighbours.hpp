// SPDX-License-Identifier: BSD-3-Clause
// Selects the face neighbours (one step in one dimension) in wide stencils with equal messages, by
// the Jaccard index of neighbour sets: in box stencils 1/2 for faces, 2/7 for diagonals, larger at
// borders. As nearly every rank has three faces, a face must nearly reach the third largest index
// of both ranks.
#pragma once

#include <acre/mapping/detail/deadline.hpp>
#include <acre/mapping/detail/neighbour_lists.hpp>

namespace acre::mapping {

[[nodiscard]] bool mostly_in_triangles(const neighbour_lists& neighbours);

/// O(ranks * neighbours^2) time.
///
/// @throws too_late
[[nodiscard]] neighbour_lists face_neighbours(const neighbour_lists& neighbours, deadline& end);

}  // namespace acre::mapping
