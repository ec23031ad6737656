#include <acre/sparse/detail/block_product.hpp>

#include <algorithm>
#include <cmath>
#include <unistd.h>

namespace acre::detail {

namespace {

/// Marks and slots of a tile are a table.
constexpr double largest_tile = 256;

/// Of a cache, in bytes; where the system does not say, as processors of these years have it.
double cache_bytes(int which, double usual) noexcept {
  const long bytes = ::sysconf(which);
  return bytes > 0 ? static_cast<double>(bytes) : usual;
}

}  // namespace

std::size_t tile_size(double block_bytes, double density, double factor_bytes) noexcept {
  static const double second = cache_bytes(_SC_LEVEL2_CACHE_SIZE, 1 << 20);
  static const double third = cache_bytes(_SC_LEVEL3_CACHE_SIZE, 32 << 20);
  const double tile_bytes = factor_bytes < third / 2 ? second * 3 / 8 : third / 10;
  const double side = std::sqrt(tile_bytes / std::max(1.0, block_bytes * density));
  return static_cast<std::size_t>(std::clamp(side, 1.0, largest_tile));
}

double expected_density(double of_a, double of_b, std::size_t inner) noexcept {
  return -std::expm1(static_cast<double>(inner) * std::log1p(-std::min(of_a * of_b, 1 - 1e-12)));
}

}  // namespace acre::detail
