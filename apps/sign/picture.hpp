// SPDX-License-Identifier: BSD-3-Clause
// Pictures of convergence and block structure.
#pragma once

#include <acre/block/block_matrix.hpp>

#include <apps/sign/iteration.hpp>

#include <span>
#include <string>

namespace acre::sign {

/// Error per step, logarithmic.
/// @param path  ends in .png or .svg
/// @throws acre::error on another suffix, or if it cannot be written
void draw_convergence(std::span<const step> steps, const std::string& path);

/// A point per block, darker for larger log norms; above 600 block rows, points are merged.
/// Collective; rank 0 draws.
void draw_blocks(const block_matrix<double>& matrix, const std::string& path);

}  // namespace acre::sign
