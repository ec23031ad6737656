#include <acre/sparse/detail/block_product.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

namespace acre::detail {

namespace {

/// Marks and slots of a tile are a table.
constexpr double largest_tile = 256;

/// Of the cache of the second or third level, in bytes; where the system does not say, as
/// processors of these years have it. (sysconf() has the third caches of all cores together on
/// some.)
double cache_bytes(int level, double usual) {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(level) + "/size");
  double number = 0;
  char unit = 0;
  if (!(file >> number >> unit)) return usual;
  return number * (unit == 'M' ? 1 << 20 : 1 << 10);
}

/// From so many uses of a factor's block on, while it is in the first cache, its way there does not
/// matter.
constexpr double wanted_uses = 6;

}  // namespace

std::size_t tile_size(const tile_inputs& of) {
  static const double second = cache_bytes(2, 1 << 20);
  static const double third = cache_bytes(3, 32 << 20);
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

}  // namespace acre::detail
