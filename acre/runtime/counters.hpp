// SPDX-License-Identifier: BSD-3-Clause
// Operation counts of this rank, for the cost model. Simultaneous threads may lose counts.
// -DACRE_COUNTERS=OFF removes them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#ifndef ACRE_COUNTERS
#define ACRE_COUNTERS 1
#endif

namespace acre::runtime {

enum class counted : std::uint8_t {
  // Accesses by load and store (memory mapped here); puts of 1, 2, 4 and 8 bytes first.
  direct_put_1,
  direct_put_2,
  direct_put_4,
  direct_put_8,
  direct_put,
  direct_put_bytes,
  direct_get_1,
  direct_get_2,
  direct_get_4,
  direct_get_8,
  direct_get,
  direct_get_bytes,
  direct_atomic,
  // Accesses through the network.
  network_put_1,
  network_put_2,
  network_put_4,
  network_put_8,
  network_put,
  network_put_bytes,
  network_get,
  network_get_bytes,
  network_atomic,
  message_sent,
  message_bytes,
  message_received,
  /// From the network, but not from this job.
  message_refused,
  /// Received in a job without seals.
  message_unsealed,
  rpc,
  barrier,
  collective,
  no_room,
  sleep,
  yield,
  /// Maximum number of bytes queued for the owner.
  most_inbox_bytes,
  huge_page,
  count_
};

using counter_values = std::array<std::uint64_t, static_cast<std::size_t>(counted::count_)>;

extern constinit counter_values counter_table;

inline void increment([[maybe_unused]] std::uint64_t& counter) noexcept {
#if ACRE_COUNTERS
#if defined(__x86_64__)
  asm("incq %0" : "+m"(counter));
#else
  ++counter;
#endif
#endif
}
inline void increase([[maybe_unused]] std::uint64_t& counter,
                     [[maybe_unused]] std::uint64_t amount) noexcept {
#if ACRE_COUNTERS
  if (__builtin_constant_p(amount) && amount == 0) return;
#if defined(__x86_64__)
  asm("addq %1, %0" : "+m"(counter) : "er"(amount));
#else
  counter += amount;
#endif
#endif
}

inline void count(counted what) noexcept {
  increment(counter_table[static_cast<std::size_t>(what)]);
}
inline void count(counted what, std::uint64_t amount) noexcept {
  increase(counter_table[static_cast<std::size_t>(what)], amount);
}

inline void count_most([[maybe_unused]] counted what,
                       [[maybe_unused]] std::uint64_t amount) noexcept {
#if ACRE_COUNTERS
  std::uint64_t& most = counter_table[static_cast<std::size_t>(what)];
  if (amount > most) most = amount;
#endif
}

/// Operations on memory mapped here.
struct direct_costs {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t atomics = 0;  ///< locked instructions

  direct_costs& operator+=(const direct_costs& more) noexcept {
    reads += more.reads;
    writes += more.writes;
    atomics += more.atomics;
    return *this;
  }
};

inline void count(const direct_costs& spent) noexcept {
  count(counted::direct_get, spent.reads);
  if (spent.writes != 0) count(counted::direct_put, spent.writes);
  if (spent.atomics != 0) count(counted::direct_atomic, spent.atomics);
}

/// Counts a put or get: 1, 2, 4 and 8 bytes in one of four counters from `first`.
template <std::size_t Bytes>
void count_sized(counted first, counted bulk, counted bulk_bytes) noexcept {
  if constexpr (std::has_single_bit(Bytes) && Bytes <= 8) {
    count(static_cast<counted>(static_cast<std::size_t>(first) + std::bit_width(Bytes) - 1));
  } else {
    count(bulk);
    count(bulk_bytes, Bytes);
  }
}

}  // namespace acre::runtime

namespace acre {

/// Operations of this rank; subtract two for an interval.
struct operation_counts {
  std::uint64_t reads = 0;  ///< R: gets
  std::uint64_t read_bytes = 0;
  std::uint64_t writes = 0;  ///< W: puts
  std::uint64_t write_bytes = 0;
  std::uint64_t atomics = 0;   ///< A
  std::uint64_t messages = 0;  ///< M: active messages
  std::uint64_t message_bytes = 0;
  std::uint64_t rpcs = 0;
  std::uint64_t barriers = 0;  ///< B
  std::uint64_t collectives = 0;
  std::uint64_t network_operations = 0;  ///< reads, writes and atomics to other nodes

  friend operation_counts operator-(const operation_counts& later, const operation_counts& earlier);
};

/// Counts of this rank; 0 without counters.
[[nodiscard]] operation_counts counters();

}  // namespace acre
