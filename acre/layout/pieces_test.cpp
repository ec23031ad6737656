// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/pieces.hpp>

#include <acre/layout/deduction.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <vector>

namespace {

using namespace acre;
using layout::box;
using layout::coordinates;
using layout::member_t;

template <class Pattern>
void expect_pieces(const Pattern& pattern, const box<Pattern::dimensions>& part) {
  constexpr std::size_t N = Pattern::dimensions;
  const auto count = [&](auto&& each) {
    std::vector<int> seen(part.size());
    each([&](const layout::piece<N>& piece) {
      ASSERT_TRUE(part.contains(piece.where));
      for (std::size_t i = 0; i < piece.where.size(); ++i) {
        coordinates<N> at = layout::row_major::at<N>(i, piece.where.extents);
        std::size_t offset = piece.offset;
        coordinates<N> in_part{};
        for (std::size_t d = 0; d < N; ++d) {
          offset += at[d] * piece.strides[d];
          at[d] += piece.where.first[d];
          in_part[d] = at[d] - part.first[d];
        }
        EXPECT_EQ(pattern.place_of(at), (layout::place{.member = piece.member, .offset = offset}));
        ++seen[layout::row_major::number<N>(in_part, part.extents)];
      }
    });
    return seen;
  };
  const std::vector<int> once(part.size(), 1);
  EXPECT_EQ(count([&](auto f) { layout::each_piece(pattern, part, f); }), once);
  EXPECT_EQ(count([&](auto f) {
              for (member_t member = 0; member < pattern.members(); ++member) {
                layout::each_piece_of(pattern, member, part, f);
              }
            }),
            once);
}

template <class Pattern>
void expect_pieces_of_any_box(const Pattern& pattern, std::mt19937& random) {
  for (int i = 0; i < 20; ++i) {
    box<Pattern::dimensions> part;
    for (std::size_t d = 0; d < Pattern::dimensions; ++d) {
      part.first[d] = random() % pattern.extents()[d];
      part.extents[d] = random() % (pattern.extents()[d] - part.first[d] + 1);
    }
    expect_pieces(pattern, part);
  }
  expect_pieces(pattern, pattern.whole());
}

TEST(Pieces, HaveTheElementsOfTheBoxOnce) {
  std::mt19937 random(3);
  for (const member_t members : {1U, 4U, 6U, 7U}) {
    expect_pieces_of_any_box(make_pattern({9, 7}, members), random);
    expect_pieces_of_any_box(make_pattern({5, 4, 6}, members), random);
    expect_pieces_of_any_box(make_distribution({9, 7}, members, dist::tile(2), dist::cyclic),
                             random);
    expect_pieces_of_any_box(make_pattern<use_case::transpose>({9, 7}, members), random);
    expect_pieces_of_any_box(make_pattern<layout::column_major_layout>({9, 7}, members), random);
    expect_pieces_of_any_box(make_distribution({9}, 4, dist::at({0, 0, 5, 5, 9})), random);
  }
}

}  // namespace
