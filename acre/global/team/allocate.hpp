// SPDX-License-Identifier: BSD-3-Clause
// Memory in the segments, which all ranks may address: of one rank, or symmetric,
// on all ranks at once and at the same offset on each.
//
//     const auto mine = acre::allocate_symmetric<int>(100);       // all ranks
//     acre::put(acre::at_rank(mine, next) + 5, 1);                // no address was exchanged
//     acre::barrier();
//     acre::deallocate_symmetric(mine);                           // all ranks
//
// Each kind has a heap of its own, of ACRE_SEGMENT_SIZE. Containers live in the other one.
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
/// @throws acre::error when no block of allocate() on this rank begins there
void require_block_here(const char* call, rank_t owner, std::uint64_t offset);

}  // namespace global

// --- of one rank --------------------------------------------------------------------

/// Memory for `count` objects in this rank's private heap; not initialised.
/// Free it with deallocate(), on the rank that allocated it. Thread-safe. l.
/// @throws acre::error when the heap is full: how much was asked, is free, and what to set
template <class T>
[[nodiscard]] global_ptr<T> allocate(std::size_t count = 1) {
  return to_global(static_cast<T*>(runtime::allocate_private(base::bytes_for(count, sizeof(T)),
                                                             larger<std::size_t>(alignof(T), 64))));
}

/// Frees what this rank allocated. Null is fine.
/// @throws acre::error when the memory belongs to another rank, is symmetric, was freed already, or
///         does not begin here
template <class T>
void deallocate(global_ptr<T> memory) {
  if (memory) global::deallocate_here("deallocate", memory.rank(), memory.offset());
}

/// allocate() and construct one object, and the reverse.
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

// --- of all ranks ---------------------------------------------------------------------

/// Memory for `count` objects on every rank, at the same offset on all; gives this
/// rank's. Not initialised. Collective over the job: all ranks call it, in the same
/// order with their other calls for symmetric memory, with equal counts. When it
/// returns, all ranks have theirs. Cost: 1 allreduce.
/// @throws acre::error on all ranks when the heap of one is full, or the ranks differ
template <class T>
[[nodiscard]] global_ptr<T> allocate_symmetric(std::size_t count = 1) {
  return to_global(static_cast<T*>(global::allocate_on_all(base::bytes_for(count, sizeof(T)),
                                                           larger<std::size_t>(alignof(T), 64))));
}

/// The same place in the segment of another rank of the job: its copy of symmetric memory. l.
template <class T>
[[nodiscard]] constexpr global_ptr<T> at_rank(global_ptr<T> symmetric, rank_t rank) noexcept {
  return symmetric ? global_ptr<T>(rank, symmetric.offset()) : nullptr;
}
template <class T>
[[nodiscard]] constexpr global_ptr<T> at_rank(global_ptr<T> symmetric, member who) noexcept {
  return at_rank(symmetric, who.world_rank());
}

/// Frees it on all ranks, once all are here: nobody uses it any more. Null is
/// fine, on all ranks. Collective over the job. Cost: 1 allreduce.
/// @throws acre::error on all ranks when they free different blocks, the memory is not
///         symmetric, or it was freed already
template <class T>
void deallocate_symmetric(global_ptr<T> memory) {
  global::deallocate_on_all(memory ? memory.offset() : 0);
}

}  // namespace acre
