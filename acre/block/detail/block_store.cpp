// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/block_store.hpp>

#include <acre/global/memory/put_get.hpp>
#include <acre/global/memory/quiet_on_failure.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace acre::block_matrices {

block_store::block_store(const team& members, std::size_t element_bytes, const site& where)
    : team_object(members,
                  team_memory(members, sizeof(block_heading), alignof(block_heading),
                              "block_matrix", where),
                  "the destructor of the block_matrix made", where),
      element_bytes_(element_bytes) {
  const runtime::failures_held until_it_is_there;
  ::new (memory().mine()) block_heading;
  members.barrier(where);
}

block_store::~block_store() {
  if (release()) return;
  index_.abandon();
  data_.abandon();
}

global::segment_block block_store::room_for(std::size_t elements) {
  const std::size_t bytes = elements * element_bytes_;
  if (spare_.size() >= bytes && spare_.size() / 2 <= bytes) return std::move(spare_);
  spare_ = {};
  return global::segment_block(bytes);
}

void block_store::become(global::segment_block index, std::size_t entries,
                         global::segment_block data, std::size_t elements) {
  index_ = std::move(index);
  spare_ = std::exchange(data_, std::move(data));
  entries_ = entries;
  elements_ = elements;
  const auto bits_of = [](const global::segment_block& block) {
    return block.data() == nullptr ? 0 : to_global(block.data()).bits();
  };
  heading() = {
      .entries = entries_, .index = bits_of(index_), .elements = elements_, .data = bits_of(data_)};
}

void block_store::become(std::span<const block_entry> index, global::segment_block data,
                         std::size_t elements) {
  global::segment_block copy(index.size_bytes());
  std::ranges::copy(index, copy.as<block_entry>());
  become(std::move(copy), index.size(), std::move(data), elements);
}

void block_store::clear() {
  become({}, 0, {}, 0);
  spare_ = {};
}

blocks_of_others::blocks_of_others(const block_store& store, std::span<const rank_t> members,
                                   const site& where) {
  std::vector<block_heading> headings(members.size());
  const global::quiet_on_failure reads_end;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto source = store.heading_of(members[i]);
    get_nbi(source, std::span(&headings[i], 1), where);
    if (!source.is_local()) bytes_read_ += sizeof(block_heading);
  }
  quiet();

  const auto is_near = [](const block_heading& each) {
    return each.entries == 0 || runtime::direct_address(each.index) != nullptr;
  };
  std::size_t to_copy = 0;
  for (const block_heading& each : headings) to_copy += is_near(each) ? 0 : each.entries;
  copies_.resize(to_copy);
  bytes_read_ += to_copy * sizeof(block_entry);
  block_entry* next = copies_.data();
  for (const block_heading& each : headings) {
    part made{.index = {},
              .data = each.data,
              .here = each.data == 0 ? nullptr : runtime::direct_address(each.data)};
    if (each.entries == 0) {
    } else if (is_near(each)) {
      made.index = {reinterpret_cast<const block_entry*>(runtime::direct_address(each.index)),
                    each.entries};
    } else {
      const std::span<block_entry> room(next, each.entries);
      get_nbi(global_ptr<const block_entry>::from_bits(each.index), room, where);
      next += each.entries;
      made.index = room;
    }
    parts_.push_back(made);
  }
  quiet();
}

}  // namespace acre::block_matrices
