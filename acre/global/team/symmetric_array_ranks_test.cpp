// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

namespace {

using acre::rank_t;
using acre::symmetric_array;

acre::team backwards_half() {
  return acre::world().split(static_cast<int>(acre::rank() % 2), -static_cast<int>(acre::rank()));
}

TEST(SymmetricArray, SmokeIsThereOnEachMember) {
  const acre::team half = backwards_half();
  const auto other = acre::allocate<std::byte>(64 + 64 * acre::rank());
  symmetric_array<std::uint32_t> numbers(half, 10, 7);
  EXPECT_EQ(numbers.size(), 10U);
  for (const std::uint32_t each : numbers.local()) EXPECT_EQ(each, 7U);
  const rank_t next = (half.rank() + 1) % half.size();
  EXPECT_EQ(numbers.pointer(next).rank(), half.world_rank(next));
  EXPECT_EQ(numbers.pointer(half[next]), numbers.pointer(next));
  EXPECT_EQ(numbers.pointer(acre::world()[half.world_rank(next)]), numbers.pointer(next));
  half.barrier();
  acre::put(numbers.pointer(next) + 3, std::uint32_t{100} + half.rank());
  half.barrier();
  EXPECT_EQ(numbers.local()[3], 100 + (half.rank() + half.size() - 1) % half.size());
  half.barrier();
  acre::deallocate(other);
}

TEST(SymmetricArray, MovesAndEndsInAnyOrder) {
  const auto before = acre::runtime::segment_free().private_part;
  {
    symmetric_array<double> a(acre::world(), 100);
    symmetric_array<double> b(acre::world(), 1000);
    const auto where = b.pointer(0);
    symmetric_array<double> c(std::move(b));
    EXPECT_FALSE(b);
    EXPECT_EQ(c.pointer(0), where);
    a = std::move(c);
    EXPECT_EQ(a.size(), 1000U);
    EXPECT_TRUE(symmetric_array<int>(acre::world(), 0).local().empty());
  }
  EXPECT_EQ(acre::runtime::segment_free().private_part, before);
}

TEST(SymmetricArray, SaysWhatIsWrong) {
  const symmetric_array<int> none;
  EXPECT_THROW(static_cast<void>(none.pointer(0)), acre::error);
  EXPECT_EQ(none.size(), 0U);
  if (acre::size() > 1) {
    EXPECT_THROW(symmetric_array<int>(acre::world(), acre::rank() == 0 ? 1 : 2), acre::error);
  }
  const symmetric_array<int> small(acre::world(), 1);
  if constexpr (acre::base::has_checks) {
    EXPECT_THROW(static_cast<void>(small.pointer(acre::size())), acre::error);
  }
  EXPECT_THROW(symmetric_array<int>(acre::world(), ~std::size_t{0} / 8), acre::error);
}

}  // namespace
