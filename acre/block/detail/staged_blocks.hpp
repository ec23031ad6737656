// SPDX-License-Identifier: BSD-3-Clause
// Blocks that a rank has put or added, and that their owners do not have yet.
#pragma once

#include <acre/global/wire/owned_bytes.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace acre::block_matrices {

enum class staging : std::uint32_t { put, add };

/// How a block is told to its owner; its elements follow in another list.
struct staged_block {
  std::uint32_t row;
  std::uint32_t column;
  staging how;
  std::uint32_t elements;
};

/// What a member has for another: its blocks, then the elements of all of them.
template <class T>
class staged_parcel {
  static constexpr std::size_t head = 16;  // a number, and the alignment of what follows
  static_assert(sizeof(staged_block) % alignof(T) == 0);

 public:
  /// Nothing for nothing.
  [[nodiscard]] static global::owned_bytes pack(std::span<const staged_block> blocks,
                                                std::span<const T> values) {
    if (blocks.empty()) return {};
    global::owned_bytes packed(head + blocks.size_bytes() + values.size_bytes());
    const std::uint64_t count = blocks.size();
    std::memcpy(packed.data(), &count, sizeof(count));
    std::memcpy(packed.data() + head, blocks.data(), blocks.size_bytes());
    if (values.empty()) return packed;
    std::memcpy(packed.data() + head + blocks.size_bytes(), values.data(), values.size_bytes());
    return packed;
  }

  /// Reads what pack() made; it lives as long as this.
  explicit staged_parcel(const global::owned_bytes& packed) {
    if (packed.size() == 0) return;
    std::uint64_t count = 0;
    std::memcpy(&count, packed.data(), sizeof(count));
    blocks_ = {reinterpret_cast<const staged_block*>(packed.data() + head), count};
    values_ = reinterpret_cast<const T*>(packed.data() + head + blocks_.size_bytes());
  }
  [[nodiscard]] std::span<const staged_block> blocks() const noexcept { return blocks_; }
  [[nodiscard]] const T* values() const noexcept { return values_; }

 private:
  std::span<const staged_block> blocks_;
  const T* values_ = nullptr;
};

/// Those for each member, in the order of the calls.
template <class T>
class staged_blocks {
 public:
  void add(rank_t owner, const staged_block& block, std::span<const T> values) {
    list& to = list_of(owner);
    to.values.insert(to.values.end(), values.begin(), values.end());
    to.name_last(block);
  }
  /// Room for what is written afterwards.
  [[nodiscard]] T* add(rank_t owner, const staged_block& block) {
    list& to = list_of(owner);
    to.values.resize(to.values.size() + block.elements);
    to.name_last(block);
    return to.values.data() + to.values.size() - block.elements;
  }
  void clear() noexcept { lists_.clear(); }
  [[nodiscard]] bool empty() const noexcept {
    return std::ranges::all_of(lists_, [](const list& each) { return each.blocks.empty(); });
  }

  /// A parcel for each member. Nothing is left here, also where there is no room.
  [[nodiscard]] std::vector<global::owned_bytes> take(rank_t members) {
    std::vector<global::owned_bytes> parcels;
    auto lists = std::exchange(lists_, {});
    lists.resize(members);
    parcels.reserve(members);
    for (list& each : lists) {
      parcels.push_back(staged_parcel<T>::pack(each.blocks, each.values));
      each = {};
    }
    return parcels;
  }

 private:
  struct list {
    std::vector<staged_block> blocks;
    std::vector<T> values;

    /// Whose elements the last ones are. Where there is no room for that, they are not there
    /// either.
    void name_last(const staged_block& block) {
      try {
        blocks.push_back(block);
      } catch (...) {
        values.resize(values.size() - block.elements);
        throw;
      }
    }
  };
  [[nodiscard]] list& list_of(rank_t owner) {
    if (owner >= lists_.size()) lists_.resize(owner + 1);
    return lists_[owner];
  }

  std::vector<list> lists_;
};

}  // namespace acre::block_matrices
