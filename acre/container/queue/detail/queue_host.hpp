// SPDX-License-Identifier: BSD-3-Clause
// Polls a queue's host with back-off; errors of queues.
#pragma once

#include <acre/base/site.hpp>
#include <acre/runtime/wait.hpp>
#include <acre/runtime/world.hpp>

#include <cstdint>

namespace acre::container {

/// Waits 20 µs · 2^pauses_before, at most 2 ms.
void pause(runtime::waiter& waiting, std::uint32_t pauses_before);

/// Other ranks' user code runs meanwhile.
template <class Attempt>
void retry_with_pauses(Attempt&& attempt, const char* what, const site& where) {
  if (attempt()) return;
  runtime::waiter waiting(what, runtime::may_run::user_code, where);
  for (std::uint32_t pauses = 0;; ++pauses) {
    pause(waiting, pauses);
    if (attempt()) return;
  }
}

[[noreturn]] void throw_no_queue(const char* kind, const char* operation);
[[noreturn]] void throw_not_host(const char* call, rank_t host);
[[noreturn]] void throw_not_settled(const char* call, std::uint64_t first, std::uint64_t count,
                                    std::uint64_t size);
[[noreturn]] void throw_failed_migration(const char* call);
[[noreturn]] void throw_never_fits(const char* call, std::uint64_t values, std::uint64_t capacity);
[[noreturn]] void throw_too_few_places(const char* call, std::uint64_t values,
                                       std::uint64_t capacity);

}  // namespace acre::container
