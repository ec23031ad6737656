// Objects in the segment: memory that one rank allocates and all may address.
#pragma once

#include <acre/global/global_ptr.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

namespace acre {

/// Memory for `count` objects in this rank's private heap; not initialised.
/// Free it with deallocate(), on the rank that allocated it. Thread-safe. l.
/// @throws acre::error when the heap is full: how much was asked, is free, and what to set
template <class T>
[[nodiscard]] global_ptr<T> allocate(std::size_t count = 1) {
  const std::size_t bytes = count > std::numeric_limits<std::size_t>::max() / sizeof(T)
                                ? std::numeric_limits<std::size_t>::max()
                                : count * sizeof(T);
  return to_global(static_cast<T*>(
      runtime::allocate_private(bytes, std::max<std::size_t>(alignof(T), 64))));
}

/// Frees what this rank allocated. Null is fine.
/// @throws acre::error when the memory belongs to another rank
template <class T>
void deallocate(global_ptr<T> memory) {
  if (!memory) return;
  if (memory.rank() != rank()) {
    throw error("deallocate",
                "the memory belongs to rank " + std::to_string(memory.rank()),
                "free it there: rpc(p.rank(), [](auto p) { acre::deallocate(p); }, p)");
  }
  runtime::free_private(runtime::world.segment + memory.offset());
}

/// allocate() and construct one object, and the reverse.
template <class T, class... Args>
[[nodiscard]] global_ptr<T> make_global(Args&&... args) {
  const global_ptr<T> made = allocate<T>();
  try {
    std::construct_at(made.local(), std::forward<Args>(args)...);
  } catch (...) {
    deallocate(made);
    throw;
  }
  return made;
}
template <class T>
void destroy_global(global_ptr<T> object) {
  if (object && object.rank() == rank()) std::destroy_at(object.local());
  deallocate(object);
}

}  // namespace acre
