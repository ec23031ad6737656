// SPDX-License-Identifier: BSD-3-Clause
// The density matrix of a Hamiltonian by its sign: P = (1 - sign(H - mu)) / 2.
//
// sign() is the limit of X = X (3 - X^2) / 2 (Newton and Schulz), which begins with the matrix
// divided by a bound of its eigenvalues; McWeeny's purification P = 3 P^2 - 2 P^3 makes the same
// steps of the density itself. Both need products of matrices only, and of matrices that fall off
// with the distance, only near blocks: J. VandeVondele, U. Borštnik, J. Hutter, "Linear scaling
// self-consistent field calculations with millions of atoms in the condensed phase" (2012).
#pragma once

#include <acre/block/block_matrix.hpp>
#include <acre/block/block_multiply.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace acre::sign {

enum class method : std::uint8_t { sign, mcweeny };

struct settings {
  method how = method::sign;
  double filter = 0;         ///< of norms of blocks and of products
  double mu = 0;             ///< states below it are filled
  double tolerance = 1e-12;  ///< of |X^2 - 1| / sqrt(n)
  unsigned most_steps = 100;
  multiply_options product{};
};

/// What a step has done, the same on all ranks but for the counts, which are sums.
struct step {
  double error = 0;      ///< |X^2 - 1| / sqrt(n), which is 4 |P^2 - P| / sqrt(n), before it
  double occupancy = 0;  ///< of the matrix
  double seconds = 0;
  std::uint64_t operations = 0;
  std::uint64_t bytes_read = 0;
};

struct outcome {
  block_matrix<double> density;
  std::vector<step> steps;
  bool has_converged = false;
};

/// It has converged when the error is below the tolerance. With a filter also when the error no
/// longer falls, and no sum of a row of |X^2 - 1| reaches 1: then no state is at mu, and the filter
/// is what the error comes from. What no longer falls otherwise, or is no number, ends it too.
/// @param watch  called after each step, on all ranks
[[nodiscard]] outcome density_of(const block_matrix<double>& hamiltonian, const settings& given,
                                 const std::function<void(const step&)>& watch = {});

/// |P^2 - P|, without a filter.
[[nodiscard]] double idempotency_error(const block_matrix<double>& density);

}  // namespace acre::sign
