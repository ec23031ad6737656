// Waiting for the host of a queue without flooding it, and what goes wrong with queues.
#pragma once

#include <acre/runtime/wait.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <source_location>

namespace acre::detail {

/// Repeats an attempt that costs a round trip until it succeeds; pauses between, which
/// double from 20 µs to 2 ms. User code of others runs meanwhile.
template <class Attempt>
void retry_with_pauses(Attempt&& attempt, const char* what, const std::source_location& where) {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds shortest(20);
  constexpr std::chrono::microseconds longest(2000);
  if (attempt()) return;
  runtime::waiter waiting(what, runtime::may_run::user_code, where);
  for (auto pause = shortest;; pause = std::min(2 * pause, longest)) {
    const auto next = clock::now() + pause;
    do {
      waiting.step();
    } while (clock::now() < next);
    if (attempt()) return;
  }
}

/// @param kind  "circular_queue", whose `operation` was called
[[noreturn]] void throw_no_queue(const char* kind, const char* operation);
[[noreturn]] void throw_not_host(const char* call, rank_t host);
[[noreturn]] void throw_failed_migration(const char* call);
[[noreturn]] void throw_never_fits(const char* call, std::uint64_t values, std::uint64_t capacity);
[[noreturn]] void throw_too_few_places(const char* call, std::uint64_t values,
                                       std::uint64_t capacity);

}  // namespace acre::detail
