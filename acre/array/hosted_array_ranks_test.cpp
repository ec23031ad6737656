// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/hosted_array.hpp>
#include <acre/base/error.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/global/memory/atomic.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

namespace {

using acre::hosted_array;
using acre::hosted_by;
using acre::base_test::failure_of;

TEST(HostedArraySmoke, HoldsWhatAllRanksWrite) {
  for (acre::rank_t host = 0; host < acre::size(); ++host) {
    hosted_array<std::uint64_t> array(acre::world(), hosted_by{host}, acre::size(), 7);
    EXPECT_EQ(array.host().number(), host);
    EXPECT_EQ(array[acre::rank()], 7U);
    array[acre::rank()] = 100 + acre::rank();
    acre::barrier();
    ASSERT_EQ(array.local().size(), acre::rank() == host ? acre::size() : 0);
    for (std::size_t i = 0; i < array.local().size(); ++i) EXPECT_EQ(array.local()[i], 100 + i);
    EXPECT_EQ(std::accumulate(array.begin(), array.end(), std::uint64_t{0}),
              acre::size() * (acre::size() - 1) / 2 + 100U * acre::size());
    acre::barrier();
    acre::fetch_add(array.pointer(0), std::uint64_t{1});
    acre::barrier();
    EXPECT_EQ(array.at(0), 100U + acre::size());
  }
}

TEST(HostedArray, BelongsToATeam) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  hosted_array<int> array(half, hosted_by{half.size() - 1}, 3);
  if (half.rank() == 0) array[2] = static_cast<int>(acre::rank() % 2) + 1;
  half.barrier();
  EXPECT_EQ(array[2], static_cast<int>(acre::rank() % 2) + 1);
  EXPECT_EQ(array.pointer(0).rank(), half.world_rank(half.size() - 1));
}

TEST(HostedArray, MovesAndEndsInAnyOrder) {
  hosted_array<int> none;
  EXPECT_TRUE(none.empty());
  EXPECT_NE(failure_of([&] { static_cast<void>(none.host()); }).find("hosted_array{"),
            std::string::npos);
  auto first = std::make_unique<hosted_array<int>>(acre::world(), hosted_by{0}, 10, 1);
  auto second = std::make_unique<hosted_array<int>>(acre::world(), hosted_by{0}, 20, 2);
  none = std::move(*first);
  first.reset();
  EXPECT_EQ(none[9], 1);
  none = std::move(*second);
  EXPECT_EQ(none[19], 2);
  EXPECT_EQ(none.size(), 20U);
}

TEST(HostedArray, ExplainsWhatCannotBeMade) {
  EXPECT_NE(failure_of([] {
              hosted_array<int> array(acre::world(), hosted_by{acre::size()}, 1);
            }).find("the host, member"),
            std::string::npos);
  EXPECT_NE(failure_of([] {
              hosted_array<int> array(acre::world(), hosted_by{0}, ~std::size_t{0} / 2);
            }).find("out of memory"),
            std::string::npos);
  if (acre::size() == 1) return;
  EXPECT_NE(failure_of([] {
              hosted_array<int> array(acre::world(), hosted_by{0}, 1 + acre::rank());
            }).find("sizes differ: 1 elements on rank 0, 2 elements on rank 1"),
            std::string::npos);
  EXPECT_NE(failure_of([] {
              hosted_array<int> array(acre::world(), hosted_by{acre::rank()}, 1);
            }).find("hosts differ"),
            std::string::npos);
}

TEST(HostedArray, MayBeEmpty) {
  hosted_array<double> array(acre::world(), hosted_by{0}, 0);
  EXPECT_TRUE(array.empty());
  EXPECT_EQ(array.begin(), array.end());
}

}  // namespace
