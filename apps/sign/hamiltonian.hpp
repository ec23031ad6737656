// SPDX-License-Identifier: BSD-3-Clause
// A Hamiltonian as linear-scaling methods meet it: atoms on a cubic lattice, a block for each pair
// of them, which falls off exponentially with their distance, and a gap between the states that
// electrons fill and those that they do not.
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
  std::array<std::uint32_t, 3> atoms{6, 6, 6};  ///< in each direction; borders are periodic
  std::uint32_t functions = 8;                  ///< of an atom: the size of its blocks
  double decay = 0.6;     ///< of a block's norm, in lattice constants: e^(-r / decay)
  double coupling = 0.3;  ///< of a pair at no distance, beside half a gap of 1
  double cutoff = 1e-10;  ///< blocks that are smaller are left out
  std::uint64_t seed = 1;

  [[nodiscard]] std::size_t count() const noexcept {
    return std::size_t{atoms[0]} * atoms[1] * atoms[2];
  }
  /// States below 0 without couplings: an atom's are at -1 and 1 in turn.
  [[nodiscard]] std::size_t occupied() const noexcept { return count() * ((functions + 1) / 2); }
  /// Between two atoms, the shortest way around the borders, in lattice constants.
  [[nodiscard]] double distance(std::size_t one, std::size_t other) const noexcept;
  /// In lattice constants; blocks of atoms that are further from each other are left out.
  [[nodiscard]] double reach() const noexcept;
  /// All atoms that may be within reach of one, and few others, in ascending order.
  [[nodiscard]] std::vector<std::uint32_t> near(std::size_t atom) const;
  /// What the blocks of the Hamiltonian take at the least.
  [[nodiscard]] double least_bytes() const noexcept;
};

/// Diagonal elements of -1 and 1 in turn, and couplings at random. As a matrix, it is symmetric.
/// Collective.
[[nodiscard]] block_matrix<double> hamiltonian(const team& members, const model& of);

/// How many states are below mu, where that is known without all eigenvalues: couplings move none
/// of -1 and 1 by more than the largest sum of a row of them, and mu is further from both.
/// Collective.
[[nodiscard]] std::optional<std::size_t> electrons_below(double mu,
                                                         const block_matrix<double>& hamiltonian,
                                                         const model& of);

}  // namespace acre::sign
