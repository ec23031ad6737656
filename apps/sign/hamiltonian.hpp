// SPDX-License-Identifier: BSD-3-Clause
// Model Hamiltonian: atoms on a cubic lattice, blocks decaying exponentially, and a gap.
#pragma once

#include <acre/block/block_matrix.hpp>
#include <acre/global/team/team.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace acre::sign {

struct model {
  std::array<std::uint32_t, 3> atoms{6, 6, 6};  ///< per direction, periodic
  std::uint32_t functions = 8;
  double decay = 0.6;     ///< block norm coupling e^(-r / decay), lattice constants
  double coupling = 0.3;  ///< block norm at distance 0; half gap: 1
  double cutoff = 1e-10;  ///< smaller blocks are omitted
  std::uint64_t seed = 1;

  [[nodiscard]] std::size_t count() const noexcept {
    return std::size_t{atoms[0]} * atoms[1] * atoms[2];
  }
  /// Uncoupled states below 0; levels alternate between -1 and 1.
  [[nodiscard]] std::size_t occupied() const noexcept { return count() * ((functions + 1) / 2); }
  /// Shortest periodic distance, in lattice constants.
  [[nodiscard]] double distance(std::size_t one, std::size_t other) const noexcept;
  /// Distance limit of blocks, in lattice constants.
  [[nodiscard]] double reach() const noexcept;
  /// All atoms within reach, and few others, ascending.
  [[nodiscard]] std::vector<std::uint32_t> near(std::size_t atom) const;
  [[nodiscard]] double least_bytes() const noexcept;
};

/// Alternating diagonal -1, 1, with random symmetric couplings.
[[nodiscard]] block_matrix<double> hamiltonian(const team& members, const model& of);

/// Number of states below mu, if provable: couplings shift levels by at most the maximum row sum.
/// Collective.
[[nodiscard]] std::optional<std::size_t> electrons_below(double mu,
                                                         const block_matrix<double>& hamiltonian,
                                                         const model& of);

}  // namespace acre::sign
