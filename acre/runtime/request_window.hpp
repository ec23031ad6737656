// SPDX-License-Identifier: BSD-3-Clause
// Requests to ranks of other nodes are held back, so that a rank that computes is not sent more
// than it can hold: a sender may have a window of bytes at each target that its owner has not begun
// to run. In a node the ring is the bound. An owner that is held back itself, as in a cycle of
// ranks that send to each other, lets others send on until 4 MiB are queued, and then runs what is
// queued.
//
// For each rank of another node there is one word. Its lower half is what this rank has under way
// to it, its upper half what this rank has run of it and has not told it yet; both in units of 64
// bytes. Threads of this rank add and subtract (relaxed: the numbers guard no memory). What was run
// is told in the header of any message that goes there anyway; half a window that is not told yet
// gets a message of its own. So what is not told is less than half a window, and a sender that has
// been told of everything else may send.
//
// A put's message that brings a request (put_message.hpp) is one here. Answers, other built-in
// messages, puts, gets and atomics are never held back.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/fabric/message.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace acre::runtime {

using account = std::atomic<std::uint64_t>;

/// What is known of the requests under way to and from ranks of other nodes.
struct request_windows {
  account* accounts = nullptr;  ///< by rank
  std::uint32_t window = 0;     ///< units
};
/// Filled when the job starts.
extern constinit request_windows windows_of_requests;

inline constexpr std::size_t request_unit = 64;

/// What a request takes at its target, its envelope there included.
[[nodiscard]] constexpr std::uint32_t request_units(std::size_t argument_count,
                                                    std::size_t payload_bytes) noexcept {
  const std::size_t body = argument_count * sizeof(fabric::word) + payload_bytes;
  return static_cast<std::uint32_t>(1 + (body + request_unit - 1) / request_unit);
}
[[nodiscard]] constexpr std::uint32_t request_units(const fabric::message_header& header) noexcept {
  return request_units(header.argument_count, header.payload_bytes);
}

/// The window that all ranks have for each other, in bytes: together 32 MiB, but no less than 4 KiB
/// each and no more than 1 MiB. A rank holds at most as many windows as ranks of other nodes send
/// to it, and one message of each.
[[nodiscard]] constexpr std::size_t window_bytes(std::size_t senders) noexcept {
  constexpr std::size_t together = std::size_t{32} << 20;
  constexpr std::size_t least = std::size_t{4} << 10;
  constexpr std::size_t most = std::size_t{1} << 20;
  return smaller(larger(together / larger(senders, std::size_t{1}), least), most);
}

/// The same in units, for a job of so many ranks. It is alike on all of them, however many of the
/// others are neighbours: who receives tells after half of its own window, and a sender with a
/// smaller one would wait for that for ever.
[[nodiscard]] constexpr std::uint32_t window_of_job(std::size_t ranks) noexcept {
  return static_cast<std::uint32_t>(window_bytes(ranks - 1) / request_unit);
}

[[nodiscard]] inline bool has_room(const account& there) noexcept {
  return static_cast<std::uint32_t>(there.load(std::memory_order_relaxed)) <
         windows_of_requests.window;
}
/// What this rank has under way there, in units.
[[nodiscard]] inline std::uint32_t under_way(const account& there) noexcept {
  return static_cast<std::uint32_t>(there.load(std::memory_order_relaxed));
}
inline void charge(account& there, std::uint32_t units) noexcept {
  there.fetch_add(units, std::memory_order_relaxed);
}
/// What was charged was not sent, or was run.
inline void discharge(account& there, std::uint32_t units) noexcept {
  there.fetch_sub(units, std::memory_order_relaxed);
}

/// A request of that rank's begins to run here.
/// @return whether it has to be told now
inline bool note_run(account& there, std::uint32_t units) noexcept {
  const std::uint64_t before =
      there.fetch_add(std::uint64_t{units} << 32, std::memory_order_relaxed);
  return (before >> 32) + units >= windows_of_requests.window / 2;
}

/// Takes what is to be told, at most so much.
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
/// It was not told after all.
inline void put_back_run(account& there, std::uint32_t units) noexcept {
  there.fetch_add(std::uint64_t{units} << 32, std::memory_order_relaxed);
}

}  // namespace acre::runtime
