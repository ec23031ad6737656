// SPDX-License-Identifier: BSD-3-Clause
// Blocks of 64, 128, 192, … 512 bytes; freed at once under the address sanitizer.
#include <acre/runtime/block_pool.hpp>

#include <acre/base/sanitizers.hpp>

#include <cstdint>
#include <new>
#include <utility>

namespace acre::runtime {
namespace {

constexpr std::size_t granule = 64;
constexpr std::size_t size_classes = 8;
constexpr std::uint32_t most_kept = 64;  ///< per size and thread

struct free_block {
  free_block* next;
};

struct block_list {
  free_block* first = nullptr;
  std::uint32_t kept = 0;
};

struct block_cache {
  block_list lists[size_classes];
  bool closed = false;
};

constinit thread_local block_cache cache;

class cache_closer {
 public:
  void watch() noexcept {}
  ~cache_closer() {
    cache.closed = true;
    for (auto& list : cache.lists) {
      while (list.first != nullptr) {
        void* block = std::exchange(list.first, list.first->next);
        ::operator delete(block);
      }
      list.kept = 0;
    }
  }
};
thread_local cache_closer closer;

constexpr std::size_t class_of(std::size_t bytes) { return (bytes - 1) / granule; }

constexpr bool keep_blocks = ACRE_ADDRESS_SANITIZER == 0;

bool is_pooled(std::size_t bytes) { return keep_blocks && class_of(bytes) < size_classes; }

}  // namespace

bool keeps_blocks() noexcept { return keep_blocks; }

void* allocate_block(std::size_t bytes) {
  if (!is_pooled(bytes)) return ::operator new(bytes);
  block_list& list = cache.lists[class_of(bytes)];
  if (list.first == nullptr) return ::operator new((class_of(bytes) + 1) * granule);
  --list.kept;
  return std::exchange(list.first, list.first->next);
}

void return_block(void* block, std::size_t bytes) noexcept {
  if (!is_pooled(bytes)) return ::operator delete(block);
  block_list& list = cache.lists[class_of(bytes)];
  if (list.kept == most_kept || cache.closed) return ::operator delete(block);
  if (list.kept == 0) closer.watch();
  list.first = ::new (block) free_block{list.first};
  ++list.kept;
}

}  // namespace acre::runtime
