#include <apps/sign/hamiltonian.hpp>

#include <acre/base/split_mix.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace acre::sign {

namespace {

/// Between -1 and 1, the same for (i, j) and (j, i).
double symmetric_number(std::uint64_t seed, std::uint64_t i, std::uint64_t j) noexcept {
  const auto [low, high] = std::minmax(i, j);
  return static_cast<double>(split_mix(split_mix(split_mix(seed) + low) + high) >> 11) * 0x1p-52 -
         1;
}

/// The block of a pair, by columns.
void fill_pair(const model& of, std::size_t row, std::size_t column, double size,
               std::vector<double>& block) {
  const std::size_t n = of.functions;
  // A matrix of random numbers between -1 and 1 has a norm of about 2 sqrt(n / 3).
  const double factor = size / (2 * std::sqrt(static_cast<double>(n) / 3));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      block[j * n + i] = factor * symmetric_number(of.seed, row * n + i, column * n + j);
      if (row == column && i == j) block[j * n + i] += i % 2 == 0 ? -1 : 1;
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

block_matrix<double> hamiltonian(const team& members, const model& of) {
  const auto sizes = block_sizes::equal(of.count(), of.functions);
  const block_distribution lies(sizes, sizes, members.size());
  block_matrix<double> h(members, lies);
  std::vector<double> block(std::size_t{of.functions} * of.functions);
  const auto columns = lies.columns_of(members.rank());
  for (const std::uint32_t i : lies.rows_of(members.rank())) {
    for (const std::uint32_t j : columns) {
      const double size = of.coupling * std::exp(-of.distance(i, j) / of.decay);
      if (i != j && size < of.cutoff) continue;
      fill_pair(of, i, j, size, block);
      h.put_block(i, j, block);
    }
  }
  h.finalise();
  return h;
}

}  // namespace acre::sign
