// SPDX-License-Identifier: BSD-3-Clause
// Instruction budgets of OpenSHMEM calls, to the provider or the return.
#include <shmem.h>

#include "budget.hpp"
#include "call_cycles.hpp"
#include <acre/runtime/network_line.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using budgets::budget;
using budgets::expect_within;

class ShmemBudget : public testing::Test {
 protected:
  static void SetUpTestSuite() { shmem_init(); }
  static void TearDownTestSuite() { shmem_finalize(); }

  void SetUp() override {
    shmem_int_p(number, 1, peer_);
    static_cast<void>(shmem_int_g(number, peer_));
    shmem_long_p(word, 1, peer_);
    static_cast<void>(shmem_long_atomic_fetch_add(word, 1, peer_));
    shmem_barrier_all();
  }
  void TearDown() override { shmem_barrier_all(); }

  [[nodiscard]] bool same_node() const { return shmem_ptr(word, peer_) != nullptr; }

  template <class Result, class... Parameters>
  void expect_whole(const budget& given, const char* where, Result (*call)(Parameters...),
                    std::type_identity_t<Parameters>... arguments) {
    expect_within(given, where, trace_.whole_call<Result, Parameters...>(call, arguments...));
  }
  template <class... Parameters>
  void expect_to_provider(const budget& given, void (*call)(Parameters...),
                          std::type_identity_t<Parameters>... arguments) {
    expect_within(given, "other node",
                  trace_.steps_to_library<void, Parameters...>(call, arguments...));
    shmem_quiet();
  }

  budgets::instruction_trace trace_;
  int peer_ = (shmem_my_pe() + 1) % shmem_n_pes();
  long source_ = 7;

  static inline int number[16] = {};
  static inline long word[16] = {};
};

TEST_F(ShmemBudget, CallsWithinANodeReturnSoon) {
  if (!same_node()) return;
  const char* const where = "same node";
  expect_whole({"shmem_int_p", 12}, where, shmem_int_p, number, 7, peer_);
  expect_whole({"shmem_long_p", 12}, where, shmem_long_p, word, 7, peer_);
  expect_whole({"shmem_ctx_int_p", 16}, where, shmem_ctx_int_p, SHMEM_CTX_DEFAULT, number, 7,
               peer_);
  expect_whole({"shmem_int_g", 12}, where, shmem_int_g, number, peer_);
  expect_whole({"shmem_long_g", 12}, where, shmem_long_g, word, peer_);
  expect_whole({"shmem_long_put 8 B", 40}, where, shmem_long_put, word, &source_, 1, peer_);
  expect_whole({"shmem_putmem 8 B", 40}, where, shmem_putmem, word, &source_, 8, peer_);
  expect_whole({"shmem_getmem 8 B", 40}, where, shmem_getmem, &source_, word, 8, peer_);
  expect_whole({"shmem_long_atomic_fetch_add", 16}, where, shmem_long_atomic_fetch_add, word, 1,
               peer_);
  expect_whole({"shmem_long_atomic_add", 16}, where, shmem_long_atomic_add, word, 1, peer_);
  expect_whole({"shmem_long_atomic_compare_swap", 16}, where, shmem_long_atomic_compare_swap, word,
               1, 2, peer_);
}

TEST_F(ShmemBudget, PutsToAnotherNodeReachTheProviderSoon) {
  if (same_node()) return;
  expect_to_provider({"shmem_int_p", 16, 16}, shmem_int_p, number, 7, peer_);
  expect_to_provider({"shmem_long_p", 16}, shmem_long_p, word, 7, peer_);
  expect_to_provider({"shmem_ctx_int_p", 20}, shmem_ctx_int_p, SHMEM_CTX_DEFAULT, number, 7, peer_);
  expect_to_provider({"shmem_putmem 8 B", 60}, shmem_putmem, word, &source_, 8, peer_);
}

TEST_F(ShmemBudget, QuietWithNothingOutstandingIsShort) {
  const char* const where = same_node() ? "job of one node" : "job of many nodes";
  const std::size_t bar = 11;
  expect_whole({"shmem_quiet, nothing outstanding", bar}, where, shmem_quiet);
  expect_whole({"shmem_ctx_quiet, nothing outstanding", bar}, where, shmem_ctx_quiet,
               SHMEM_CTX_DEFAULT);
  expect_whole({"shmem_fence", bar}, where, shmem_fence);
}

TEST_F(ShmemBudget, QuietAfterAPutThatIsDoneIsShort) {
  if (same_node()) return;
  shmem_long_p(word, 1, peer_);
  auto& line = acre::runtime::network_line;
  while (line.read(line.counter) != line.issued) {
  }
  std::size_t most = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    // The put is complete, but this rank has not noticed it, unless its helper thread has.
    line.completed = line.issued - 1;
    most = std::max(most, trace_.own_steps(shmem_quiet));
  }
  expect_within({"shmem_quiet, one put pending and done", 20, 11}, "other node", most);
}

TEST_F(ShmemBudget, CyclesAreMeasuredWithoutTheProvider) {
  using budgets::call_cycles;
  const auto nothing = [] {};
  const auto put = [this] { shmem_int_p(number, 7, peer_); };
  if (same_node()) {
    budgets::print_cycles("shmem_int_p", "same node", call_cycles::of(put, nothing));
    const auto get = [this] { static_cast<void>(shmem_int_g(number, peer_)); };
    budgets::print_cycles("shmem_int_g", "same node", call_cycles::of(get, nothing));
    return;
  }
  shmem_quiet();
  const budgets::instant_network network;
  auto& line = acre::runtime::network_line;
  budgets::print_cycles("shmem_int_p", "other node", call_cycles::of(put, nothing));
  const auto leave_one = [&] { line.completed = line.issued - 1; };
  const double cycles = call_cycles::of(shmem_quiet, leave_one);
  budgets::print_cycles("shmem_quiet, one put pending and done", "other node", cycles);
  EXPECT_GT(cycles, 0);
}

}  // namespace
