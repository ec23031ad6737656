// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using acre::member;
using acre::rank_t;

acre::team backwards_half() {
  return acre::world().split(static_cast<int>(acre::rank() % 2), -static_cast<int>(acre::rank()));
}

int calls = 0;

TEST(Member, SmokeKnowsItsNumberAndItsRank) {
  const acre::team half = backwards_half();
  for (rank_t number = 0; number < half.size(); ++number) {
    const member who = half[number];
    EXPECT_EQ(who.number(), number);
    EXPECT_EQ(who.world_rank(), half.world_rank(number));
    EXPECT_EQ(who.is_this_rank(), number == half.rank());
    EXPECT_EQ(who, acre::world()[who.world_rank()]) << "the same rank in another team";
    EXPECT_EQ(half.number_of(who), number);
    EXPECT_EQ(half.number_of(acre::world()[who.world_rank()]), number);
    EXPECT_EQ(acre::world().number_of(who), who.world_rank());
  }
  EXPECT_THROW(static_cast<void>(half[half.size()]), acre::error);
  if (acre::size() > 1) {
    const member nonmember = acre::world()[acre::rank() % 2 == 0 ? 1 : 0];
    EXPECT_THROW(static_cast<void>(half.number_of(nonmember)), acre::error);
  }
}

TEST(Member, SmokeCallsReachTheRank) {
  const acre::team half = backwards_half();
  calls = 0;
  acre::barrier();
  for (rank_t number = 0; number < half.size(); ++number) {
    const auto where = [](int x) { return acre::rank() + static_cast<rank_t>(x); };
    EXPECT_EQ(acre::rpc(half[number], where, 1).get(), half.world_rank(number) + 1);
    EXPECT_EQ(acre::rpc(half, number, where, 2).get(), half.world_rank(number) + 2);
    acre::rpc_ff(half[number], [] { ++calls; });
    acre::rpc_ff(half, number, [] { ++calls; });
  }
  while (calls != static_cast<int>(half.size()) * 2) acre::progress();
  EXPECT_THROW(static_cast<void>(acre::rpc(half, half.size(), [] {})), acre::error);
  acre::barrier();
}

TEST(Member, DistributedObjectsAreCalledByTheirTeamsNumbers) {
  const acre::team half = backwards_half();
  acre::dist_object<rank_t> object(half, acre::rank());
  const auto value = [](acre::dist_object<rank_t>& there) { return *there; };
  for (rank_t number = 0; number < half.size(); ++number) {
    EXPECT_EQ(acre::rpc(half, number, value, object).get(), half.world_rank(number));
    EXPECT_EQ(acre::rpc(half[number], value, object).get(), half.world_rank(number));
    EXPECT_EQ(object.fetch(half[number]).get(), half.world_rank(number));
  }
  acre::barrier();
}

TEST(Member, ReachesSymmetricMemory) {
  const acre::team half = backwards_half();
  const auto memory = acre::allocate_symmetric<rank_t>();
  acre::put(memory, acre::rank());
  acre::barrier();
  for (rank_t number = 0; number < half.size(); ++number) {
    EXPECT_EQ(acre::get(acre::at_rank(memory, half[number])), half.world_rank(number));
  }
  acre::deallocate_symmetric(memory);
}

// Calls that need a world rank accept or reject members, never convert them.
template <class T>
concept names_a_rank = requires(T who) { acre::rpc(rank_t{who}, [] {}); };
static_assert(names_a_rank<rank_t> && !names_a_rank<member>);
static_assert(!std::convertible_to<member, rank_t> && !std::convertible_to<rank_t, member>);
static_assert(!std::constructible_from<acre::global_ptr<int>, member, std::uint64_t>);
static_assert(sizeof(member) == 8 && std::is_trivially_copyable_v<member> &&
              acre::travels_as_bytes<member>);

}  // namespace
