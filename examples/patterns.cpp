// SPDX-License-Identifier: BSD-3-Clause
// A 6 x 12 table over four members in several distributions; patterns need no job.
//
//   build/bin/example-patterns
#include <acre/layout/deduction.hpp>
#include <acre/layout/distribution.hpp>

#include <cstdio>

namespace dist = acre::dist;

template <class Pattern>
void draw(const char* how, const Pattern& pattern) {
  std::printf("%s\n", how);
  for (std::size_t i = 0; i < pattern.extents()[0]; ++i) {
    for (std::size_t j = 0; j < pattern.extents()[1]; ++j) {
      std::printf("%u", pattern.place_of({i, j}).member);
    }
    std::printf("\n");
  }
}

// Questions to a pattern.
void ask() {
  const auto tiles =
      acre::make_distribution({12, 8}, 6, acre::team_spec<2>({2, 0}), dist::tile(3), dist::tile(2));
  const auto block = tiles.block_of({7, 5});
  const auto found = tiles.block(block);
  std::printf("element (7, 5) is in block (%zu, %zu) of %zu x %zu, which begins at (%zu, %zu)\n",
              block[0], block[1], tiles.blocks()[0], tiles.blocks()[1], found.where.first[0],
              found.where.first[1]);
  std::printf("member %u holds it, and %zu elements\n", found.member,
              tiles.local_size(found.member));
}

int main() {
  draw("boxes", acre::make_pattern({6, 12}, 4));
  draw("rows", acre::make_distribution({6, 12}, 4, dist::balanced, dist::none));
  draw("tiles of 2 x 3, in turn",
       acre::make_distribution({6, 12}, 4, dist::tile(2), dist::tile(3)));
  draw("columns, as they are said",
       acre::make_distribution({6, 12}, 4, dist::none, dist::at({0, 6, 9, 11, 12})));
  draw("six members on nodes of two: pairs 01, 23 and 45 have neighbouring boxes",
       acre::make_pattern<acre::layout::node_balanced_arrangement>({6, 12}, 6,
                                                                   acre::node_members(2)));
  draw("good for a transposition", acre::make_pattern<acre::use_case::transpose>({6, 12}, 4));
  ask();
}
