// SPDX-License-Identifier: BSD-3-Clause
// Reference density matrix from dense eigenvectors: LAPACK on one rank, if built in.
#pragma once

#include <acre/block/block_matrix.hpp>

#include <cstddef>
#include <optional>

namespace acre::sign {

struct dense_comparison {
  double difference = 0;  ///< Frobenius norm of the difference
  double below = 0;       ///< energy of the highest filled state
  double above = 0;       ///< energy of the lowest empty state
  std::size_t occupied = 0;
  double energy = 0;
};

[[nodiscard]] bool can_compare_with_dense() noexcept;
/// dsyevd's workspace, 1 + 6 n + 2 n^2, must fit an int.
inline constexpr std::size_t most_dense_rows = 32'766;

/// Collective. Rank 0 needs four dense matrices and n^3 time.
/// @return equal on all ranks; empty without LAPACK
[[nodiscard]] std::optional<dense_comparison> compare_with_dense(
    const block_matrix<double>& hamiltonian, const block_matrix<double>& density, double mu);

}  // namespace acre::sign
