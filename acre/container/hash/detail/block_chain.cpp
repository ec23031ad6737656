// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/hash/detail/block_chain.hpp>

#include <acre/base/spin_lock.hpp>
#include <acre/runtime/huge_pages.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <unistd.h>

namespace acre::container {
namespace {

constexpr std::uint64_t usual_bytes = std::uint64_t{64} << 10;

std::uint64_t buckets_in(const block_link& first) noexcept {
  std::uint64_t sum = 0;
  for (const block_link* at = &first; at != nullptr; at = at->following()) sum += at->capacity;
  return sum;
}

void* try_allocate(std::size_t bytes, std::size_t alignment) noexcept {
  try {
    return runtime::allocate_private(bytes, alignment);
  } catch (...) {
    return nullptr;
  }
}

/// @return the block's global pointer; `none` if out of memory
std::uint64_t make_block(std::uint64_t wanted, const block_shape& shape) noexcept {
  const std::uint64_t least = std::max<std::uint64_t>(wanted / 16, 1);
  for (std::uint64_t capacity = wanted; capacity >= least; capacity /= 2) {
    const std::size_t bytes = shape.link_bytes + capacity * shape.bucket_bytes;
    void* const memory = try_allocate(bytes, shape.alignment);
    if (memory == nullptr) continue;
    runtime::use_huge_pages(memory, bytes);
    std::memset(memory, 0, bytes);
    auto* const link = new (memory) block_link{};
    link->capacity = capacity;
    return runtime::global_bits(memory);
  }
  return block_link::none;
}

void wait_a_little(unsigned tries) noexcept {
  if (tries < 64) {
    spin_pause();
  } else {
    ::usleep(50);
  }
}

}  // namespace

block_link* block_link::following() const noexcept {
  const std::uint64_t bits = next.load(std::memory_order_acquire);
  if (bits <= being_made) return nullptr;
  return reinterpret_cast<block_link*>(runtime::direct_address(bits));
}

bool add_block(const block_link& first, block_link& last, const block_shape& shape) noexcept {
  for (unsigned tries = 0;; ++tries) {
    std::uint64_t seen = last.next.load(std::memory_order_acquire);
    if (seen > block_link::being_made) return true;
    if (seen == block_link::none &&
        last.next.compare_exchange_strong(seen, block_link::being_made)) {
      break;
    }
    wait_a_little(tries);
  }
  const std::uint64_t wanted =
      std::max({buckets_in(first), usual_bytes / shape.bucket_bytes, std::uint64_t{1}});
  const std::uint64_t made = make_block(wanted, shape);
  last.next.store(made, std::memory_order_release);
  return made != block_link::none;
}

void free_added_blocks(block_link& first) noexcept {
  while (const block_link* const link = first.following()) {
    const std::uint64_t after = link->next.load(std::memory_order_acquire);
    // Freeing overwrites the block's first bytes, including `next`.
    runtime::free_private_of(first.next.exchange(after, std::memory_order_relaxed));
  }
}

}  // namespace acre::container
