// SPDX-License-Identifier: BSD-3-Clause
// Flow control of requests to other nodes: limits how much a computing rank must hold. Per target,
// a sender has a window of bytes that the owner has not begun to run.
//
// A credit counter per rank, in units of 64 bytes. Lower half: requests under way to it; upper
// half: its requests run here, unacknowledged. Threads add and subtract (relaxed: no memory is
// guarded). Message headers acknowledge; half a window gets a message of its own.
//
// Put messages with a request count too. Answers, other built-in messages, puts, gets and atomics
// are never held back.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/fabric/message.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace acre::runtime {

using account = std::atomic<std::uint64_t>;

struct request_windows {
  account* accounts = nullptr;
  std::uint32_t window = 0;
};
extern constinit request_windows windows_of_requests;

inline constexpr std::size_t request_unit = 64;

/// Units of a request: space that it and its envelope need at the target.
[[nodiscard]] constexpr std::uint32_t request_units(std::size_t argument_count,
                                                    std::size_t payload_bytes) noexcept {
  const std::size_t body = argument_count * sizeof(fabric::word) + payload_bytes;
  return static_cast<std::uint32_t>(1 + (body + request_unit - 1) / request_unit);
}
[[nodiscard]] constexpr std::uint32_t request_units(const fabric::message_header& header) noexcept {
  return request_units(header.argument_count, header.payload_bytes);
}

/// Bytes of a window: 32 MiB divided among `senders`, from 4 KiB to 1 MiB.
[[nodiscard]] constexpr std::size_t window_bytes(std::size_t senders) noexcept {
  constexpr std::size_t together = std::size_t{32} << 20;
  constexpr std::size_t least = std::size_t{4} << 10;
  constexpr std::size_t most = std::size_t{1} << 20;
  return smaller(larger(together / larger(senders, std::size_t{1}), least), most);
}

/// The window in units. Equal on all ranks: receivers acknowledge half of their own window, so a
/// smaller one of a sender would deadlock.
[[nodiscard]] constexpr std::uint32_t window_of_job(std::size_t ranks) noexcept {
  return static_cast<std::uint32_t>(window_bytes(ranks - 1) / request_unit);
}

[[nodiscard]] inline bool has_room(const account& there) noexcept {
  return static_cast<std::uint32_t>(there.load(std::memory_order_relaxed)) <
         windows_of_requests.window;
}
[[nodiscard]] inline std::uint32_t under_way(const account& there) noexcept {
  return static_cast<std::uint32_t>(there.load(std::memory_order_relaxed));
}
inline void charge(account& there, std::uint32_t units) noexcept {
  there.fetch_add(units, std::memory_order_relaxed);
}
/// Subtracts units that have run, or were not sent.
inline void discharge(account& there, std::uint32_t units) noexcept {
  there.fetch_sub(units, std::memory_order_relaxed);
}
[[gnu::noinline, gnu::cold]] inline void discharge_rank(std::uint32_t rank,
                                                        std::uint32_t units) noexcept {
  discharge(windows_of_requests.accounts[rank], units);
}

/// Records that a request of that rank begins to run.
/// @return true if it is time to acknowledge
inline bool note_run(account& there, std::uint32_t units) noexcept {
  const std::uint64_t before =
      there.fetch_add(std::uint64_t{units} << 32, std::memory_order_relaxed);
  return (before >> 32) + units >= windows_of_requests.window / 2;
}

/// Takes at most `most` units to acknowledge.
[[nodiscard]] inline std::uint32_t take_run(account& there, std::uint32_t most) noexcept {
  std::uint64_t now = there.load(std::memory_order_relaxed);
  std::uint32_t taken = 0;
  do {
    taken = smaller(static_cast<std::uint32_t>(now >> 32), most);
    if (taken == 0) return 0;
  } while (!there.compare_exchange_weak(now, now - (std::uint64_t{taken} << 32),
                                        std::memory_order_relaxed));
  return taken;
}
/// Returns units taken by take_run() that could not be acknowledged.
inline void put_back_run(account& there, std::uint32_t units) noexcept {
  there.fetch_add(std::uint64_t{units} << 32, std::memory_order_relaxed);
}

}  // namespace acre::runtime
