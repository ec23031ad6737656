// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/cache_bytes.hpp>

#include <fstream>
#include <string>

namespace acre::base {

std::size_t cache_bytes(int level) {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(level) + "/size");
  std::size_t number = 0;
  char unit = 0;
  if (!(file >> number >> unit)) return level == 2 ? std::size_t{1} << 20 : std::size_t{32} << 20;
  return number << (unit == 'M' ? 20 : 10);
}

}  // namespace acre::base
