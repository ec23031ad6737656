// SPDX-License-Identifier: BSD-3-Clause
// Density matrix P = (1 - sign(H - mu)) / 2.
//
// Newton-Schulz X = X (3 - X^2) / 2 from the scaled matrix; McWeeny's P = 3 P^2 - 2 P^3 is the same
// step of the density. J. VandeVondele, U. Borštnik, J. Hutter, "Linear scaling self-consistent
// field calculations with millions of atoms in the condensed phase" (2012).
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
  double filter = 0;
  double mu = 0;             ///< states below it are filled
  double tolerance = 1e-12;  ///< of |X^2 - 1| / sqrt(n)
  unsigned most_steps = 100;
  multiply_options product{};
};

/// Result of a step; counts are sums over ranks.
struct step {
  double error = 0;  ///< |X^2 - 1| / sqrt(n) before the step
  double occupancy = 0;
  double seconds = 0;
  std::uint64_t operations = 0;
  std::uint64_t bytes_read = 0;
};

struct outcome {
  block_matrix<double> density;
  std::vector<step> steps;
  bool has_converged = false;
};

/// Converges if the error is below the tolerance; with a filter also if it stagnates while all row
/// sums of |X^2 - 1| are below 1 (no state at mu).
/// @param watch  called after each step
[[nodiscard]] outcome density_of(const block_matrix<double>& hamiltonian, const settings& given,
                                 const std::function<void(const step&)>& watch = {});

/// |P^2 - P|, unfiltered.
[[nodiscard]] double idempotency_error(const block_matrix<double>& density);

}  // namespace acre::sign
