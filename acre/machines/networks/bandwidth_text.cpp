// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/bandwidth_text.hpp>

#include <acre/base/read_number.hpp>
#include <acre/topology/network.hpp>

#include <algorithm>
#include <array>

namespace acre::machines {
namespace {

struct named_factor {
  std::string_view letters;
  double factor;
};
constexpr std::array prefixes{
    named_factor{"Ki", 0x1p10}, named_factor{"Mi", 0x1p20}, named_factor{"Gi", 0x1p30},
    named_factor{"Ti", 0x1p40}, named_factor{"k", 1e3},     named_factor{"K", 1e3},
    named_factor{"m", 1e6},     named_factor{"M", 1e6},     named_factor{"g", 1e9},
    named_factor{"G", 1e9},     named_factor{"T", 1e12}};
constexpr std::array units{named_factor{"Bps", 1},         named_factor{"B/s", 1},
                           named_factor{"bps", 1.0 / 8},   named_factor{"b/s", 1.0 / 8},
                           named_factor{"bit/s", 1.0 / 8}, named_factor{"bits/s", 1.0 / 8}};

}  // namespace

std::optional<double> as_bandwidth(std::string_view text, double unit) {
  double value = 0;
  const auto [stop, problem] = base::read_number(text.data(), text.data() + text.size(), value);
  if (problem != std::errc()) return std::nullopt;
  std::string_view rest = text.substr(static_cast<std::size_t>(stop - text.data()));
  if (rest.empty()) {
    value *= unit;
  } else {
    for (const auto& [letters, factor] : prefixes) {
      if (!rest.starts_with(letters)) continue;
      value *= factor;
      rest.remove_prefix(letters.size());
      break;
    }
    const auto known = std::ranges::find(units, rest, &named_factor::letters);
    if (known == units.end()) return std::nullopt;
    value *= known->factor;
  }
  if (!topology::is_bandwidth(value)) return std::nullopt;
  return value;
}

}  // namespace acre::machines
