// Order and completion, and locks, which need both.
#include "access.hpp"
#include "context.hpp"
#include "failure.hpp"
#include "profiling.hpp"
#include <acre/fabric/atomic_operation.hpp>
#include <acre/global/put_get.hpp>
#include <acre/runtime/wait.hpp>

#include <atomic>
#include <bit>
#include <cstdint>

namespace acre::shmem {
namespace {

// A lock is a ticket and a turn in the two halves of its long, on one PE, which its address
// chooses: so those who wait get it in the order of their coming, and all locks are not on PE 0.
static_assert(sizeof(long) == 8 && std::endian::native == std::endian::little);

struct lock_word {
  std::uint32_t* ticket;
  std::uint32_t* turn;
  int home;

  explicit lock_word(long* lock) noexcept
      : ticket(reinterpret_cast<std::uint32_t*>(lock)),
        turn(ticket + 1),
        home(static_cast<int>(offset_of(lock) / sizeof(long) % world.size)) {}
};

/// acre::quiet(), without a thought for jobs that have no network: one comparison less.
void quiet() {
  if (runtime::anything_outstanding()) [[unlikely]] {
    runtime::await_quiet();
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace
}  // namespace acre::shmem

using namespace acre::shmem;

extern "C" {

ACRE_SHMEM_DEFINE(void, quiet, (void)) { acre::shmem::quiet(); }
ACRE_SHMEM_DEFINE(void, ctx_quiet, (shmem_ctx_t)) { acre::shmem::quiet(); }
ACRE_SHMEM_DEFINE(void, fence, (void)) { acre::fence(); }
ACRE_SHMEM_DEFINE(void, ctx_fence, (shmem_ctx_t)) { acre::fence(); }

ACRE_SHMEM_DEFINE(void, set_lock, (long* lock)) {
  const lock_word at(lock);
  const std::uint32_t mine = pshmem_uint32_atomic_fetch_inc(at.ticket, at.home);
  or_fail("shmem_set_lock", [&] {
    acre::runtime::wait_until([&] { return pshmem_uint32_atomic_fetch(at.turn, at.home) == mine; },
                              "shmem_set_lock");
  });
}
ACRE_SHMEM_DEFINE(void, clear_lock, (long* lock)) {
  pshmem_quiet();
  const lock_word at(lock);
  pshmem_uint32_atomic_inc(at.turn, at.home);
  pshmem_quiet();
}
ACRE_SHMEM_DEFINE(int, test_lock, (long* lock)) {
  const lock_word at(lock);
  const auto seen = static_cast<std::uint64_t>(pshmem_long_atomic_fetch(lock, at.home));
  const auto ticket = static_cast<std::uint32_t>(seen);
  if (ticket != seen >> 32) return 1;
  const std::uint64_t taken = (seen & ~std::uint64_t{0xffffffff}) | (ticket + 1);
  const long before = pshmem_long_atomic_compare_swap(lock, static_cast<long>(seen),
                                                      static_cast<long>(taken), at.home);
  return static_cast<std::uint64_t>(before) == seen ? 0 : 1;
}
}
