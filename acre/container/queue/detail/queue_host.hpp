// SPDX-License-Identifier: BSD-3-Clause
// Waiting for the host of a queue without flooding it, and what goes wrong with queues.
#pragma once

#include <acre/base/site.hpp>
#include <acre/runtime/wait.hpp>
#include <acre/runtime/world.hpp>

#include <cstdint>

namespace acre::container {

/// Waits for 20 µs after no pauses before, twice as long after each, 2 ms at most.
void pause(runtime::waiter& waiting, std::uint32_t pauses_before);

/// Repeats an attempt that costs a round trip until it succeeds; pauses between, which
/// double from 20 µs to 2 ms. User code of others runs meanwhile.
template <class Attempt>
void retry_with_pauses(Attempt&& attempt, const char* what, const site& where) {
  if (attempt()) return;
  runtime::waiter waiting(what, runtime::may_run::user_code, where);
  for (std::uint32_t pauses = 0;; ++pauses) {
    pause(waiting, pauses);
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

}  // namespace acre::container
