// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/allocate.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/require_job.hpp>
#include <acre/runtime/running_code.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace acre::global {
namespace {

constexpr const char* same_allocations =
    "allocate and free symmetric memory on all ranks in the same order, with equal sizes";

template <class T>
struct range_of {
  T least;
  T most;
  [[nodiscard]] bool is_one() const noexcept { return least == most; }
  friend range_of join(range_of a, range_of b) noexcept {
    return {std::min(a.least, b.least), std::max(a.most, b.most)};
  }
};

struct agreement {
  range_of<std::uint64_t> bytes;
  range_of<std::uint64_t> offsets;
};

agreement agree(std::uint64_t bytes, std::uint64_t offset) {
  return world().allreduce(agreement{{bytes, bytes}, {offset, offset}},
                           [](const agreement& a, const agreement& b) {
                             return agreement{join(a.bytes, b.bytes), join(a.offsets, b.offsets)};
                           });
}

error disagreement(const agreement& all) {
  if (!all.bytes.is_one()) {
    return {"allocate_symmetric",
            "the ranks request different sizes, from " + format_size(all.bytes.least) + " to " +
                format_size(all.bytes.most),
            same_allocations};
  }
  if (all.offsets.least == 0) {
    return {"allocate_symmetric",
            "another rank is out of memory for " + format_size(all.bytes.least),
            "see the message of that rank"};
  }
  return {"allocate_symmetric", "the blocks would have different offsets", same_allocations};
}

[[noreturn]] void throw_no_block(const char* call, rank_t owner, std::uint64_t offset) {
  throw error(call,
              "no allocated block begins at rank " + std::to_string(owner) + ", offset " +
                  std::to_string(offset),
              "free a block once, by the pointer that the allocation returned; do not write "
              "before its start");
}

}  // namespace

void* allocate_on_all(std::size_t bytes, std::size_t alignment) {
  runtime::require_job("allocate_symmetric");
  runtime::require_no_served_call("allocate_symmetric");
  const runtime::failures_held until_all_is_done;
  void* mine = nullptr;
  std::optional<error> full;
  try {
    mine = runtime::allocate_symmetric(bytes, alignment);
  } catch (const error& problem) {
    full.emplace("allocate_symmetric", problem.problem(), problem.advice());
  }
  const agreement all = agree(bytes, mine == nullptr ? 0 : runtime::segment_offset(mine));
  if (all.bytes.is_one() && all.offsets.is_one() && mine != nullptr) return mine;
  runtime::free_symmetric(mine);
  if (all.bytes.is_one() && full) throw *full;
  throw disagreement(all);
}

void deallocate_on_all(std::uint64_t offset) {
  runtime::require_job("deallocate_symmetric");
  runtime::require_no_served_call("deallocate_symmetric");
  const runtime::failures_held until_all_is_done;
  constexpr std::uint64_t elsewhere = ~std::uint64_t{0};
  std::byte* const block = runtime::world.segment + offset;
  const bool is_ours = offset == 0 || runtime::in_symmetric_heap(block);
  const range_of<std::uint64_t> offsets = agree(0, is_ours ? offset : elsewhere).offsets;
  if (offsets.most == elsewhere) {
    throw error("deallocate_symmetric", "the memory is not symmetric",
                "free it with deallocate(), on the rank that allocated it");
  }
  if (!offsets.is_one()) {
    throw error("deallocate_symmetric", "the ranks free different blocks", same_allocations);
  }
  if (offset != 0 && !runtime::free_symmetric(block)) {
    throw_no_block("deallocate_symmetric", rank(), offset);
  }
}

void require_block_here(const char* call, rank_t owner, std::uint64_t offset) {
  if (owner != rank()) {
    throw error(
        call, "the memory belongs to rank " + std::to_string(owner),
        "free it there: rpc(p.rank(), [](auto p) { acre::" + std::string(call) + "(p); }, p)");
  }
  std::byte* const block = runtime::world.segment + offset;
  if (runtime::in_symmetric_heap(block)) {
    throw error(call, "the memory is symmetric",
                "free it with deallocate_symmetric(), on all ranks");
  }
  if (!runtime::has_private_block(block)) throw_no_block(call, owner, offset);
}

void deallocate_here(const char* call, rank_t owner, std::uint64_t offset) {
  require_block_here(call, owner, offset);
  if (!runtime::free_private(runtime::world.segment + offset)) throw_no_block(call, owner, offset);
}

}  // namespace acre::global
