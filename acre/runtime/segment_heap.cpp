#include <acre/runtime/segment_heap.hpp>

#include <acre/base/bits.hpp>

#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>

#include <algorithm>
#include <new>

#include <sys/mman.h>

namespace acre::runtime {
namespace {

using best_fit = boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family>;

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t page = 4096;

best_fit& tree_in(void* memory) { return *static_cast<best_fit*>(memory); }

}  // namespace

segment_heap::segment_heap(std::byte* base, std::size_t bytes)
    : base_(base), bytes_(bytes), tree_(new (base) best_fit(bytes, 0)) {}

void* segment_heap::allocate(std::size_t bytes, std::size_t alignment) {
  const std::lock_guard hold(lock_);
  // Above this, sizes in the tree's arithmetic could wrap.
  if (bytes > bytes_) return nullptr;
  const bool large = bytes >= huge_page;
  alignment = std::max(alignment, large ? huge_page : std::size_t{64});
  void* block = tree_in(tree_).allocate_aligned(std::max(bytes, std::size_t{1}), alignment);
  if (block != nullptr && large) ::madvise(block, bytes & ~(huge_page - 1), MADV_HUGEPAGE);
  return block;
}

void segment_heap::free(void* block) {
  if (block == nullptr) return;
  const std::lock_guard hold(lock_);
  const std::size_t bytes = tree_in(tree_).size(block);
  if (bytes >= huge_page && gives_pages_back_) {
    // The tree keeps its links in the first bytes of a free block and the size
    // of one before the next: leave the pages at both ends alone.
    const auto start = round_up(reinterpret_cast<std::uintptr_t>(block) + page, page);
    const auto end = (reinterpret_cast<std::uintptr_t>(block) + bytes - page) & ~(page - 1);
    ::madvise(reinterpret_cast<void*>(start), end - start, MADV_REMOVE);
  }
  tree_in(tree_).deallocate(block);
}

void segment_heap::keep_pages() {
  const std::lock_guard hold(lock_);
  gives_pages_back_ = false;
}

std::size_t segment_heap::free_bytes() const {
  const std::lock_guard hold(lock_);
  return tree_in(tree_).get_free_memory();
}

bool segment_heap::contains(const void* address) const noexcept {
  const auto* byte = static_cast<const std::byte*>(address);
  return byte >= base_ && byte < base_ + bytes_;
}

}  // namespace acre::runtime
