// SPDX-License-Identifier: BSD-3-Clause
// Instruction budgets of 8-byte put, get and fetch-add.
#include "budget.hpp"
#include <acre/acre.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

namespace {

using acre::global_ptr;
using budgets::expect_within;
using budgets::instruction_trace;

long sink = 0;

[[gnu::noinline]] void empty(global_ptr<long>, long) { asm volatile(""); }
[[gnu::noinline]] void put_8(global_ptr<long> p, long x) { acre::put(p, x); }
[[gnu::noinline]] void put_nbi_8(global_ptr<long> p, long x) { acre::put_nbi(p, x); }
[[gnu::noinline]] void get_8(global_ptr<long> p, long) { sink = acre::get(p); }
[[gnu::noinline]] void store_8(global_ptr<long>, long x) { sink = x; }
[[gnu::noinline]] void add_8(global_ptr<long> p, long x) { acre::fetch_add(p, x); }
[[gnu::noinline]] void quiet_idle(global_ptr<long>, long) { acre::quiet(); }

class Budget : public testing::Test {
 protected:
  void SetUp() override {
    block_ = acre::runtime::allocate_symmetric(64);
    peer_ = {(acre::rank() + 1) % acre::size(), acre::runtime::segment_offset(block_)};
    acre::barrier();
    acre::put(peer_, 1L);
    sink += acre::get(peer_);
    acre::fetch_add(peer_, 1L);
    acre::put_nbi(peer_, 1L);
    acre::quiet();
  }
  void TearDown() override {
    acre::barrier();
    acre::runtime::free_symmetric(block_);
  }
  [[nodiscard]] bool same_node() const { return peer_.is_local(); }

  instruction_trace trace_;
  global_ptr<long> peer_;

 private:
  void* block_ = nullptr;
};

TEST_F(Budget, PutAndGetToTheSameNodeTakeEightInstructions) {
  if (!same_node()) return;
  const char* const where = "same node";
  expect_within({"acre::put 8 B", 8}, where, trace_.cost(put_8, empty, peer_, 7L));
  // The count includes the inlined path's stack frame.
  expect_within({"acre::put_nbi 8 B", 12}, where, trace_.cost(put_nbi_8, empty, peer_, 7L));
  expect_within({"acre::get 8 B", 9}, where, trace_.cost(get_8, store_8, peer_, 7L) + 1);
  expect_within({"acre::fetch_add 8 B", 10}, where, trace_.cost(add_8, empty, peer_, 7L));
}

TEST_F(Budget, PutToAnotherNodeReachesTheProviderInTwentyInstructions) {
  if (same_node()) return;
  acre::barrier();
  expect_within({"acre::put_nbi 8 B", 20}, "other node",
                trace_.steps_to_library(put_nbi_8, peer_, 7L));
  acre::quiet();
}

TEST_F(Budget, QuietWithNothingOutstandingIsShort) {
  if (!same_node()) return;
  expect_within({"acre::quiet, nothing outstanding", 8}, "job of one node",
                trace_.cost(quiet_idle, empty, peer_, 7L));
}

}  // namespace
