// SPDX-License-Identifier: BSD-3-Clause
// Instruction budgets of GASNet calls and shared arrays.
#include "budget.hpp"
#include "call_cycles.hpp"
#include <acre/base/aes.hpp>
#include <acre/base/environment.hpp>
#include <acre/runtime/remote.hpp>

#include <gtest/gtest.h>

#include <acre_upc.h>
#include <algorithm>
#include <optional>

namespace {

using acre::upc::shared_array;
using budgets::expect_within;

[[gnu::noinline]] void write_second(const shared_array<long>& x, long y) { x[1] = y; }
[[gnu::noinline]] void fence() { acre::upc::fence(); }

/// By the seals of messages (docs/decisions/019-who-is-heard.md).
budgets::budget budget_of_short_message() {
  const auto seals = acre::environment("ACRE_OFI_SEALS");
  if (seals == "off") return {"gasnet_AMRequestShort0, ACRE_OFI_SEALS=off", 26, 106};
  if (seals == "siphash" || !acre::base::processor_has_aes()) {
    return {"gasnet_AMRequestShort0, ACRE_OFI_SEALS=siphash", 250};
  }
  return {"gasnet_AMRequestShort0", 60, 106};
}

class GasnetBudget : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    int argc = 0;
    char** argv = nullptr;
    gasnet_handlerentry_t handlers[] = {{handler_, reinterpret_cast<void (*)()>(&ignore)}};
    run_.emplace(argc, argv, std::size_t{1} << 20, handlers);
    x_.emplace(16);
  }
  static void TearDownTestSuite() {
    x_.reset();
    run_.reset();
  }

  void SetUp() override {
    gasnet_seginfo_t segments[2];
    ASSERT_EQ(gasnet_nodes(), 2U);
    ASSERT_EQ(gasnet_getSegmentInfo(segments, 2), GASNET_OK);
    there_ = static_cast<char*>(segments[peer_].addr) + 1024;
    put();
    gasnet_wait_syncnbi_puts();
    (*x_)[peer_] = 1;
    acre::upc::barrier();
  }
  void TearDown() override { acre::upc::barrier(); }

  [[nodiscard]] bool same_node() const { return acre::runtime::world.bases[peer_] != 0; }
  void put() { gasnet_put_nbi(peer_, there_, &source_, sizeof source_); }

  budgets::instruction_trace trace_;
  gasnet_node_t peer_ = 1 - gasnet_mynode();
  char* there_ = nullptr;
  long source_ = 7;

  static constexpr gasnet_handler_t handler_ = 128;
  static void ignore(gasnet_token_t) {}

  static inline std::optional<acre::upc::program> run_;
  static inline std::optional<shared_array<long>> x_;
};

TEST_F(GasnetBudget, CallsToAnotherNodeReachTheProviderSoon) {
  if (same_node()) return;
  expect_within({"gasnet_put_nbi 8 B", 24}, "other node",
                trace_.steps_to_library(gasnet_put_nbi, peer_, there_, &source_, sizeof source_));
  gasnet_wait_syncnbi_puts();
  if (gasnet_mynode() == 0) {
    expect_within({"x[1] = y, shared array", 30}, "other node",
                  trace_.steps_to_library(write_second, *x_, 7L));
  }
  acre::upc::fence();
  expect_within(budget_of_short_message(), "other node",
                trace_.steps_to_library(gasnet_AMRequestShort0, peer_, handler_));
}

TEST_F(GasnetBudget, WaitingForWhatIsDoneIsShort) {
  const char* const where = same_node() ? "same node" : "other node";
  const std::size_t bar = 30;
  put();
  auto& line = acre::runtime::network_line;
  while (!same_node() && line.read(line.counter) != line.issued) {
  }
  std::size_t most = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    // The put is complete, but this rank has not noticed it, unless its helper thread has.
    if (!same_node()) line.completed = line.issued - 1;
    most = std::max(most, trace_.own_steps(gasnet_wait_syncnbi_puts));
  }
  expect_within({"gasnet_wait_syncnbi_puts, one pending and done", bar, 56}, where, most);
  expect_within({"upc_fence", 20}, where, trace_.own_steps(fence));
}

TEST_F(GasnetBudget, CyclesAreMeasuredWithoutTheProvider) {
  if (same_node()) return;
  gasnet_wait_syncnbi_all();
  const budgets::instant_network network;
  auto& line = acre::runtime::network_line;
  const double cycles = budgets::call_cycles::of([this] { put(); }, [] {});
  budgets::print_cycles("gasnet_put_nbi 8 B", "other node", cycles);
  EXPECT_GT(cycles, 0);
  budgets::print_cycles("gasnet_wait_syncnbi_puts, one pending and done", "other node",
                        budgets::call_cycles::of(gasnet_wait_syncnbi_puts,
                                                 [&] { line.completed = line.issued - 1; }));
}

}  // namespace
