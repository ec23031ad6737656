// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/detail/product_plan.hpp>

#include <acre/base/bits.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/layout/cut.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace acre {

const char* name_of(product_algorithm algorithm) noexcept {
  switch (algorithm) {
    case product_algorithm::keeps_c:
      return "keeps c";
    case product_algorithm::keeps_a:
      return "keeps a";
    case product_algorithm::keeps_b:
      return "keeps b";
    case product_algorithm::grid:
      break;
  }
  return "grid";
}

namespace algorithm {

namespace {

// Rates of a server core and Ethernet; only ratios matter.
constexpr double operations_a_second = 5e10;
constexpr double near_bytes_a_second = 1e10;
constexpr double far_bytes_a_second = 1e9;
constexpr double seconds_to_add_up = 1e-4;

index_set all_of(std::size_t extent) { return index_set({{0, extent}}); }

index_set part_of(std::size_t extent, std::size_t parts, std::size_t part) {
  const layout::balanced_cut cut(extent, parts);
  return index_set({{cut.first(part), cut.first(part + 1)}});
}

double elements_moved(const product_extents& all, const product_extents& grid) {
  const auto largest = [&](std::size_t d) {
    return static_cast<double>(divide_up(all[d], grid[d]));
  };
  return largest(0) * largest(1) + largest(1) * largest(2) + largest(0) * largest(2);
}

void add_grids(const product_extents& all, std::size_t members,
               std::vector<std::pair<double, product_candidate>>& found) {
  for (std::size_t m = 1; m <= members; ++m) {
    if (members % m != 0) continue;
    for (std::size_t k = 1; k <= members / m; ++k) {
      const product_extents grid{m, k, members / m / k};
      if (members / m % k != 0 || m > all[0] || k > all[1] || grid[2] > all[2]) continue;
      found.push_back({elements_moved(all, grid), {product_algorithm::grid, grid}});
    }
  }
}

double seconds_of(const product_load& load, double float_rate) {
  return load.operations / (operations_a_second * float_rate) +
         static_cast<double>(load.read_bytes) / near_bytes_a_second +
         static_cast<double>(load.far_bytes) / far_bytes_a_second +
         (load.memory_bytes != 0 ? seconds_to_add_up : 0);
}

}  // namespace

std::size_t sums_of(std::span<const brick> bricks) noexcept {
  std::size_t sum = 0;
  for (const brick& each : bricks) sum += each.sums();
  return sum;
}

std::vector<brick> grid_bricks(const product_extents& all, const product_extents& grid,
                               rank_t member) {
  if (member >= layout::box<3>{.extents = grid}.size()) return {};
  const product_extents at = layout::row_major::at<3>(member, grid);
  return {{part_of(all[0], grid[0], at[0]), part_of(all[1], grid[1], at[1]),
           part_of(all[2], grid[2], at[2])}};
}

std::vector<brick> tile_bricks(const product_extents& all, product_algorithm algorithm,
                               const std::vector<layout::box<2>>& tiles) {
  std::vector<brick> bricks;
  for (set_product& each : products_of(tiles)) {
    switch (algorithm) {
      case product_algorithm::keeps_a:
        bricks.push_back({std::move(each.rows), std::move(each.columns), all_of(all[2])});
        break;
      case product_algorithm::keeps_b:
        bricks.push_back({all_of(all[0]), std::move(each.rows), std::move(each.columns)});
        break;
      default:
        bricks.push_back({std::move(each.rows), all_of(all[1]), std::move(each.columns)});
        break;
    }
  }
  return bricks;
}

std::vector<product_candidate> best_grids(const product_extents& all, rank_t members) {
  constexpr std::size_t most = 4;
  std::vector<std::pair<double, product_candidate>> found;
  add_grids(all, members, found);
  if (members > 4) add_grids(all, members - 1, found);  // 7 have no good grid, and 6 have one
  std::ranges::sort(found, {},
                    [](const auto& each) { return std::pair(each.first, each.second.grid); });
  std::vector<product_candidate> best;
  for (const auto& [moved, grid] : found) {
    if (best.size() < most) best.push_back(grid);
  }
  return best;
}

void common_loads::add(const product_load& load, double float_rate) {
  largest_.insert(largest_.end(), {seconds_of(load, float_rate), load.operations,
                                   static_cast<double>(load.memory_bytes)});
  sums_.push_back(static_cast<double>(load.far_bytes));
}
void common_loads::gather(const team& members, const site& where) {
  members.allreduce(std::span<double>(largest_), op::max, where);
  members.allreduce(std::span<double>(sums_), op::sum, where);
}

product_report choose_way(std::span<const product_candidate> candidates, const common_loads& loads,
                          std::size_t memory) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool is_too_large =
        loads.memory_bytes(i) > static_cast<double>(memory) && candidates.size() > 1;
    if (is_too_large || loads.seconds(i) >= least) continue;
    least = loads.seconds(i);
    best = i;
  }
  return {.algorithm = candidates[best].algorithm,
          .grid = candidates[best].grid,
          .operations = loads.operations(best),
          .far_bytes = static_cast<std::size_t>(loads.far_bytes(best)),
          .memory = static_cast<std::size_t>(loads.memory_bytes(best)),
          .seconds = loads.seconds(best)};
}

}  // namespace algorithm

}  // namespace acre
