// Blocks that a rank has put or added, and that their owners do not have yet.
#pragma once

#include <acre/runtime/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace acre::detail {

enum class staging : std::uint32_t { put, add };

/// How a block is told to its owner; its elements follow in another list.
struct staged_block {
  std::uint32_t row;
  std::uint32_t column;
  staging how;
  std::uint32_t elements;
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

  /// All lists, one after the other, and how long each of `members` is.
  struct together {
    std::vector<staged_block> blocks;
    std::vector<std::size_t> block_counts;
    std::vector<T> values;
    std::vector<std::size_t> value_counts;
  };
  /// Nothing is left here, also where there is no room.
  [[nodiscard]] together take(rank_t members) {
    together all;
    auto lists = std::exchange(lists_, {});
    lists.resize(members);
    for (list& each : lists) {
      all.block_counts.push_back(each.blocks.size());
      all.value_counts.push_back(each.values.size());
      all.blocks.insert(all.blocks.end(), each.blocks.begin(), each.blocks.end());
      all.values.insert(all.values.end(), each.values.begin(), each.values.end());
      each = {};
    }
    return all;
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

}  // namespace acre::detail
