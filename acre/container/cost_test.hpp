// SPDX-License-Identifier: BSD-3-Clause
// Counts the costs of operations.
#pragma once

#include <acre/runtime/counters.hpp>

#include <array>
#include <cstdint>

namespace acre::testing {

/// {R, W, A, M}
using costs = std::array<std::uint64_t, 4>;

template <class Operation>
costs cost(Operation&& operation) {
  const auto before = counters();
  operation();
  const auto spent = counters() - before;
  return {spent.reads, spent.writes, spent.atomics, spent.messages};
}

}  // namespace acre::testing
