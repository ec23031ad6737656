// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/segment_heap.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/page_bytes.hpp>
#include <acre/runtime/huge_pages.hpp>

#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>

#include <algorithm>
#include <cstdint>
#include <new>
#include <sys/mman.h>

namespace acre::runtime {
namespace {

// Unit of allocation with the block header: blocks need no padding, and freed ones fit the next of
// their size.
constexpr std::size_t line = 64;
using best_fit = boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family,
                                                      boost::interprocess::offset_ptr<void>, line>;

constexpr std::size_t page = base::largest_page_bytes;

/// The mark is the last word of the header, which the tree does not use.
std::uint64_t* mark_of(void* block) noexcept { return static_cast<std::uint64_t*>(block) - 1; }
std::uint64_t mark_at(std::size_t offset) noexcept { return 0x9d5c'1a7e'63b8'f02bU ^ offset; }

best_fit& tree_in(void* memory) { return *static_cast<best_fit*>(memory); }

/// Huge pages are shared by neighbours, as alignment could waste half the heap. Large blocks
/// request all pages that they touch, as partial requests fail.
void ask_for_huge_pages(std::uintptr_t block, std::size_t bytes, std::uintptr_t heap,
                        std::uintptr_t heap_end) noexcept {
  const bool is_large = bytes >= 2 * huge_page_bytes;
  const std::uintptr_t unit = is_large ? huge_page_bytes : page;
  const std::uintptr_t start = std::max(block & ~(unit - 1), round_up(heap, std::uintptr_t{page}));
  const std::uintptr_t end = std::min(round_up(block + bytes, unit), heap_end & ~(page - 1));
  ::madvise(reinterpret_cast<void*>(start), end - start, MADV_HUGEPAGE);
}

}  // namespace

segment_heap::segment_heap(std::byte* base, std::size_t bytes)
    : base_(base), bytes_(bytes), tree_(new(base) best_fit(bytes, 0)) {}

void* segment_heap::allocate(std::size_t bytes, std::size_t alignment) {
  const std::lock_guard hold(lock_);
  if (bytes > bytes_) return nullptr;
  bytes = std::max(bytes, std::size_t{1});
  best_fit& tree = tree_in(tree_);
  void* block = alignment <= line ? tree.allocate(bytes) : tree.allocate_aligned(bytes, alignment);
  if (block == nullptr) return nullptr;
  ++blocks_;
  *mark_of(block) = mark_at(static_cast<std::size_t>(static_cast<std::byte*>(block) - base_));
  if (bytes >= huge_page_bytes) {
    const auto base = reinterpret_cast<std::uintptr_t>(base_);
    ask_for_huge_pages(reinterpret_cast<std::uintptr_t>(block), bytes, base, base + bytes_);
  }
  return block;
}

bool segment_heap::is_marked(const void* address) const noexcept {
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - base_);
  return contains(address) && offset > sizeof(best_fit) && offset % line == 0 &&
         *mark_of(const_cast<void*>(address)) == mark_at(offset);
}

bool segment_heap::has_block(const void* address, std::size_t least_bytes) const {
  const std::lock_guard hold(lock_);
  return is_marked(address) && tree_in(tree_).size(const_cast<void*>(address)) >= least_bytes;
}

bool segment_heap::free(void* block) {
  if (block == nullptr) return true;
  const std::lock_guard hold(lock_);
  if (!is_marked(block)) [[unlikely]]
    return false;
  *mark_of(block) = 0;
  const std::size_t bytes = tree_in(tree_).size(block);
  if (bytes >= huge_page_bytes && gives_pages_back_) {
    // The tree keeps links at both ends of a free block.
    const auto start = round_up(reinterpret_cast<std::uintptr_t>(block) + page, page);
    const auto end = (reinterpret_cast<std::uintptr_t>(block) + bytes - page) & ~(page - 1);
    ::madvise(reinterpret_cast<void*>(start), end - start, MADV_REMOVE);
  }
  tree_in(tree_).deallocate(block);
  --blocks_;
  return true;
}

void segment_heap::shrink(void* block, std::size_t bytes) {
  const std::lock_guard hold(lock_);
  if (!is_marked(block)) return;
  best_fit& tree = tree_in(tree_);
  const std::size_t all = tree.size(block);
  std::size_t kept = std::max(bytes, std::size_t{1});
  if (kept >= all) return;
  if (gives_pages_back_) {
    const auto begin = reinterpret_cast<std::uintptr_t>(block);
    const auto start = round_up(begin + kept + page, std::uintptr_t{huge_page_bytes});
    const auto end = (begin + all - page) & ~(page - 1);
    if (start < end) ::madvise(reinterpret_cast<void*>(start), end - start, MADV_REMOVE);
  }
  char* same = static_cast<char*>(block);
  tree.allocation_command<char>(
      boost::interprocess::shrink_in_place | boost::interprocess::nothrow_allocation, all, kept,
      same);
}

void segment_heap::keep_pages() {
  const std::lock_guard hold(lock_);
  gives_pages_back_ = false;
}

std::size_t segment_heap::blocks() const {
  const std::lock_guard hold(lock_);
  return blocks_;
}

std::size_t segment_heap::free_bytes() const {
  const std::lock_guard hold(lock_);
  return tree_in(tree_).get_free_memory();
}

std::size_t segment_heap::largest_free_block() const {
  const std::lock_guard hold(lock_);
  best_fit& tree = tree_in(tree_);
  // A request that is too large returns the largest block.
  std::size_t bytes = bytes_;
  char* reused = nullptr;
  void* largest = tree.allocation_command<char>(
      boost::interprocess::allocate_new | boost::interprocess::nothrow_allocation, 1, bytes,
      reused);
  if (largest == nullptr) return 0;
  tree.deallocate(largest);
  return bytes;
}

bool segment_heap::contains(const void* address) const noexcept {
  const auto* byte = static_cast<const std::byte*>(address);
  return byte >= base_ && byte < base_ + bytes_;
}

}  // namespace acre::runtime
