// SPDX-License-Identifier: BSD-3-Clause
// Order, completion and locks.
#include "access.hpp"
#include "checks.hpp"
#include "context.hpp"
#include "failure.hpp"
#include "profiling.hpp"
#include <acre/fabric/atomic_operation.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/runtime/wait.hpp>

#include <atomic>
#include <bit>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>

namespace acre::shmem {
namespace {

// A ticket lock in the two halves of a long, hence fair. Its address selects the home PE, to
// distribute the load.
static_assert(sizeof(long) == 8 && std::endian::native == std::endian::little);

struct lock_word {
  std::uint32_t* ticket;
  std::uint32_t* turn;
  int home;

  explicit lock_word(long* lock) noexcept
      : ticket(reinterpret_cast<std::uint32_t*>(lock)),
        turn(ticket + 1),
        home(static_cast<int>(offset_of(lock) / sizeof(long) % runtime::world.size)) {}
};

/// The locks that this PE holds, and their threads; only in the checking library.
class held_locks {
 public:
  static held_locks& here() {
    static auto& made = *new held_locks;
    return made;
  }

  void add(const long* lock) {
    const std::lock_guard hold(mutex_);
    holder_of_[lock] = std::this_thread::get_id();
  }
  void remove(const arguments& its, const long* lock) {
    const std::lock_guard hold(mutex_);
    if (holder_of_.erase(lock) == 0) its.refuse("this PE does not have the lock");
  }
  void look_before_set(const arguments& its, const long* lock) {
    const std::lock_guard hold(mutex_);
    const auto found = holder_of_.find(lock);
    if (found != holder_of_.end() && found->second == std::this_thread::get_id()) {
      its.refuse("this PE already has the lock");
    }
  }

 private:
  std::mutex mutex_;
  std::map<const long*, std::thread::id> holder_of_;
};
// The fence orders stores and loads of this node's memory; await_quiet() acquires the others.
void quiet() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (runtime::anything_outstanding()) [[unlikely]] {
    runtime::await_quiet();
  }
}

}  // namespace
}  // namespace acre::shmem

using namespace acre::shmem;

extern "C" {

ACRE_SHMEM_DEFINE(void, quiet, (void)) {
  ACRE_SHMEM_CHECK(quiet)
  acre::shmem::quiet();
}
ACRE_SHMEM_DEFINE(void, ctx_quiet, (shmem_ctx_t ctx)) {
  ACRE_SHMEM_CHECK(ctx_quiet, its.context_or_invalid(ctx))
  acre::shmem::quiet();
}
ACRE_SHMEM_DEFINE(void, fence, (void)) {
  ACRE_SHMEM_CHECK(fence)
  acre::fence();
}
ACRE_SHMEM_DEFINE(void, ctx_fence, (shmem_ctx_t ctx)) {
  ACRE_SHMEM_CHECK(ctx_fence, its.context_or_invalid(ctx))
  acre::fence();
}

ACRE_SHMEM_DEFINE(void, set_lock, (long* lock)) {
  ACRE_SHMEM_CHECK(set_lock, its.symmetric_word("lock", lock);
                   held_locks::here().look_before_set(its, lock))
  require_session("shmem_set_lock");
  const lock_word at(lock);
  const std::uint32_t mine = pshmem_uint32_atomic_fetch_inc(at.ticket, at.home);
  or_fail("shmem_set_lock", [&] {
    acre::runtime::wait_until([&] { return pshmem_uint32_atomic_fetch(at.turn, at.home) == mine; },
                              "shmem_set_lock");
  });
  if constexpr (has_checks) held_locks::here().add(lock);
}
ACRE_SHMEM_DEFINE(void, clear_lock, (long* lock)) {
  ACRE_SHMEM_CHECK(clear_lock, its.symmetric_word("lock", lock);
                   held_locks::here().remove(its, lock))
  require_session("shmem_clear_lock");
  pshmem_quiet();
  const lock_word at(lock);
  pshmem_uint32_atomic_inc(at.turn, at.home);
  pshmem_quiet();
}
ACRE_SHMEM_DEFINE(int, test_lock, (long* lock)) {
  ACRE_SHMEM_CHECK(test_lock, its.symmetric_word("lock", lock))
  require_session("shmem_test_lock");
  const lock_word at(lock);
  const auto seen = static_cast<std::uint64_t>(pshmem_long_atomic_fetch(lock, at.home));
  const auto ticket = static_cast<std::uint32_t>(seen);
  if (ticket != seen >> 32) return 1;
  const std::uint64_t taken = (seen & ~std::uint64_t{0xffffffff}) | (ticket + 1);
  const long before = pshmem_long_atomic_compare_swap(lock, static_cast<long>(seen),
                                                      static_cast<long>(taken), at.home);
  if (static_cast<std::uint64_t>(before) != seen) return 1;
  if constexpr (has_checks) held_locks::here().add(lock);
  return 0;
}
}
