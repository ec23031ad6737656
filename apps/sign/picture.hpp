// SPDX-License-Identifier: BSD-3-Clause
// Pictures of a run: how the iteration converges, and which blocks a matrix has.
#pragma once

#include <acre/block/block_matrix.hpp>

#include <apps/sign/iteration.hpp>

#include <span>
#include <string>

namespace acre::sign {

/// Errors by step, on a logarithmic scale.
/// @param path  ends in .png or .svg
/// @throws acre::error when it ends in something else, or cannot be written
void draw_convergence(std::span<const step> steps, const std::string& path);

/// A point for each block, as dark as its norm is large by its logarithm; of more than 600 rows,
/// several are one. Collective; rank 0 draws.
void draw_blocks(const block_matrix<double>& matrix, const std::string& path);

}  // namespace acre::sign
