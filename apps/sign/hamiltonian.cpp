// SPDX-License-Identifier: BSD-3-Clause
#include <apps/sign/hamiltonian.hpp>

#include <acre/base/split_mix.hpp>
#include <acre/block/block_algebra.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace acre::sign {

namespace {

/// Random number in [-1, 1], equal for (i, j) and (j, i).
double symmetric_number(std::uint64_t seed, std::uint64_t i, std::uint64_t j) noexcept {
  const auto [low, high] = std::minmax(i, j);
  return static_cast<double>(split_mix(split_mix(split_mix(seed) + low) + high) >> 11) * 0x1p-52 -
         1;
}

constexpr double level_of(std::size_t function) noexcept { return function % 2 == 0 ? -1 : 1; }

void fill_pair(const model& of, std::size_t row, std::size_t column, double size,
               std::vector<double>& block) {
  const std::size_t n = of.functions;
  // The norm of uniform random matrices in [-1, 1] is about 2 sqrt(n / 3).
  const double factor = size / (2 * std::sqrt(static_cast<double>(n) / 3));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      block[j * n + i] = factor * symmetric_number(of.seed, row * n + i, column * n + j);
      if (row == column && i == j) block[j * n + i] += level_of(i);
    }
  }
}

}  // namespace

double model::distance(std::size_t one, std::size_t other) const noexcept {
  double squares = 0;
  for (std::size_t d = 3; d-- > 0;) {
    const auto x = static_cast<double>(one % atoms[d]);
    const auto y = static_cast<double>(other % atoms[d]);
    const double straight = std::abs(x - y);
    const double around = static_cast<double>(atoms[d]) - straight;
    squares += std::min(straight, around) * std::min(straight, around);
    one /= atoms[d];
    other /= atoms[d];
  }
  return std::sqrt(squares);
}

double model::reach() const noexcept {
  if (cutoff == 0) return INFINITY;
  return coupling <= cutoff ? 0 : decay * std::log(coupling / cutoff);
}

std::vector<std::uint32_t> model::near(std::size_t atom) const {
  const double far = reach() + 1;
  std::vector<std::uint32_t> found{0};
  std::size_t below = count();
  for (const std::uint32_t extent : atoms) {
    below /= extent;
    const auto at = static_cast<std::uint32_t>(atom / below % extent);
    std::vector<std::uint32_t> longer;
    for (const std::uint32_t first : found) {
      for (std::uint32_t x = 0; x < extent; ++x) {
        const std::uint32_t straight = std::max(x, at) - std::min(x, at);
        if (std::min(straight, extent - straight) <= far) longer.push_back(first * extent + x);
      }
    }
    found = std::move(longer);
  }
  return found;
}

double model::least_bytes() const noexcept {
  // Side of the cube inside the sphere of radius `reach`.
  const double edge = 2 * std::floor(reach() / std::sqrt(3.0)) + 1;
  double blocks = static_cast<double>(count());
  for (const std::uint32_t extent : atoms) blocks *= std::min(edge, static_cast<double>(extent));
  return blocks * functions * functions * sizeof(double);
}

block_matrix<double> hamiltonian(const team& members, const model& of) {
  const auto sizes = block_sizes::equal(of.count(), of.functions);
  const block_distribution lies(sizes, sizes, members);
  block_matrix<double> h(members, lies);
  std::vector<double> block(std::size_t{of.functions} * of.functions);
  for (const std::uint32_t i : lies.rows_of(members.rank())) {
    for (const std::uint32_t j : of.near(i)) {
      if (lies.owner(i, j) != members.rank()) continue;
      const double size = of.coupling * std::exp(-of.distance(i, j) / of.decay);
      if (i != j && size < of.cutoff) continue;
      fill_pair(of, i, j, size, block);
      h.put_block(i, j, block);
    }
  }
  h.finalise();
  return h;
}

std::optional<std::size_t> electrons_below(double mu, const block_matrix<double>& hamiltonian,
                                           const model& of) {
  block_matrix<double> couplings = copy(hamiltonian);
  std::vector<double> levels = diagonal(couplings);
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] -= level_of(i % of.functions);
  set_diagonal(couplings, levels);
  // 1e-7 exceeds the rounding error.
  const double shift = largest_row_sum(couplings) + 1e-7;
  if (mu < -1 - shift) return 0;
  if (mu > 1 + shift) return hamiltonian.rows().elements();
  return std::abs(mu) + shift < 1 ? std::optional(of.occupied()) : std::nullopt;
}

}  // namespace acre::sign
