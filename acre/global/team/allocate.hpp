// SPDX-License-Identifier: BSD-3-Clause
// Memory in the segments that all ranks can address: of one rank, or symmetric (on all ranks, at
// equal offset). Each kind has its own heap of ACRE_SEGMENT_SIZE; containers use the private one.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/construct.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/team/member.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace acre {

namespace global {

[[nodiscard]] void* allocate_on_all(std::size_t bytes, std::size_t alignment);
void deallocate_on_all(std::uint64_t offset);
void deallocate_here(const char* call, rank_t owner, std::uint64_t offset);
void require_block_here(const char* call, rank_t owner, std::uint64_t offset);

}  // namespace global

/// Allocates `count` uninitialised objects in this rank's private heap; free them on this rank.
/// Thread-safe. l.
/// @throws acre::error if the heap is full
template <class T>
[[nodiscard]] global_ptr<T> allocate(std::size_t count = 1) {
  return to_global(static_cast<T*>(runtime::allocate_private(base::bytes_for(count, sizeof(T)),
                                                             larger<std::size_t>(alignof(T), 64))));
}

/// Frees a block of this rank; null is allowed.
/// @throws acre::error unless the block is from allocate() on this rank
template <class T>
void deallocate(global_ptr<T> memory) {
  if (memory) global::deallocate_here("deallocate", memory.rank(), memory.offset());
}

/// Allocates and constructs one object; destroy_global() reverses it.
template <class T, class... Args>
[[nodiscard]] global_ptr<T> make_global(Args&&... args) {
  const global_ptr<T> made = allocate<T>();
  try {
    base::construct(made.local(), std::forward<Args>(args)...);
  } catch (...) {
    deallocate(made);
    throw;
  }
  return made;
}
template <class T>
void destroy_global(global_ptr<T> object) {
  if (!object) return;
  global::require_block_here("destroy_global", object.rank(), object.offset());
  object.local()->~T();
  global::deallocate_here("destroy_global", object.rank(), object.offset());
}

/// Allocates `count` uninitialised objects on every rank at equal offset; returns this rank's.
/// Collective over the job, with equal counts, in equal order. At return all ranks have theirs.
/// Cost: 1 allreduce.
/// @throws acre::error on all ranks if a heap is full, or counts or offsets differ
template <class T>
[[nodiscard]] global_ptr<T> allocate_symmetric(std::size_t count = 1) {
  return to_global(static_cast<T*>(global::allocate_on_all(base::bytes_for(count, sizeof(T)),
                                                           larger<std::size_t>(alignof(T), 64))));
}

/// This rank's symmetric pointer, moved to another rank. l.
template <class T>
[[nodiscard]] constexpr global_ptr<T> at_rank(global_ptr<T> symmetric, rank_t rank) noexcept {
  return symmetric ? global_ptr<T>(rank, symmetric.offset()) : nullptr;
}
template <class T>
[[nodiscard]] constexpr global_ptr<T> at_rank(global_ptr<T> symmetric, member who) noexcept {
  return at_rank(symmetric, who.world_rank());
}

/// Frees symmetric memory once all ranks have called; null is allowed. Collective over the job.
/// Cost: 1 allreduce.
/// @throws acre::error on all ranks if they pass different blocks, or one not allocated
template <class T>
void deallocate_symmetric(global_ptr<T> memory) {
  global::deallocate_on_all(memory ? memory.offset() : 0);
}

}  // namespace acre
