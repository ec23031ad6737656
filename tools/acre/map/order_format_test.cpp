// SPDX-License-Identifier: BSD-3-Clause
#include "order_format.hpp"

#include <acre/base/error.hpp>
#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace {

using namespace acre::tool;
using acre::mapping::placement;
using acre::topology::allocation;

class OrderFormat : public testing::Test {
 protected:
  std::unique_ptr<const acre::topology::network> network_ = acre::topology::make_network("mesh:8");
  // Node 6 has slots 0 and 1, node 3 slots 2 to 4.
  allocation job_{*network_, {{.node = 6, .slots = 2}, {.node = 3, .slots = 3}}};
  std::vector<std::string> names_{"c6", "c3"};
  placement places_{2, 3, 0, 4, 1};
  written_order order_{places_, job_, names_};
};

TEST_F(OrderFormat, RankfilesCountSlotsWithinTheirNode) {
  EXPECT_EQ(as_rankfile(order_),
            "rank 0=c3 slot=0\nrank 1=c3 slot=1\nrank 2=c6 slot=0\nrank 3=c3 slot=2\n"
            "rank 4=c6 slot=1\n");
}

TEST_F(OrderFormat, MpichRankOrdersListTheRanksOfEachNode) {
  EXPECT_EQ(as_mpich_rank_order(order_), "2,4\n0,1,3\n");
}

TEST_F(OrderFormat, MpichRankOrdersCannotLeaveASlotFreeBeforeTheLastRank) {
  const placement with_gap{0, 2};
  EXPECT_THROW(static_cast<void>(as_mpich_rank_order({with_gap, job_, names_})), acre::error);
  const placement without{1, 0};
  EXPECT_EQ(as_mpich_rank_order({without, job_, names_}), "1,0\n");
}

TEST_F(OrderFormat, SlurmHostfilesNameTheNodeOfEachRank) {
  EXPECT_EQ(as_slurm_hostfile(order_), "c3\nc3\nc6\nc3\nc6\n");
}

TEST_F(OrderFormat, MachinefilesCountRanksThatFollowEachOther) {
  EXPECT_EQ(as_machinefile(order_), "c3:2\nc6:1\nc3:1\nc6:1\n");
}

TEST_F(OrderFormat, OrdersHaveTheSlotOfEachRank) { EXPECT_EQ(as_order(order_), "2\n3\n0\n4\n1\n"); }

TEST_F(OrderFormat, FreeSlotsHaveNoRank) {
  const placement two{4, 1};
  EXPECT_EQ(ranks_of_slots({two, job_, names_}), (std::vector<std::int64_t>{-1, 1, -1, -1, 0}));
}

}  // namespace
