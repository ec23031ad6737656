// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/network_line.hpp>

namespace acre::runtime {

constinit fabric::direct_line network_line;

bool ask_those_counted_apart() {
  network_line.notice(network_line.gets);
  network_line.notice(network_line.other_puts);
  return network_is_quiet();
}

bool ask_puts_are_complete() {
  const std::uint64_t completed = network_line.read(network_line.counter);
  std::atomic_thread_fence(std::memory_order_acquire);
  network_line.completed.store(completed, std::memory_order_release);
  if (completed == network_line.issued.load(std::memory_order_acquire)) return true;
  network_line.notice(network_line.other_puts);
  return network_line.has_issued_only(completed);
}

bool ask_gets_are_complete() {
  network_line.notice(network_line.gets);
  return network_line.gets.is_quiet();
}

}  // namespace acre::runtime
