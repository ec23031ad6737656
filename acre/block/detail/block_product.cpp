// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/block_product.hpp>

#include <acre/base/cache_bytes.hpp>

#include <algorithm>
#include <cmath>

namespace acre::block_matrices {

namespace {

constexpr double largest_tile = 256;

constexpr double wanted_uses = 6;

}  // namespace

std::size_t tile_size(const tile_inputs& of) {
  static const double second = static_cast<double>(base::cache_bytes(2));
  static const double third = static_cast<double>(base::cache_bytes(3));
  const double of_block = std::max(1.0, of.block_bytes * of.density);
  const double least = std::sqrt(second * 3 / 8 / of_block);
  const double most = std::sqrt(second * 3 / 2 / of_block);
  const bool stay_near = of.factor_bytes < third / 2;
  const double wanted = wanted_uses / std::max(of.factor_density, 1e-6);
  const double side = stay_near ? least : std::clamp(wanted, least, most);
  return static_cast<std::size_t>(std::clamp(side, 1.0, largest_tile));
}

double expected_density(double of_a, double of_b, std::size_t inner) noexcept {
  return -std::expm1(static_cast<double>(inner) * std::log1p(-std::min(of_a * of_b, 1 - 1e-12)));
}

}  // namespace acre::block_matrices
