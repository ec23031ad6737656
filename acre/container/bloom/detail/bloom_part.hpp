// SPDX-License-Identifier: BSD-3-Clause
// A rank's part of a Bloom filter: head and blocks.
#pragma once

#include <acre/container/bloom/detail/bloom_block.hpp>
#include <acre/container/bloom/detail/bloom_shape.hpp>
#include <acre/container/hash.hpp>
#include <acre/container/phase_record.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace acre::container {

class bloom_part {
 public:
  struct alignas(64) head {
    std::uint64_t blocks;
    std::uint32_t words;
    std::uint32_t draws;
    phase_record record;
  };

  explicit bloom_part(std::byte* memory) noexcept : head_(reinterpret_cast<head*>(memory)) {}

  [[nodiscard]] static constexpr std::size_t bytes(const bloom_shape& shape,
                                                   std::uint64_t blocks) noexcept {
    return sizeof(head) + blocks * shape.words * sizeof(std::uint64_t);
  }
  static bloom_part make(std::byte* memory, const bloom_shape& shape,
                         std::uint64_t blocks) noexcept {
    bloom_part made(memory);
    *made.head_ = {.blocks = blocks, .words = shape.words, .draws = shape.draws, .record = {}};
    made.clear();
    return made;
  }

  [[nodiscard]] phase_record& record() const noexcept { return head_->record; }
  [[nodiscard]] std::span<std::uint64_t> words() const noexcept {
    return {reinterpret_cast<std::uint64_t*>(head_ + 1), head_->blocks * head_->words};
  }

  bloom_insertion insert(std::uint64_t hash) const noexcept {
    return in_block<bloom_insertion>(
        hash, [](auto block, const auto& wanted) { return block.insert(wanted); });
  }
  [[nodiscard]] bool find(std::uint64_t hash) const noexcept {
    return in_block<bool>(hash, [](auto block, const auto& wanted) { return block.find(wanted); });
  }
  /// Needs exclusive use. @return true if new
  bool insert_alone(std::uint64_t hash) const noexcept {
    return in_block<bool>(
        hash, [](auto block, const auto& wanted) { return block.insert_alone(wanted); });
  }

  /// Offset of an item's block in a part of `blocks` blocks.
  [[nodiscard]] static constexpr std::size_t block_offset(const bloom_shape& shape,
                                                          std::uint64_t blocks,
                                                          std::uint64_t hash) noexcept {
    return bytes(shape, base::scale(hash, blocks).whole);
  }
  [[nodiscard]] static bool find_in_copy(const bloom_shape& shape, std::uint64_t* block,
                                         std::uint64_t hash) noexcept {
    return with_block<bool>(block, shape.words, shape.draws, hash,
                            [](auto each, const auto& wanted) { return each.find(wanted); });
  }

  void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(block_of(hash), 1); }

  void clear() const noexcept {
    for (auto& word : words()) word = 0;
  }

  void merge(const bloom_part& other) const noexcept {
    const auto mine = words();
    const auto theirs = other.words();
    for (std::size_t i = 0; i < mine.size(); ++i) mine[i] |= theirs[i];
  }

  struct census {
    double set = 0;
    double rate = 0;
    double items = 0;
    double blocks = 0;
  };
  [[nodiscard]] census count() const;

 private:
  [[nodiscard]] std::uint64_t* block_of(std::uint64_t hash) const noexcept {
    return reinterpret_cast<std::uint64_t*>(head_ + 1) +
           base::scale(hash, head_->blocks).whole * head_->words;
  }

  template <class Result, class Function>
  Result in_block(std::uint64_t hash, Function&& f) const noexcept {
    return with_block<Result>(block_of(hash), head_->words, head_->draws, hash, f);
  }
  template <class Result, class Function>
  static Result with_block(std::uint64_t* block, unsigned words, unsigned draws, std::uint64_t hash,
                           Function&& f) noexcept {
    const auto with = [&]<unsigned Words>() {
      return f(bloom_block<Words>(block), bloom_pattern<Words>(hash, draws));
    };
    switch (words) {
      case 1:
        return with.template operator()<1>();
      case 2:
        return with.template operator()<2>();
      case 4:
        return with.template operator()<4>();
      default:
        return with.template operator()<8>();
    }
  }

  head* head_;
};

}  // namespace acre::container
