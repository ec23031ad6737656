// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/memory.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/huge_pages.hpp>
#include <acre/runtime/job_heaps.hpp>
#include <acre/runtime/mapped_segments.hpp>
#include <acre/runtime/private_block.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/require_job.hpp>

#include <atomic>
#include <cstring>
#include <functional>
#include <span>
#include <string>

namespace acre::runtime {

constinit job_heaps* the_heaps = nullptr;

namespace {

void* allocate_or_explain(segment_heap& heap, const char* which, std::size_t bytes,
                          std::size_t alignment) {
  if (void* block = heap.allocate(bytes, alignment)) return block;
  const std::size_t free = heap.free_bytes();
  std::string state = format_size(free) + " of " + format_size(heap.size()) + " are free";
  if (free >= bytes) {
    state += ", the largest free block has " + format_size(heap.largest_free_block());
  }
  throw error("allocate",
              "the " + std::string(which) + " heap is out of memory for " + format_size(bytes) +
                  " (" + state + ")",
              "set ACRE_SEGMENT_SIZE to more than " + format_size(heap.size()));
}

void reclaim_freed() noexcept {
  std::atomic<std::uint64_t>& freed = box_of(world.rank).freed_by_others;
  if (freed.load(std::memory_order_relaxed) == 0) return;
  std::uint64_t offset = freed.exchange(0, std::memory_order_acquire);
  while (offset != 0) {
    std::byte* const block = world.segment + offset;
    std::memcpy(&offset, block, sizeof offset);
    the_heaps->private_part->free(block);
  }
}

}  // namespace

void* allocate_symmetric(std::size_t bytes, std::size_t alignment) {
  require_job("allocate");
  if (alignment > most_alignment()) {
    throw error("allocate", "an alignment of " + format_size(alignment) + " is unsupported",
                "request at most " + format_size(most_alignment()));
  }
  return allocate_or_explain(*the_heaps->symmetric, "symmetric", bytes, alignment);
}

std::size_t most_alignment() noexcept {
  constexpr std::size_t linked = std::size_t{4} << 20;
  return world.window != nullptr ? linked : huge_page_bytes;
}

std::size_t symmetric_blocks() noexcept {
  return the_heaps == nullptr ? 0 : the_heaps->symmetric->blocks();
}

void* allocate_private(std::size_t bytes, std::size_t alignment) {
  require_job("allocate");
  reclaim_freed();
  return allocate_or_explain(*the_heaps->private_part, "private", bytes, alignment);
}

bool free_symmetric(void* block) noexcept {
  return the_heaps == nullptr || the_heaps->symmetric->free(block);
}

bool free_private(void* block) noexcept {
  return the_heaps == nullptr || the_heaps->private_part->free(block);
}

void shrink_private(void* block, std::size_t bytes) noexcept {
  if (the_heaps != nullptr) the_heaps->private_part->shrink(block, bytes);
}

void free_private_block::operator()(std::byte* block) const noexcept { free_private(block); }

private_block try_private_block(std::size_t bytes, std::size_t alignment) noexcept {
  if (the_heaps == nullptr) return {};
  reclaim_freed();
  return private_block(
      static_cast<std::byte*>(the_heaps->private_part->allocate(bytes, alignment)));
}

bool has_private_block(const void* address, std::size_t least_bytes) noexcept {
  return the_heaps != nullptr && the_heaps->private_part->has_block(address, least_bytes);
}

void free_private_of(std::uint64_t pointer_bits) noexcept {
  if (the_heaps == nullptr) return;
  const auto owner = static_cast<rank_t>(pointer_bits >> offset_bits);
  std::byte* const block = direct_address(pointer_bits);
  if (owner == world.rank) {
    the_heaps->private_part->free(block);
    return;
  }
  std::atomic<std::uint64_t>& freed = box_of(owner).freed_by_others;
  std::uint64_t next = freed.load(std::memory_order_relaxed);
  do {
    std::memcpy(block, &next, sizeof next);
  } while (!freed.compare_exchange_weak(next, pointer_bits & offset_mask, std::memory_order_release,
                                        std::memory_order_relaxed));
}

std::uint64_t segment_offset(const void* address) noexcept {
  return static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - world.segment);
}

std::uint64_t global_bits(const void* address) noexcept {
  return std::uint64_t{world.rank} << offset_bits | segment_offset(address);
}

bool in_segment(const void* address) noexcept {
  const auto* byte = static_cast<const std::byte*>(address);
  return byte >= world.segment && byte < world.segment + world.segment_bytes;
}

bool may_be_in_a_segment(const void* address) noexcept {
  if (the_heaps == nullptr) return false;
  const std::span<std::byte> all = the_heaps->mapped;
  const auto* const byte = static_cast<const std::byte*>(address);
  return std::less_equal<>()(all.data(), byte) && std::less<>()(byte, all.data() + all.size());
}

bool in_symmetric_heap(const void* address) noexcept {
  return the_heaps != nullptr && the_heaps->symmetric->contains(address);
}

free_memory segment_free() {
  require_job("segment_free");
  reclaim_freed();
  return {the_heaps->symmetric->free_bytes(), the_heaps->private_part->free_bytes()};
}

}  // namespace acre::runtime
