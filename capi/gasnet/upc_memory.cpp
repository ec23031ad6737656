// SPDX-License-Identifier: BSD-3-Clause
// Implementation of acre_upc_memory.h. Blocks have equal offsets in all heaps; their list, sorted
// by offset, is at thread 0. Only the thread that holds its lock reads and writes the list.
#include "acre_upc_memory.h"
#include "upc_heap.hpp"
#include "upc_locks.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace acre::upc {

namespace detail {

namespace {

struct heap_block {
  std::uint64_t offset;
  std::uint64_t bytes;
};
constexpr std::size_t most_blocks = 4096;
constexpr std::size_t alignment = 64;

/// At the begin of thread 0's half for pointers.
struct heap_list {
  std::array<std::uint32_t, 2> lock;
  std::uint64_t count;
  /// Offset that thread 0 allocated for all.
  std::uint64_t message;
  heap_block blocks[most_blocks];
};

std::size_t list_offset() { return pointer_heap.begin; }
std::size_t first_block() { return pointer_heap.begin + round_up(sizeof(heap_list), alignment); }

class locked_list {
 public:
  locked_list() {
    acquire_lock({0, list_offset()});
    std::uint64_t count = 0;
    get(0, list_offset() + offsetof(heap_list, count), &count, sizeof count);
    blocks.resize(count);
    if (count != 0) {
      get(0, list_offset() + offsetof(heap_list, blocks), blocks.data(),
          count * sizeof(heap_block));
    }
  }
  ~locked_list() {
    const std::uint64_t count = blocks.size();
    put(0, list_offset() + offsetof(heap_list, count), &count, sizeof count);
    if (count != 0) {
      put(0, list_offset() + offsetof(heap_list, blocks), blocks.data(),
          count * sizeof(heap_block));
    }
    release_lock({0, list_offset()});
  }
  locked_list(const locked_list&) = delete;
  locked_list& operator=(const locked_list&) = delete;

  std::vector<heap_block> blocks;
};

[[noreturn]] void fail_full(const char* what, std::size_t bytes) {
  const std::string text = "the shared heap of " +
                           std::to_string(pointer_heap.end - pointer_heap.begin) +
                           " bytes has no room for " + std::to_string(bytes) +
                           ": create acre::upc::program with a larger heap";
  fail(what, text.c_str());
}

std::size_t block_of(const char* what, std::size_t bytes) {
  require_program(what);
  if (bytes > pointer_heap.end - pointer_heap.begin) fail_full(what, bytes);
  const std::size_t wanted = std::max(round_up(bytes, alignment), alignment);
  locked_list list;
  std::size_t offset = first_block();
  auto next = list.blocks.begin();
  for (; next != list.blocks.end() && next->offset - offset < wanted; ++next) {
    offset = next->offset + next->bytes;
  }
  if (offset > pointer_heap.end || wanted > pointer_heap.end - offset) {
    fail_full(what, bytes);
  }
  if (list.blocks.size() == most_blocks) {
    fail(what, "4096 blocks are allocated; free some, or allocate larger ones");
  }
  list.blocks.insert(next, {offset, wanted});
  return offset;
}

}  // namespace

void start_pointer_heap() {
  if (mythread() == 0) set({0, list_offset()}, 0, offsetof(heap_list, blocks));
  barrier();
}

std::size_t allocate_alone(const char* what, std::size_t bytes) { return block_of(what, bytes); }

std::size_t allocate_together(const char* what, std::size_t bytes) {
  require_program(what);
  const std::size_t message = list_offset() + offsetof(heap_list, message);
  if (mythread() == 0) {
    const std::uint64_t offset = block_of(what, bytes);
    put(0, message, &offset, sizeof offset);
  }
  barrier();
  std::uint64_t offset = 0;
  get(0, message, &offset, sizeof offset);
  set({mythread(), offset}, 0, bytes);
  barrier();
  return offset;
}

void free_block(std::size_t offset) {
  locked_list list;
  const auto found = std::ranges::find(list.blocks, offset, &heap_block::offset);
  if (found == list.blocks.end()) {
    fail("free",
         "the pointer was not returned by alloc, global_alloc or all_alloc, or was freed before");
  }
  list.blocks.erase(found);
}

void copy(position to, position from, std::size_t bytes) {
  fence();
  constexpr std::size_t piece = std::size_t{1} << 16;
  const auto buffer = std::make_unique_for_overwrite<std::byte[]>(std::min(bytes, piece));
  for (std::size_t done = 0; done < bytes; done += piece) {
    const std::size_t now = std::min(piece, bytes - done);
    get(from.thread, from.offset + done, buffer.get(), now);
    put_relaxed(to.thread, to.offset + done, buffer.get(), now);
  }
}

void set(position to, int value, std::size_t bytes) {
  const auto node = static_cast<gasnet_node_t>(to.thread);
  gasnet_memset(node, address_of(to), value, bytes);
}

}  // namespace detail

void lock_pointer::acquire() const { detail::acquire_lock(where_); }
bool lock_pointer::attempt() const { return detail::attempt_lock(where_); }
void lock_pointer::release() const { detail::release_lock(where_); }

lock_pointer global_lock_alloc() {
  const position where{mythread(),
                       detail::block_of("global_lock_alloc", 2 * sizeof(std::uint32_t))};
  detail::set(where, 0, 2 * sizeof(std::uint32_t));
  return lock_pointer(where);
}
void lock_free(const lock_pointer& lock) {
  if (lock) detail::free_block(lock.where().offset);
}

void global_exit(int status) { gasnet_exit(status); }

}  // namespace acre::upc
