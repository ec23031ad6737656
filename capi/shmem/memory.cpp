// SPDX-License-Identifier: BSD-3-Clause
// The symmetric heap.
#include <acre/runtime/memory.hpp>

#include "checks.hpp"
#include "failure.hpp"
#include "heap_block.hpp"
#include "profiling.hpp"
#include "session.hpp"
#include <acre/global/team/allocate.hpp>
#include <acre/global/team/team.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>

namespace acre::shmem {
namespace {

struct registry {
  std::mutex lock;
  std::map<const void*, std::size_t> bytes_of;
};
registry& blocks() {
  static auto& made = *new registry;
  return made;
}

/// Collective. Null on all PEs if the heap is full.
void* allocate(const char* routine, std::size_t bytes, std::size_t alignment = 64) {
  require_session(routine);
  void* block = nullptr;
  try {
    block = global::allocate_on_all(bytes, std::max<std::size_t>(alignment, 64));
  } catch (const error& full) {
    // Sizes must agree. If a program violates this, the largest size is allocated.
    const std::size_t largest =
        or_fail(routine, [&] { return acre::world().allreduce(bytes, acre::op::max); });
    const bool alike = or_fail(
        routine, [&] { return acre::world().allreduce(bytes == largest, acre::op::logical_and); });
    if (!alike) return allocate(routine, largest, alignment);
    if (std::getenv("SHMEM_DEBUG") != nullptr && rank() == 0) {
      std::fprintf(stderr, "%s: %s\n", routine, full.problem().c_str());
    }
    return nullptr;
  }
  const std::lock_guard hold(blocks().lock);
  blocks().bytes_of[block] = bytes;
  return block;
}

auto find_block(const char* routine, const void* block) {
  require_session(routine);
  const auto found = blocks().bytes_of.find(block);
  if (found == blocks().bytes_of.end()) {
    fail(routine, "ptr is not a block of the symmetric heap, or is already freed");
  }
  return found;
}

std::size_t size_of_block(const char* routine, void* block) {
  const std::lock_guard hold(blocks().lock);
  return find_block(routine, block)->second;
}

void release(const char* routine, void* block) {
  {
    const std::lock_guard hold(blocks().lock);
    blocks().bytes_of.erase(find_block(routine, block));
  }
  or_fail(routine, [&] {
    barrier();  // other PEs may still use it
    global::deallocate_on_all(runtime::segment_offset(block));
  });
}

}  // namespace

std::optional<std::span<const std::byte>> heap_block_around(const void* address) {
  const std::lock_guard hold(blocks().lock);
  const auto behind = blocks().bytes_of.upper_bound(address);
  if (behind == blocks().bytes_of.begin()) return std::nullopt;
  const auto& [begin, bytes] = *std::prev(behind);
  const std::span block(static_cast<const std::byte*>(begin), bytes);
  if (address >= block.data() + block.size()) return std::nullopt;
  return block;
}

std::size_t heap_blocks() {
  const std::lock_guard hold(blocks().lock);
  return blocks().bytes_of.size();
}

void forget_heap_blocks() {
  const std::lock_guard hold(blocks().lock);
  blocks().bytes_of.clear();
}

}  // namespace acre::shmem

using namespace acre::shmem;

extern "C" {

// A call without effect does not synchronise.

ACRE_SHMEM_DEFINE(void*, malloc, (size_t size)) {
  if (size == 0) return nullptr;
  ACRE_SHMEM_CHECK(malloc, its.alike(acre::world(), {{"size", size}}))
  return allocate("shmem_malloc", size);
}
ACRE_SHMEM_DEFINE(void*, malloc_with_hints, (size_t size, long)) {
  if (size == 0) return nullptr;
  ACRE_SHMEM_CHECK(malloc_with_hints, its.alike(acre::world(), {{"size", size}}))
  return allocate("shmem_malloc_with_hints", size);
}
ACRE_SHMEM_DEFINE(void*, align, (size_t alignment, size_t size)) {
  if (size == 0) return nullptr;
  ACRE_SHMEM_CHECK(align, its.alignment(alignment);
                   its.alike(acre::world(), {{"alignment", alignment}, {"size", size}}))
  return std::has_single_bit(alignment) ? allocate("shmem_align", size, alignment) : nullptr;
}
ACRE_SHMEM_DEFINE(void*, calloc, (size_t count, size_t size)) {
  if (count == 0 || size == 0) return nullptr;
  ACRE_SHMEM_CHECK(calloc, its.alike(acre::world(), {{"count", count}, {"size", size}}))
  if (count > std::numeric_limits<std::size_t>::max() / size) return nullptr;
  void* const block = allocate("shmem_calloc", count * size);
  if (block != nullptr) std::memset(block, 0, size_of_block("shmem_calloc", block));
  pshmem_barrier_all();
  return block;
}
ACRE_SHMEM_DEFINE(void, free, (void* ptr)) {
  if (ptr == nullptr) return;
  ACRE_SHMEM_CHECK(free, its.alike(acre::world(), {{"ptr", ptr, 1}}))
  release("shmem_free", ptr);
}
ACRE_SHMEM_DEFINE(void*, realloc, (void* ptr, size_t size)) {
  if (ptr == nullptr) return pshmem_malloc(size);
  ACRE_SHMEM_CHECK(realloc, its.alike(acre::world(), {{"ptr", ptr, 1}, {"size", size}}))
  const std::size_t before = size_of_block("shmem_realloc", ptr);
  if (size == 0) {
    release("shmem_realloc", ptr);
    return nullptr;
  }
  pshmem_barrier_all();
  void* const block = allocate("shmem_realloc", size);
  if (block == nullptr) return nullptr;
  std::memcpy(block, ptr, std::min(before, size_of_block("shmem_realloc", block)));
  release("shmem_realloc", ptr);
  return block;
}

ACRE_SHMEM_DEFINE_OLD(void*, shmalloc, (size_t size)) { return pshmem_malloc(size); }
ACRE_SHMEM_DEFINE_OLD(void, shfree, (void* ptr)) { pshmem_free(ptr); }
ACRE_SHMEM_DEFINE_OLD(void*, shrealloc, (void* ptr, size_t size)) {
  return pshmem_realloc(ptr, size);
}
ACRE_SHMEM_DEFINE_OLD(void*, shmemalign, (size_t alignment, size_t size)) {
  return pshmem_align(alignment, size);
}
}
