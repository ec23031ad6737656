// SPDX-License-Identifier: BSD-3-Clause
// Presents a range as one contiguous block per member, through temporary blocks if necessary.
#pragma once

#include <acre/algorithm/detail/range_parts.hpp>
#include <acre/algorithm/detail/run_transfer.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/view/ranges.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::algorithm {

struct range_block {
  std::uint64_t bits = 0;
  std::size_t first = 0;
  std::size_t count = 0;

  template <class T>
  [[nodiscard]] global_ptr<T> data() const noexcept {
    return global_ptr<T>::from_bits(bits);
  }
  template <class T>
  [[nodiscard]] std::span<T> local() const noexcept {
    return count == 0 ? std::span<T>() : std::span<T>(data<T>().local(), count);
  }
};
using range_blocks = std::vector<range_block>;

[[nodiscard]] range_blocks equal_blocks(std::size_t size, rank_t members);

/// Returns no blocks if a member has several. Collective. Cost: 1 allgather.
template <ranges::distributed_range R>
[[nodiscard]] range_blocks blocks_of(R& range, const site& where) {
  using T = ranges::value_of<R>;
  struct found {
    range_block block;
    bool is_one_piece = true;
  };
  found mine;
  const T* end = nullptr;
  ranges::each_own_run(range, [&](std::size_t index, auto run) {
    range_block& block = mine.block;
    if (run.empty()) return;
    if (block.count == 0) {
      block = {.bits = to_global(run.data()).bits(), .first = index, .count = run.size()};
    } else if (index == block.first + block.count && run.data() == end) {
      block.count += run.size();
    } else {
      mine.is_one_piece = false;
    }
    end = run.data() + run.size();
  });
  range_blocks blocks;
  for (const found& each : ranges::members(range).allgather(mine, where)) {
    if (!each.is_one_piece) return {};
    blocks.push_back(each.block);
  }
  return blocks;
}

/// Calls body(blocks) with temporary equal blocks that hold a copy of the range. Collective. Cost:
/// 1 B, 1 allgather, 1 allreduce, and R per run.
template <ranges::distributed_range R, class Body>
void in_copied_blocks(R& range, const char* call, const site& where, Body&& body) {
  using T = ranges::value_of<R>;
  const team& members = ranges::members(range);
  range_blocks blocks = equal_blocks(std::ranges::size(range), members.size());
  const std::size_t most = blocks.front().count;
  const team_memory memory(members, most * sizeof(T), alignof(T), call, where);
  for (rank_t member = 0; member < members.size(); ++member) {
    blocks[member].bits = memory.bits_of(member);
  }
  const range_block& own = blocks[members.rank()];
  global::succeed_together(members, call, where, [&] {
    run_reads<T> reads;
    read_segments(range, own.first, own.local<T>(), reads, where);
    reads.finish(call);
    quiet();
  });
  body(blocks);
}

/// body(blocks) is collective and reads the elements. Cost besides: 1 B and 1 allgather; with
/// copies also those of in_copied_blocks().
template <ranges::distributed_range R, class Body>
void in_read_blocks(R& range, const char* call, const site& where, Body&& body) {
  ranges::members(range).barrier(where);  // completes earlier writes
  const range_blocks blocks = blocks_of(range, where);
  if (!blocks.empty()) return body(blocks);
  in_copied_blocks(range, call, where, body);
}

/// body(blocks) is collective, changes elements and ends with a barrier. Cost besides: as above,
/// with copies also W per run.
template <ranges::distributed_range R, class Body>
void in_blocks(R& range, const char* call, const site& where, Body&& body) {
  using T = ranges::value_of<R>;
  const team& members = ranges::members(range);
  members.barrier(where);  // completes earlier writes
  const range_blocks found = blocks_of(range, where);
  if (!found.empty()) return body(found);
  in_copied_blocks(range, call, where, [&](const range_blocks& blocks) {
    const range_block& own = blocks[members.rank()];
    body(blocks);
    then_barrier(members, where, [&] {
      run_writes<T> writes;
      write_segments(std::span<const T>(own.local<T>()), range, own.first, writes, where);
      writes.finish(call);
      quiet();
    });
  });
}

}  // namespace acre::algorithm
