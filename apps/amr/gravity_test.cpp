// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/gravity.hpp>

#include <apps/amr/gas.hpp>
#include <apps/amr/serial_mesh.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace acre::amr {
namespace {

/// Densities of the leaves of a mesh, and what the tree hands down to each.
class tree {
 public:
  explicit tree(const problem& given) {
    const serial_mesh mesh(given);
    for (const auto& [key, node] : mesh.nodes()) {
      where_[key] = node.where();
      if (!node.is_leaf()) continue;
      density_[key] = node.cells();
      density_[key].resize(cells_of_leaf);
    }
  }

  std::map<std::uint64_t, values>& density() { return density_; }
  [[nodiscard]] const location& where(std::uint64_t key) const { return where_.at(key); }

  void sum_and_hand_down() {
    for (auto at = where_.rbegin(); at != where_.rend(); ++at) {
      const auto& [key, where] = *at;
      up_[key] = density_.contains(key) ? sources_of_leaf(density_[key], where)
                                        : sources_of_node(up_of_children(key), where);
    }
    for (const auto& [key, where] : where_) {
      if (key == 1) continue;
      const std::uint64_t parent = key / children_of_node;
      sources& mine = down_[key] = {};
      add_seen_from(where, down_[parent], mine);
      for (std::uint64_t each = parent * 8; each < parent * 8 + 8; ++each) {
        if (each != key) add_seen_from(where, up_[each], mine);
      }
    }
  }
  [[nodiscard]] const sources& of_root() { return up_[1]; }
  [[nodiscard]] const sources& outside(std::uint64_t key) { return down_[key]; }
  [[nodiscard]] values pull(std::uint64_t key) {
    return pull_of(down_[key], density_[key], where_[key]);
  }

  [[nodiscard]] point direct_sum(const point& at) const {
    point sum{};
    for (const auto& [key, cells] : density_) {
      const location& leaf = where_.at(key);
      const double volume = std::pow(leaf.side() / cells_along, 3);
      for_each_cell(leaf, [&](std::size_t i, const point& from) {
        const point d{from[0] - at[0], from[1] - at[1], from[2] - at[2]};
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (square == 0) return;
        for (unsigned axis = 0; axis < axes; ++axis) {
          sum[axis] += cells[i] * volume * d[axis] / (square * std::sqrt(square));
        }
      });
    }
    return sum;
  }

 private:
  std::vector<sources> up_of_children(std::uint64_t key) {
    std::vector<sources> found;
    for (std::uint64_t child = key * 8; child < key * 8 + 8; ++child) found.push_back(up_[child]);
    return found;
  }

  std::map<std::uint64_t, location> where_;
  std::map<std::uint64_t, values> density_;
  std::map<std::uint64_t, sources> up_;
  std::map<std::uint64_t, sources> down_;
};

problem star() {
  problem given;
  given.kind = physics::euler;
  given.gravity = 1;
  given.centre = {0.4, 0.5, 0.55};
  return given;
}

double length_of(const point& of) {
  return std::sqrt(of[0] * of[0] + of[1] * of[1] + of[2] * of[2]);
}

struct errors {
  double worst = 0;
  double root_mean_square = 0;
};

/// Errors at one in `every` cells, relative to the largest acceleration among them.
errors errors_of(tree& mesh, std::size_t every) {
  double squares = 0;
  double worst = 0;
  double largest = 0;
  std::size_t compared = 0;
  std::size_t seen = 0;
  for (const auto& [key, cells] : mesh.density()) {
    const values pull = mesh.pull(key);
    for_each_cell(mesh.where(key), [&](std::size_t i, const point& at) {
      if (++seen % every != 0) return;
      const point exact = mesh.direct_sum(at);
      const double apart = length_of({pull[i] - exact[0], pull[cells_of_leaf + i] - exact[1],
                                      pull[2 * cells_of_leaf + i] - exact[2]});
      largest = std::max(largest, length_of(exact));
      worst = std::max(worst, apart);
      squares += apart * apart;
      ++compared;
    });
  }
  return {worst / largest, std::sqrt(squares / static_cast<double>(compared)) / largest};
}

TEST(Gravity, OfAStarIsThatOfADirectSumOverAllCells) {
  tree mesh(star());
  mesh.sum_and_hand_down();
  const errors found = errors_of(mesh, 1511);
  EXPECT_LT(found.root_mean_square, 0.006);
  EXPECT_LT(found.worst, 0.03);
}

TEST(Gravity, OfAPointIsTheInverseSquareOfTheDistance) {
  problem given = star();
  given.finest = 2;
  given.radius = 0.1;
  tree mesh(given);
  for (auto& [key, cells] : mesh.density()) std::ranges::fill(cells, 0);
  auto& [key, cells] = *mesh.density().begin();
  const location leaf = mesh.where(key);
  constexpr std::size_t heavy = 219;
  cells[heavy] = 1;
  point middle{};
  for_each_cell(leaf, [&](std::size_t i, const point& at) { middle = i == heavy ? at : middle; });
  const double mass = std::pow(leaf.side() / cells_along, 3);
  mesh.sum_and_hand_down();
  EXPECT_NEAR(mesh.of_root().sums.front().mass, mass, 1e-15);
  double worst = 0;
  for (const auto& [other, empty] : mesh.density()) {
    const values pull = mesh.pull(other);
    for_each_cell(mesh.where(other), [&](std::size_t i, const point& at) {
      const point d{middle[0] - at[0], middle[1] - at[1], middle[2] - at[2]};
      const double distance = length_of(d);
      if (distance == 0) return;
      const double exact = mass / (distance * distance);
      const double found =
          length_of({pull[i], pull[cells_of_leaf + i], pull[2 * cells_of_leaf + i]});
      worst = std::max(worst, std::abs(found - exact) / exact);
    });
  }
  EXPECT_LT(worst, 1e-12);
}

TEST(Gravity, HandsDownDistantMassesInSum) {
  tree mesh(star());
  mesh.sum_and_hand_down();
  double mass = 0;
  for (const auto& [key, cells] : mesh.density()) {
    double seen = 0;
    for (const source& each : mesh.outside(key).sums) seen += each.parts == 0 ? each.mass : 0;
    const double all = seen + sources_of_leaf(cells, mesh.where(key)).sums.front().mass;
    mass = mesh.of_root().sums.front().mass;
    EXPECT_NEAR(all / mass, 1, 1e-12);
    EXPECT_LT(mesh.outside(key).bytes(), mesh.of_root().bytes() / 2);
  }
}

}  // namespace
}  // namespace acre::amr
