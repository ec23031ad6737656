// SPDX-License-Identifier: BSD-3-Clause
// Excludes writers of a part, and lets readers detect them (seqlock).
//
// The holder of `lock` makes `version` odd, changes nodes, and makes it even. A reader repeats if
// it was odd or changed; after some attempts it takes the lock. A rank that dies with the lock ends
// its node.
#pragma once

#include <acre/base/spin_lock.hpp>

#include <atomic>
#include <cstdint>

namespace acre::container {

struct change_version {
  alignas(64) spin_lock lock;
  alignas(64) std::atomic<std::uint64_t> version;
};

class version_seen {
 public:
  explicit version_seen(const change_version& of) noexcept
      : of_(of), seen_(of.version.load(std::memory_order_acquire)) {}

  [[nodiscard]] bool is_between_changes() const noexcept { return seen_ % 2 == 0; }
  [[nodiscard]] bool holds() const noexcept {
    std::atomic_thread_fence(std::memory_order_acquire);
    return of_.version.load(std::memory_order_relaxed) == seen_;
  }

 private:
  const change_version& of_;
  std::uint64_t seen_;
};

/// For undisturbed readers.
struct version_held {
  static constexpr bool holds() noexcept { return true; }
};

class changing {
 public:
  explicit changing(change_version& of) noexcept
      : of_(of), before_(of.version.load(std::memory_order_relaxed)) {
    of.version.store(before_ + 1, std::memory_order_relaxed);
    // Changes must not become visible before the odd version.
    std::atomic_thread_fence(std::memory_order_release);
  }
  ~changing() { of_.version.store(before_ + 2, std::memory_order_release); }
  changing(const changing&) = delete;
  changing& operator=(const changing&) = delete;

 private:
  change_version& of_;
  std::uint64_t before_;
};

}  // namespace acre::container
