// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/quantity.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace acre::machines {
namespace {

std::string three_digits(double number) {
  return fmt::format("{:.{}f}", number, number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2);
}

std::string with_unit(double number, double smallest, std::span<const char* const> units) {
  double scaled = number / smallest;
  std::size_t unit = 0;
  for (; scaled >= 999.5 && unit + 1 < units.size(); ++unit) scaled /= 1000;
  const bool whole = unit == 0 && scaled == std::floor(scaled);
  return (whole ? fmt::format("{:.0f}", scaled) : three_digits(scaled)) + " " + units[unit];
}

}  // namespace

std::string in_bytes(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  return with_unit(bytes, 1, units);
}

std::string in_seconds(double seconds) {
  constexpr std::array units{"ps", "ns", "us", "ms", "s"};
  if (seconds == 0) return "0 s";
  return with_unit(seconds, 1e-12, units);
}

std::string in_percent(double share) {
  const double percent = 100 * share;
  return fmt::format("{:.{}f} %", percent, percent > 0 && percent < 9.95 ? 1 : 0);
}

std::string times(double factor) {
  if (!std::isfinite(factor)) return "-";
  return fmt::format("{:.{}f}x", factor, factor < 9.995 ? 2 : factor < 99.95 ? 1 : 0);
}

}  // namespace acre::machines
