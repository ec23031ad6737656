// SPDX-License-Identifier: BSD-3-Clause
// Implementation of acre_upc.h: order, locks, split-phase barriers.
#include "acre_upc.h"
#include "failure.hpp"
#include "state.hpp"
#include "upc_heap.hpp"
#include "upc_locks.hpp"
#include <acre/base/bits.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <vector>

namespace acre::upc {

constinit detail::heap_view detail::heap;

namespace {

constexpr std::size_t line = 64;
constexpr std::size_t page = GASNET_PAGESIZE;

std::size_t heap_size = 0;
std::vector<std::uintptr_t> bases;
std::map<std::size_t, std::size_t> blocks;
unsigned locks_made = 0;

std::byte* address(std::size_t thread, std::size_t offset) noexcept {
  return static_cast<std::byte*>(gasnet::all_segments.infos[thread].addr) + offset;
}

void require_ok(const char* call, int result) {
  if (result != GASNET_OK) detail::fail(call, gasnet_ErrorDesc(result));
}

global_ptr<std::uint32_t> word_at(std::size_t thread, std::size_t offset) {
  const auto rank = static_cast<rank_t>(thread);
  const gasnet::place there(rank, address(thread, offset));
  const std::uint64_t in_segment =
      there.is_here()
          ? static_cast<std::uint64_t>(there.address() -
                                       runtime::direct_address(std::uint64_t{rank} << offset_bits))
          : there.offset();
  return {rank, in_segment};
}

}  // namespace

namespace detail {

constinit pointer_range pointer_heap;

void* address_of(position where) noexcept { return address(where.thread, where.offset); }

void acquire_lock(position lock) {
  const std::uint32_t mine = fetch_add(word_at(lock.thread, lock.offset), std::uint32_t{1});
  const auto turn = word_at(lock.thread, lock.offset + sizeof(std::uint32_t));
  gasnet::or_fail("upc_lock", [&] {
    runtime::wait_until([&] { return atomic_load(turn) == mine; }, "upc_lock");
  });
}
bool attempt_lock(position lock) {
  const std::uint32_t now = atomic_load(word_at(lock.thread, lock.offset + sizeof(std::uint32_t)));
  return atomic_compare_exchange(word_at(lock.thread, lock.offset), now, now + 1) == now;
}
void release_lock(position lock) {
  fence();
  fetch_add(word_at(lock.thread, lock.offset + sizeof(std::uint32_t)), std::uint32_t{1});
}

void fail(const char* call, const char* problem) { gasnet::fail(call, problem); }

void require_program(const char* what) {
  if (heap.threads == 0) fail(what, "create an acre::upc::program first");
}

std::size_t allocate(const char* what, std::size_t bytes) {
  require_program(what);
  const std::size_t wanted = std::max(round_up(bytes, line), line);
  std::size_t offset = 0;
  for (const auto& [begin, size] : blocks) {
    if (begin - offset >= wanted) break;
    offset = begin + size;
  }
  if (wanted > heap_size - offset) {
    fail(what, "the shared heap is full: create acre::upc::program with a larger heap");
  }
  blocks[offset] = wanted;
  std::memset(address(mythread(), offset), 0, wanted);
  barrier();
  return offset;
}

void deallocate(std::size_t offset) {
  barrier();
  blocks.erase(offset);
}

void put(std::size_t thread, std::size_t offset, const void* source, std::size_t bytes) {
  gasnet_put(static_cast<gasnet_node_t>(thread), address(thread, offset), source, bytes);
}
void put_relaxed(std::size_t thread, std::size_t offset, const void* source, std::size_t bytes) {
  gasnet_put_nbi(static_cast<gasnet_node_t>(thread), address(thread, offset), source, bytes);
}
void get(std::size_t thread, std::size_t offset, void* destination, std::size_t bytes) {
  gasnet_get(destination, static_cast<gasnet_node_t>(thread), address(thread, offset), bytes);
}
void complete_puts() { gasnet_wait_syncnbi_puts(); }

}  // namespace detail

program::program(int& argc, char**& argv, std::size_t heap_bytes,
                 std::span<gasnet_handlerentry_t> handlers) {
  require_ok("gasnet_init", gasnet_init(&argc, &argv));
  heap_size = round_up(heap_bytes, page);
  // Pages are allocated at their first access, so the second half costs no memory until then. In
  // a small segment it is smaller.
  const std::size_t most = gasnet_getMaxGlobalSegmentSize() / page * page;
  const std::size_t all =
      std::max(heap_size + round_up(detail::pointer_bytes(0), page),
               std::min(most, heap_size + round_up(detail::pointer_bytes(heap_size), page)));
  require_ok("gasnet_attach",
             gasnet_attach(handlers.data(), static_cast<int>(handlers.size()), all, 0));
  detail::pointer_heap = {.begin = heap_size, .end = all};
  const std::uint32_t count = gasnet_nodes();
  bases.resize(count);
  for (std::uint32_t thread = 0; thread < count; ++thread) {
    bases[thread] =
        reinterpret_cast<std::uintptr_t>(address(thread, 0)) + gasnet::all_segments.to_add[thread];
  }
  detail::heap = {.threads = count, .bases = bases.data()};
  detail::start_pointer_heap();
}

program::~program() {
  if (std::uncaught_exceptions() == 0) barrier();
}

void notify() {
  fence();
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
}
void notify(int value) {
  fence();
  gasnet_barrier_notify(value, 0);
}
void wait() {
  require_ok("upc::wait", gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS));
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
void wait(int value) {
  require_ok("upc::wait", gasnet_barrier_wait(value, 0));
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

// Ticket lock; its home thread varies from lock to lock.

lock::lock() : offset_(detail::allocate("lock", line)), home_(locks_made++ % threads()) {}
lock::~lock() { detail::deallocate(offset_); }

void lock::acquire() { detail::acquire_lock({home_, offset_}); }
bool lock::attempt() { return detail::attempt_lock({home_, offset_}); }
void lock::release() { detail::release_lock({home_, offset_}); }

}  // namespace acre::upc
