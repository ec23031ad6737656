// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/counters.hpp>

namespace acre::runtime {

constinit counter_values counter_table{};

namespace {

std::uint64_t at(counted what) { return counter_table[static_cast<std::size_t>(what)]; }

std::uint64_t after(counted first, std::size_t steps) {
  return counter_table[static_cast<std::size_t>(first) + steps];
}

}  // namespace

}  // namespace acre::runtime

namespace acre {

operation_counts counters() {
  using namespace runtime;
  operation_counts now;
  std::uint64_t network_puts = at(counted::network_put);
  for (std::size_t i = 0; i < 4; ++i) {
    now.writes += after(counted::direct_put_1, i);
    now.write_bytes += after(counted::direct_put_1, i) << i;
    network_puts += after(counted::network_put_1, i);
    now.write_bytes += after(counted::network_put_1, i) << i;
    now.reads += after(counted::direct_get_1, i);
    now.read_bytes += after(counted::direct_get_1, i) << i;
  }
  now.writes += at(counted::direct_put) + network_puts;
  now.write_bytes += at(counted::direct_put_bytes) + at(runtime::counted::network_put_bytes);
  now.reads += at(counted::direct_get) + at(runtime::counted::network_get);
  now.read_bytes += at(counted::direct_get_bytes) + at(runtime::counted::network_get_bytes);
  now.atomics = at(counted::direct_atomic) + at(runtime::counted::network_atomic);
  now.messages = at(counted::message_sent);
  now.message_bytes = at(counted::message_bytes);
  now.rpcs = at(counted::rpc);
  now.barriers = at(counted::barrier);
  now.collectives = at(counted::collective);
  now.network_operations =
      network_puts + at(counted::network_get) + at(runtime::counted::network_atomic);
  return now;
}

operation_counts operator-(const operation_counts& later, const operation_counts& earlier) {
  return {.reads = later.reads - earlier.reads,
          .read_bytes = later.read_bytes - earlier.read_bytes,
          .writes = later.writes - earlier.writes,
          .write_bytes = later.write_bytes - earlier.write_bytes,
          .atomics = later.atomics - earlier.atomics,
          .messages = later.messages - earlier.messages,
          .message_bytes = later.message_bytes - earlier.message_bytes,
          .rpcs = later.rpcs - earlier.rpcs,
          .barriers = later.barriers - earlier.barriers,
          .collectives = later.collectives - earlier.collectives,
          .network_operations = later.network_operations - earlier.network_operations};
}

}  // namespace acre
