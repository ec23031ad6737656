// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/queue/detail/queue_host.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <chrono>
#include <string>

namespace acre::container {

void pause(runtime::waiter& waiting, std::uint32_t pauses_before) {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds shortest(20);
  constexpr std::chrono::microseconds longest(2000);
  const auto until =
      clock::now() + std::min(shortest * (1 << std::min(pauses_before, 10U)), longest);
  do {
    waiting.step();
  } while (clock::now() < until);
}

void throw_no_queue(const char* kind, const char* operation) {
  throw error(std::string(kind) + "::" + operation,
              "the queue does not exist: it was moved from or never constructed",
              std::string("construct it with ") + kind + "{team, host, capacity}");
}

void throw_not_host(const char* call, rank_t host) {
  throw error(call, "this call is reserved for the host, member " + std::to_string(host),
              "migrate() the queue to this rank, or guarantee less");
}

void throw_not_settled(const char* call, std::uint64_t first, std::uint64_t count,
                       std::uint64_t size) {
  throw error(call,
              std::to_string(count) + " values from " + std::to_string(first) +
                  " on exceed the queue's " + std::to_string(size),
              "read values below size()");
}

void throw_failed_migration(const char* call) {
  throw error(call, "the new host is out of memory for the values; the queue is unchanged",
              "check the message of the new host");
}

void throw_never_fits(const char* call, std::uint64_t values, std::uint64_t capacity) {
  throw error(call,
              std::to_string(values) + " values at once never fit a capacity of " +
                  std::to_string(capacity),
              "make the queue larger, or the span shorter");
}

void throw_too_few_places(const char* call, std::uint64_t values, std::uint64_t capacity) {
  throw error(call,
              "the queue holds " + std::to_string(values) +
                  " values, which do not fit a capacity of " + std::to_string(capacity) +
                  "; the queue is unchanged",
              "use a larger capacity, or pop values first");
}

}  // namespace acre::container
