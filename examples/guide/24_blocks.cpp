// SPDX-License-Identifier: BSD-3-Clause
// Inverts a matrix of molecules in a row by Newton's iteration, which needs only products. Each
// atom has a block of its own, and one with each atom that is near enough to matter.
#include <acre/block/block_algebra.hpp>
#include <acre/block/block_multiply.hpp>
#include <acre/global/team/team.hpp>
#include <acre/launch/job.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

using block_matrix = acre::block_matrix<double>;

/// Water: 13 functions of the oxygen, 5 of each hydrogen.
acre::block_sizes atoms_of(std::size_t molecules) {
  std::vector<std::uint32_t> sizes;
  for (std::size_t i = 0; i < molecules; ++i) sizes.insert(sizes.end(), {13, 5, 5});
  return acre::block_sizes(std::move(sizes));
}

/// Any rank puts any block; finalise() gives each to its owner.
block_matrix overlaps(const acre::block_sizes& atoms) {
  block_matrix s(acre::world(), {atoms, atoms, acre::size()}, acre::block_symmetry::symmetric);
  for (std::size_t i = acre::rank(); i < atoms.blocks(); i += acre::size()) {
    for (std::size_t j = i; j < atoms.blocks() && j < i + 12; ++j) {
      const double near = std::exp(-static_cast<double>(j - i));
      std::vector<double> block(std::size_t{atoms.size_of(i)} * atoms.size_of(j), 0.02 * near);
      for (std::size_t e = 0; i == j && e < atoms.size_of(i); ++e) {
        block[e * atoms.size_of(i) + e] = 1;
      }
      s.put_block(i, j, block);
    }
  }
  s.finalise();
  return s;
}

/// X becomes 2 X - X S X until it converges.
block_matrix inverse(const block_matrix& s, double filter) {
  block_matrix x(s.members(), s.distribution());
  acre::add_on_diagonal(x, 1.0);
  block_matrix rest(s.members(), s.distribution());
  double last = 2 * std::sqrt(static_cast<double>(s.rows().elements()));
  while (true) {
    acre::multiply(-1.0, s, x, 0.0, rest, {.filter = filter});
    acre::add_on_diagonal(rest, 1.0);  // 1 - S X
    const double now = acre::frobenius_norm(rest);
    if (now < 1e-10 || now > 0.5 * last) return x;
    last = now;
    block_matrix next = acre::copy(x);
    acre::multiply(1.0, x, rest, 1.0, next, {.filter = filter});
    x = std::move(next);
  }
}

int main() {
  const acre::job job;
  const acre::block_sizes atoms = atoms_of(60);
  const block_matrix s = overlaps(atoms);
  if (acre::rank() == 0)
    std::printf("%zu functions in %zu blocks\n", atoms.elements(), atoms.blocks());

  for (const double filter : {0.0, 1e-9, 1e-6}) {
    const block_matrix x = inverse(s, filter);
    block_matrix error(s.members(), s.distribution());
    const acre::multiply_report said = acre::multiply(1.0, s, x, 0.0, error);
    acre::add_on_diagonal(error, -1.0);
    const double norm = acre::frobenius_norm(error);
    const double occupancy = acre::occupancy(x);
    const auto products = acre::world().allreduce(said.products);
    if (acre::rank() == 0) {
      std::printf(
          "filter %g: %.0f %% of the inverse, %llu products of blocks, error below 1e%.0f\n",
          filter, 100 * occupancy, static_cast<unsigned long long>(products),
          std::ceil(std::log10(std::max(norm, 1e-10))));
    }
  }
}
