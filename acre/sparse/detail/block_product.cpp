#include <acre/sparse/detail/block_product.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace acre::detail {

namespace {

/// What a tile of the product may take of the second cache; its factors pass by in the rest.
const double tile_bytes = 1024 * std::atof(std::getenv("TILE") ? std::getenv("TILE") : "384");
/// Marks and slots of a tile are a table.
constexpr double largest_tile = 256;

}  // namespace

std::size_t tile_size(double block_bytes, double density) noexcept {
  const double side = std::sqrt(tile_bytes / std::max(1.0, block_bytes * density));
  return static_cast<std::size_t>(std::clamp(side, 1.0, largest_tile));
}

double expected_density(double of_a, double of_b, std::size_t inner) noexcept {
  return -std::expm1(static_cast<double>(inner) * std::log1p(-std::min(of_a * of_b, 1 - 1e-12)));
}

}  // namespace acre::detail
