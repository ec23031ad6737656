// SPDX-License-Identifier: BSD-3-Clause
// A quadtree that refines around a point: a collection whose members come and go.
#include <acre/objects.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <tuple>

using place = std::array<int, 3>;  // level, row, column

struct square {
  square() = default;
  square(int size, int level) : side(size), depth(level) {}

  /// Replaces a square that contains the point by its quarters.
  void refine(const acre::sparse_collection_id<square, place>& tree, const place& at) {
    const auto [level, row, column] = at;
    const bool has_point = 100 / side == row && 200 / side == column;
    if (!has_point || level == 6) return;
    tree.erase(at).get();  // ends after this function
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        const place quarter{level + 1, 2 * row + i, 2 * column + j};
        tree.insert(quarter, side / 2, level + 1).get();
        acre::invoke_ff(tree[quarter], &square::refine, tree, quarter);
      }
    }
  }
  int area() const { return side * side; }
  int level() const { return depth; }

  int side = 256;
  int depth = 0;
  friend auto acre_fields(square& s) { return std::tie(s.side, s.depth); }
};

int main() {
  const acre::job job;
  const auto tree = acre::make_sparse_collection<square, place>();  // on all ranks
  const place root{0, 0, 0};
  if (acre::rank() == 0) {
    tree.insert(root).get();
    acre::invoke_ff(tree[root], &square::refine, tree.id(), root);
  }
  acre::drain();
  const std::size_t squares = tree.size();
  const int area = acre::invoke_reduce(tree, acre::op::sum, &square::area);
  const int deepest = acre::invoke_reduce(tree, acre::op::max, &square::level);
  if (acre::rank() == 0) {
    std::printf("%zu squares, %d levels, an area of %d\n", squares, deepest, area);
    const auto gone = tree.find(root).get();
    std::printf("the root is %s\n", gone ? "there" : "gone");
  }
}
