// SPDX-License-Identifier: BSD-3-Clause
// Instruction budgets of calls; exceeding one is a defect. Prints JSON for `make bench
// NAME=instructions`.
#pragma once

#include "instruction_trace.hpp"
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <string>

namespace budgets {

struct budget {
  const char* call;
  std::size_t bar;
  /// Count in the Scalable Fabric Interface paper, or 0.
  std::size_t paper = 0;
};

inline void expect_within(const budget& given, const char* where, std::size_t measured) {
  EXPECT_GT(measured, 0U) << given.call;
  EXPECT_LE(measured, given.bar) << given.call << ", " << where;
  if (acre::rank() != 0) return;
  std::printf(
      "{\"call\": \"%s\", \"where\": \"%s\", \"paper\": %s, "
      "\"bar\": %zu, \"measured\": %zu, \"compiler\": \"%s\"}\n",
      given.call, where, given.paper == 0 ? "null" : std::to_string(given.paper).c_str(), given.bar,
      measured, __VERSION__);
}

}  // namespace budgets
