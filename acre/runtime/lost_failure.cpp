// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/lost_failure.hpp>

#include <atomic>
#include <deque>
#include <mutex>
#include <utility>

namespace acre::runtime {
namespace {

constexpr std::size_t most_failures = 16;

struct kept_failures {
  std::mutex mutex;
  std::deque<std::exception_ptr> oldest_first;
  std::atomic<bool> any{false};
};

/// Never destroyed: static objects may hold futures.
kept_failures& kept() {
  static auto& failures = *new kept_failures;
  return failures;
}

}  // namespace

void keep_lost_failure(std::exception_ptr failure) noexcept {
  const std::lock_guard lock(kept().mutex);
  auto& failures = kept().oldest_first;
  if (failures.size() < most_failures) failures.push_back(std::move(failure));
  kept().any.store(true, std::memory_order_release);
}

bool has_lost_failure() noexcept { return kept().any.load(std::memory_order_acquire); }

std::exception_ptr pop_lost_failure() noexcept {
  const std::lock_guard lock(kept().mutex);
  auto& failures = kept().oldest_first;
  if (failures.empty()) return nullptr;
  auto oldest = std::move(failures.front());
  failures.pop_front();
  kept().any.store(!failures.empty(), std::memory_order_release);
  return oldest;
}

}  // namespace acre::runtime
