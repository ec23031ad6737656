// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/list.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/runtime/memory.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace acre::arrays {

list_blocks::~list_blocks() { runtime::free_private(fresh_); }

std::byte* list_blocks::room_for(std::size_t count, std::size_t alignment) noexcept {
  no_room_ = nullptr;
  if (count <= capacity_) return block_;
  return fresh_room_for(count, alignment);
}

std::byte* list_blocks::fresh_room_for(std::size_t count, std::size_t alignment) noexcept {
  no_room_ = nullptr;
  if (count == 0) return block_;
  runtime::free_private(std::exchange(fresh_, nullptr));
  // Reuses the capacity if it suffices.
  const std::size_t wanted = count <= capacity_ ? capacity_ : larger(count, 2 * capacity_);
  for (const std::size_t capacity : {wanted, count}) {
    try {
      fresh_ = static_cast<std::byte*>(runtime::allocate_private(
          base::bytes_for(capacity, each_), larger<std::size_t>(alignment, 64)));
      fresh_capacity_ = capacity;
      no_room_ = nullptr;
      break;
    } catch (...) {
      no_room_ = std::current_exception();
    }
  }
  return fresh_;
}

void list_blocks::throw_no_room(rank_t rank, const site& where) const {
  std::string problem = "rank " + std::to_string(rank) + " is out of memory";
  try {
    if (no_room_ != nullptr) std::rethrow_exception(no_room_);
  } catch (const error& full) {
    problem = full.problem();
  }
  throw error("list::commit", problem + describe_place(where),
              "the list is unchanged: increase ACRE_SEGMENT_SIZE, or erase elements");
}

void list_blocks::publish(array_memory<irregular_kind>& list, std::size_t count,
                          const site& where) {
  struct part {
    std::uint64_t offset;
    std::uint64_t count;
    std::uint64_t digest;
  };
  std::byte* const block = fresh_ == nullptr ? block_ : fresh_;
  const team& members = list.members();
  const global::common_call mine = global::common_call("list::commit", where)
                                       .with_type("elements of", type_)
                                       .with_identity("the list", list.identity());
  const auto parts = members.allgather(
      part{no_room_ == nullptr && block != nullptr ? runtime::segment_offset(block) : 0, count,
           mine.digest()},
      where);
  if (std::ranges::any_of(parts, [&](const part& each) { return each.digest != mine.digest(); })) {
    runtime::free_private(std::exchange(fresh_, nullptr));
    global::throw_calls_differ(members, mine);
  }
  std::vector<std::uint64_t> offsets;
  std::vector<std::size_t> counts;
  for (const part& each : parts) {
    if (each.count != 0 && each.offset == 0) {
      runtime::free_private(std::exchange(fresh_, nullptr));
      throw_no_room(members.world_rank(static_cast<rank_t>(counts.size())), where);
    }
    offsets.push_back(each.offset);
    counts.push_back(each.count);
  }
  list.become(irregular_pattern(counts),
              team_memory(members, offsets, block, team_memory::owner::team));
  if (fresh_ != nullptr) capacity_ = fresh_capacity_;
  block_ = block;
  fresh_ = nullptr;
}

void throw_no_place(const char* call, std::size_t place, std::size_t size, const site& where) {
  throw error(call,
              "place " + std::to_string(place) + " is out of range for the " +
                  std::to_string(size) + " elements of this rank" + describe_place(where),
              "`place` is an index in local(), which the last commit has updated");
}

}  // namespace acre::arrays
