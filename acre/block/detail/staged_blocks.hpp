// SPDX-License-Identifier: BSD-3-Clause
// Blocks put or added before finalise(), and their messages to owners.
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

struct staged_block {
  std::uint32_t row;
  std::uint32_t column;
  staging how;
  std::uint32_t elements;
};

/// Message: number of blocks (16 bytes), their headings, elements.
template <class T>
class staged_parcel {
  static constexpr std::size_t head = 16;
  static_assert(sizeof(staged_block) % alignof(T) == 0);

 public:
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

template <class T>
class staged_blocks {
 public:
  void add(rank_t owner, const staged_block& block, std::span<const T> values) {
    list& to = list_of(owner);
    to.values.insert(to.values.end(), values.begin(), values.end());
    to.name_last(block);
  }
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

  /// One parcel per member; empties this, even on failure.
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
