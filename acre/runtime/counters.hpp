// SPDX-License-Identifier: BSD-3-Clause
// What this rank has done, by kind: the numbers that costs are stated in.
//
// A count is one instruction (an increment in memory), so that it fits into the
// budget of a put. Threads of a rank that count at the same moment may lose a
// count, never more. -DACRE_COUNTERS=OFF compiles all of it out.
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
  // One-sided, by load and store; the first four are puts of 1, 2, 4 and 8 bytes.
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
  // One-sided, through the network; the first four as above.
  network_put_1,
  network_put_2,
  network_put_4,
  network_put_8,
  network_put,
  network_put_bytes,
  network_get,
  network_get_bytes,
  network_atomic,
  // Two-sided and collective.
  message_sent,
  message_bytes,
  message_received,
  /// What came through the network and was none of this job's messages.
  message_refused,
  rpc,
  barrier,
  collective,
  // What waiting cost.
  no_room,
  sleep,
  yield,
  /// No count: the most bytes of messages that have waited for the owner at once.
  most_inbox_bytes,
  // What memory is made of.
  huge_page,
  count_
};

using counter_values = std::array<std::uint64_t, static_cast<std::size_t>(counted::count_)>;

extern constinit counter_values counter_table;

/// One instruction where the processor has one.
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

/// Keeps the largest amount.
inline void count_most([[maybe_unused]] counted what,
                       [[maybe_unused]] std::uint64_t amount) noexcept {
#if ACRE_COUNTERS
  std::uint64_t& most = counter_table[static_cast<std::size_t>(what)];
  if (amount > most) most = amount;
#endif
}

/// What operations have done in memory that is mapped here, in the terms of the cost model.
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

/// Counts a put or get of a size known at compile time: of 1, 2, 4 and 8 bytes as one of
/// the four that begin with `first`, which takes one instruction; others with their bytes.
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

/// Operations of this rank so far, in the terms of the cost model: R, W, A, M, B.
/// Subtract two of them to see what happened in between.
struct operation_counts {
  std::uint64_t reads = 0;  ///< R: gets, through memory or the network
  std::uint64_t read_bytes = 0;
  std::uint64_t writes = 0;  ///< W: puts
  std::uint64_t write_bytes = 0;
  std::uint64_t atomics = 0;   ///< A
  std::uint64_t messages = 0;  ///< M: active messages sent
  std::uint64_t message_bytes = 0;
  std::uint64_t rpcs = 0;
  std::uint64_t barriers = 0;  ///< B
  std::uint64_t collectives = 0;
  std::uint64_t network_operations = 0;  ///< of the reads, writes and atomics, those to other nodes

  friend operation_counts operator-(const operation_counts& later, const operation_counts& earlier);
};

/// The counts of this rank. All 0 in a build without counters.
[[nodiscard]] operation_counts counters();

}  // namespace acre
