// SPDX-License-Identifier: BSD-3-Clause
// The density matrix once more, from the eigenvectors of the dense Hamiltonian: by LAPACK, on one
// rank, where programs are built with it.
#pragma once

#include <acre/block/block_matrix.hpp>

#include <cstddef>
#include <optional>

namespace acre::sign {

struct dense_comparison {
  double difference = 0;  ///< |P - P of eigenvectors|, of Frobenius
  double below = 0;       ///< the highest filled state
  double above = 0;       ///< the lowest empty one
  std::size_t occupied = 0;
  double energy = 0;  ///< the sum of filled states
};

/// Whether there is a LAPACK.
[[nodiscard]] bool can_compare_with_dense() noexcept;
/// More make the room that LAPACK's dsyevd asks for, 1 + 6 n + 2 n^2, larger than an int.
inline constexpr std::size_t most_dense_rows = 32'766;

/// Collective. Rank 0 needs room for three dense matrices, and n^3 time.
/// @return the same on all ranks; nothing where there is no LAPACK
[[nodiscard]] std::optional<dense_comparison> compare_with_dense(
    const block_matrix<double>& hamiltonian, const block_matrix<double>& density, double mu);

}  // namespace acre::sign
