// SPDX-License-Identifier: BSD-3-Clause
// Fast paths to other nodes, and completion counters of one-sided operations.
#pragma once

#include <acre/fabric/direct_line.hpp>

#include <atomic>
#include <cstdint>

namespace acre::runtime {

/// Filled by the conduit.
extern constinit fabric::direct_line network_line;

/// True if all issued puts and gets are complete.
[[nodiscard, gnu::always_inline]] inline bool network_is_quiet() noexcept {
  const std::uint64_t completed = network_line.completed.load(std::memory_order_acquire);
  return completed == network_line.issued.load(std::memory_order_acquire);
}
/// As above, but polls the provider first.
[[nodiscard]] bool ask_those_counted_apart();
[[nodiscard, gnu::always_inline]] inline bool ask_network_is_quiet() {
  const std::uint64_t completed = network_line.read(network_line.counter);
  // Providers may read their counter without an order.
  std::atomic_thread_fence(std::memory_order_acquire);
  network_line.completed.store(completed, std::memory_order_release);
  if (completed == network_line.issued.load(std::memory_order_acquire)) return true;
  return ask_those_counted_apart();
}

/// True if all issued puts are complete, whatever the gets. Polls the provider.
[[nodiscard]] bool ask_puts_are_complete();
/// True if all issued gets are complete, whatever the puts. Polls the provider.
[[nodiscard]] bool ask_gets_are_complete();

}  // namespace acre::runtime
