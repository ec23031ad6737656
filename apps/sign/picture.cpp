// SPDX-License-Identifier: BSD-3-Clause
#include <apps/sign/picture.hpp>

#include <acre/global/team/team.hpp>
#include <acre/machines/pictures/canvas.hpp>
#include <acre/machines/pictures/colour.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace acre::sign {

namespace {

constexpr double side = 480;
constexpr double margin = 56;
constexpr std::size_t most_cells = 600;

constexpr double none = -std::numeric_limits<double>::infinity();

/// Log of the maximum block norm per cell, on all ranks.
std::vector<double> cells_of(const block_matrix<double>& matrix, std::size_t cells) {
  std::vector<double> largest(cells * cells, none);
  const std::size_t blocks = std::max<std::size_t>(1, matrix.rows().blocks());
  matrix.each_local_block([&](std::size_t row, std::size_t column, const auto& block) {
    double squares = 0;
    for (std::size_t e = 0; e < block.size(); ++e) squares += block.data()[e] * block.data()[e];
    double& cell = largest[row * cells / blocks * cells + column * cells / blocks];
    cell = std::max(cell, 0.5 * std::log10(squares));
  });
  matrix.members().allreduce(std::span<double>(largest), op::max);
  return largest;
}

}  // namespace

void draw_convergence(std::span<const step> steps, const std::string& path) {
  machines::canvas page(path, side + 2 * margin, side / 2 + 2 * margin);
  double low = 0;
  for (const step& each : steps) {
    if (each.error > 0) low = std::min(low, std::floor(std::log10(each.error)));
  }
  low = std::min(low, -1.0);
  const auto at = [&](std::size_t i, double error) {
    const double x = margin + side * static_cast<double>(i) /
                                  static_cast<double>(std::max<std::size_t>(1, steps.size() - 1));
    const double exponent = std::clamp(std::log10(std::max(error, 1e-300)), low, 1.0);
    return machines::point{x, margin + side / 2 * (1 - exponent) / (1 - low)};
  };
  for (double exponent = low; exponent <= 1; exponent += 2) {
    const double y = at(0, std::pow(10, exponent)).y;
    page.line({margin, y}, {margin + side, y}, machines::oklch(0.9, 0, 0), 0.5);
    page.text({margin - 6, y + 4}, fmt::format("1e{:.0f}", exponent),
              {.at = machines::anchor::right});
  }
  const auto ink = machines::oklch(0.5, 0.15, 0.7);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const machines::point here = at(i, steps[i].error);
    if (i > 0) page.line(at(i - 1, steps[i - 1].error), here, ink, 1.5);
    page.fill(machines::box{here.x - 2.5, here.y - 2.5, 5, 5}, ink);
  }
  page.text({margin, margin - 18}, "|X² - 1| / √n, by step", {.size = 13, .bold = true});
  page.text({margin, margin + side / 2 + 24}, "step 1");
  page.text({margin + side, margin + side / 2 + 24}, fmt::format("{}", steps.size()),
            {.at = machines::anchor::right});
  page.finish();
}

void draw_blocks(const block_matrix<double>& matrix, const std::string& path) {
  const std::size_t cells = std::clamp<std::size_t>(matrix.rows().blocks(), 1, most_cells);
  const std::vector<double> largest = cells_of(matrix, cells);
  if (matrix.members().rank() != 0) return;
  machines::canvas page(path, side, side);
  const double width = side / static_cast<double>(cells);
  constexpr double faintest = -12;
  machines::boxes_by_colour filled;
  for (std::size_t i = 0; i < cells; ++i) {
    for (std::size_t j = 0; j < cells; ++j) {
      const double exponent = largest[i * cells + j];
      if (exponent == none) continue;
      const double strength = std::clamp(std::round(exponent) / faintest, 0.0, 1.0);
      filled[machines::oklch(0.3 + 0.6 * strength, 0.1, 0.7)].push_back(
          {static_cast<double>(j) * width, static_cast<double>(i) * width, width, width});
    }
  }
  page.fill(filled);
  page.frame(machines::box{0, 0, side, side}, machines::black, 1);
  page.finish();
}

}  // namespace acre::sign
