// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/segments.hpp>

#include <acre/layout/blocked.hpp>
#include <acre/layout/laws.hpp>

#include <gtest/gtest.h>

#include <iterator>
#include <vector>

namespace {

using acre::layout::blocked;
using acre::layout::broken_law;
using acre::layout::member_t;
using acre::layout::place;
using acre::layout::segment;
using acre::layout::segments;

enum class flaw { none, long_runs, wrong_inverse, too_many };

template <flaw Flaw>
class backwards_in_turn {
 public:
  constexpr backwards_in_turn(std::size_t size, member_t members) noexcept
      : size_(size), members_(members) {}
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr member_t members() const noexcept { return members_; }
  [[nodiscard]] constexpr place place_of(std::size_t index) const noexcept {
    return {.member = static_cast<member_t>(members_ - 1 - index % members_),
            .offset = index / members_};
  }
  [[nodiscard]] constexpr std::size_t index_of(place where) const noexcept {
    const member_t turn = Flaw == flaw::wrong_inverse ? where.member : members_ - 1 - where.member;
    return where.offset * members_ + turn;
  }
  [[nodiscard]] constexpr std::size_t local_size(member_t member) const noexcept {
    const std::size_t turn = members_ - 1 - member;
    return (size_ + members_ - 1 - turn) / members_ + (Flaw == flaw::too_many ? 1 : 0);
  }
  [[nodiscard]] constexpr std::size_t local_capacity() const noexcept {
    return local_size(members_ - 1);
  }
  [[nodiscard]] constexpr std::size_t run_length(std::size_t index) const noexcept {
    if (members_ == 1 || Flaw == flaw::long_runs) return size_ - index;
    return 1;
  }
  friend bool operator==(const backwards_in_turn&, const backwards_in_turn&) = default;

 private:
  std::size_t size_;
  member_t members_;
};

static_assert(std::forward_iterator<segments<blocked>::iterator>);

template <class Pattern>
std::vector<segment> list(const Pattern& pattern, std::size_t first, std::size_t last) {
  std::vector<segment> all;
  for (const segment& each : segments(pattern, first, last)) all.push_back(each);
  return all;
}

TEST(Segments, AreCutWhereABlockEnds) {
  const blocked pattern(10, 3);
  EXPECT_EQ(list(pattern, 0, 10), (std::vector<segment>{{0, 0, 4}, {1, 0, 4}, {2, 0, 2}}));
  EXPECT_EQ(list(pattern, 3, 9), (std::vector<segment>{{0, 3, 1}, {1, 0, 4}, {2, 0, 1}}));
  EXPECT_EQ(list(pattern, 5, 7), (std::vector<segment>{{1, 1, 2}}));
  EXPECT_TRUE(list(pattern, 4, 4).empty());
  EXPECT_TRUE(list(pattern, 10, 10).empty());
  EXPECT_TRUE(list(blocked(), 0, 0).empty());
}

TEST(Segments, SayWhichIndexTheyBeginWith) {
  const segments runs(blocked(10, 3), 3, 9);
  EXPECT_EQ(runs.begin().index(), 3U);
  EXPECT_EQ(std::next(runs.begin(), 2).index(), 8U);
  EXPECT_EQ(std::distance(runs.begin(), runs.end()), 3);
}

TEST(Segments, FollowAPatternWithoutBlocks) {
  for (std::size_t size = 0; size <= 20; ++size) {
    for (member_t members = 1; members <= 5; ++members) {
      EXPECT_EQ(broken_law(backwards_in_turn<flaw::none>(size, members)), "");
    }
  }
  const backwards_in_turn<flaw::none> pattern(5, 2);
  EXPECT_EQ(list(pattern, 1, 4), (std::vector<segment>{{0, 0, 1}, {1, 1, 1}, {0, 1, 1}}));
}

TEST(Laws, NameWhatIsWrongWithAPattern) {
  EXPECT_EQ(broken_law(backwards_in_turn<flaw::long_runs>(7, 3)),
            "a segment is not one run of elements");
  EXPECT_EQ(broken_law(backwards_in_turn<flaw::wrong_inverse>(7, 3)),
            "index_of is not the inverse of place_of");
  EXPECT_EQ(broken_law(backwards_in_turn<flaw::too_many>(7, 3)),
            "the members' local sizes do not add up to size()");
}

}  // namespace
