// SPDX-License-Identifier: BSD-3-Clause
// Draws the fraction of bytes by number of links crossed.
#include <acre/machines/pictures/parts.hpp>
#include <acre/machines/pictures/quantity.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace acre::machines {
namespace {

constexpr colour before_ink{0.66, 0.69, 0.74};
constexpr colour after_ink{0.13, 0.47, 0.71};

std::vector<double> shares_of(const mapping::metrics& found, std::size_t distances) {
  std::vector<double> shares = found.bytes_by_distance;
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& each : shares) each /= all > 0 ? all : 1;
  shares.resize(distances);
  return shares;
}

/// Upper end of the axis, so that its quarters are round numbers.
double ceiling(double share) {
  for (const double each : {0.04, 0.08, 0.2, 0.4, 0.8}) {
    if (share <= each) return each;
  }
  return 1;
}

}  // namespace

void draw_hops(canvas& page, const box& area, const mapping::metrics& before,
               const mapping::metrics& after) {
  const std::size_t distances =
      std::max({before.bytes_by_distance.size(), after.bytes_by_distance.size(), std::size_t{1}});
  const std::array shares{shares_of(before, distances), shares_of(after, distances)};
  const double top = ceiling(std::max(std::ranges::max(shares[0]), std::ranges::max(shares[1])));
  constexpr double left = 40;
  constexpr double below = 34;
  constexpr double above = 24;
  const double base = area.y + area.height - below;
  const double height = area.height - below - above;
  const double width = area.width - left;
  for (int i = 0; i <= 4; ++i) {
    const double share = top * i / 4;
    const double y = base - height * i / 4;
    page.line({area.x + left, y}, {area.x + area.width, y}, i == 0 ? grey : pale, 0.7);
    page.text({area.x + left - 5, y + 3}, in_percent(share),
              {.size = 9, .at = anchor::right, .ink = grey});
  }
  const double each = width / static_cast<double>(distances);
  const double bar = std::min(each * 0.4, 36.0);
  const auto step = static_cast<std::size_t>(std::ceil(22 / each));
  for (std::size_t distance = 0; distance < distances; ++distance) {
    const double middle = area.x + left + (static_cast<double>(distance) + 0.5) * each;
    for (std::size_t i = 0; i < 2; ++i) {
      const double share = shares[i][distance];
      const double high = height * share / top;
      const double x = i == 0 ? middle - bar : middle;
      page.fill({x, base - high, bar, high}, i == 0 ? before_ink : after_ink);
      if (share <= 0 || bar < 30) continue;
      page.text({x + bar / 2, base - high - 3}, in_percent(share),
                {.size = 8, .at = anchor::middle, .ink = grey});
    }
    if (distance % step == 0) {
      page.text({middle, base + 13}, std::to_string(distance), {.size = 9, .at = anchor::middle});
    }
  }
  page.text({area.x + left + width / 2, base + 28}, "links crossed (0: within a node)",
            {.size = 10, .at = anchor::middle, .ink = grey});
  double x = area.x + left;
  for (const auto& [ink, words] :
       {std::pair(before_ink, "default order"), std::pair(after_ink, "chosen order")}) {
    page.fill({x, area.y, 10, 10}, ink);
    page.text({x + 15, area.y + 9}, words, {.size = 10});
    x += 30 + page.width_of(words, {.size = 10});
  }
}

}  // namespace acre::machines
