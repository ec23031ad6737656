#include <acre/algorithm/detail/product_plan.hpp>

#include <acre/base/bits.hpp>
#include <acre/global/reduction.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace acre {

const char* name_of(product_way way) noexcept {
  switch (way) {
    case product_way::keeps_c:
      return "keeps c";
    case product_way::keeps_a:
      return "keeps a";
    case product_way::keeps_b:
      return "keeps b";
    case product_way::grid:
      break;
  }
  return "grid";
}

namespace detail {

namespace {

// Of one core of a server and an Ethernet: what counts is how they compare.
constexpr double operations_a_second = 5e10;
constexpr double near_bytes_a_second = 1e10;
constexpr double far_bytes_a_second = 1e9;
constexpr double seconds_to_add_up = 1e-4;

index_set all_of(std::size_t extent) { return index_set({{0, extent}}); }

/// One of equal parts of a dimension.
index_set part_of(std::size_t extent, std::size_t parts, std::size_t part) {
  const std::size_t each = extent / parts;
  const std::size_t longer = extent % parts;
  const std::size_t first = part * each + std::min(part, longer);
  return index_set({{first, first + each + (part < longer ? 1 : 0)}});
}

/// Elements that the largest brick of a grid reads or hands on: its surface, as it were.
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
      found.push_back({elements_moved(all, grid), {product_way::grid, grid}});
    }
  }
}

double seconds_of(const product_load& load, double float_rate) {
  return load.operations / (operations_a_second * float_rate) +
         static_cast<double>(load.read_bytes) / near_bytes_a_second +
         static_cast<double>(load.far_bytes) / far_bytes_a_second +
         (load.memory_bytes != 0 ? seconds_to_add_up : 0);
}

/// What of the loads all members must know: the largest, and the sum.
struct common_loads {
  std::vector<double> largest;  ///< seconds, operations and bytes of memory of each candidate
  std::vector<double> sums;     ///< of bytes from other nodes
};
common_loads gather_loads(const team& members, std::span<const product_load> loads,
                          double float_rate, const site& where) {
  common_loads all;
  for (const product_load& each : loads) {
    all.largest.insert(all.largest.end(), {seconds_of(each, float_rate), each.operations,
                                           static_cast<double>(each.memory_bytes)});
    all.sums.push_back(static_cast<double>(each.far_bytes));
  }
  members.allreduce(std::span<double>(all.largest), op::max, where);
  members.allreduce(std::span<double>(all.sums), op::sum, where);
  return all;
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

std::vector<brick> tile_bricks(const product_extents& all, product_way way,
                               const std::vector<layout::box<2>>& tiles) {
  std::vector<brick> bricks;
  for (set_product& each : products_of(tiles)) {
    switch (way) {
      case product_way::keeps_a:
        bricks.push_back({std::move(each.rows), std::move(each.columns), all_of(all[2])});
        break;
      case product_way::keeps_b:
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
  std::ranges::sort(found, {}, [](const auto& each) {
    return std::pair(each.first, each.second.grid);  // the same on all members
  });
  std::vector<product_candidate> best;
  for (const auto& [moved, grid] : found) {
    if (best.size() < most) best.push_back(grid);
  }
  return best;
}

product_choice choose_way(const team& members, std::span<const product_candidate> candidates,
                          std::span<const product_load> loads, double float_rate,
                          std::size_t memory, const site& where) {
  const common_loads all = gather_loads(members, loads, float_rate, where);
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool is_too_large =
        all.largest[3 * i + 2] > static_cast<double>(memory) && candidates.size() > 1;
    if (is_too_large || all.largest[3 * i] >= least) continue;
    least = all.largest[3 * i];
    best = i;
  }
  return {.number = best,
          .report = {.way = candidates[best].way,
                     .grid = candidates[best].grid,
                     .operations = all.largest[3 * best + 1],
                     .far_bytes = static_cast<std::size_t>(all.sums[best]),
                     .memory = static_cast<std::size_t>(all.largest[3 * best + 2]),
                     .seconds = all.largest[3 * best]}};
}

}  // namespace detail

}  // namespace acre
