// SPDX-License-Identifier: BSD-3-Clause
// Maps blocks to members, the second stage of a pattern. The numbers are members:
//
//     grid<2>({4, 4}, {2, 2})       shifted<2>({4, 4}, 3)     in_turn<2>({4, 4}, 3)
//         0 1 0 1                       0 1 2 0                   0 1 2 0
//         2 3 2 3                       1 2 0 1                   1 2 0 1
//         0 1 0 1                       2 0 1 2                   2 0 1 2
//         2 3 2 3                       0 1 2 0                   0 1 2 0
//
// A slot numbers a member's block; some are empty, which avoids tables.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/divisor.hpp>
#include <acre/base/shared_object.hpp>
#include <acre/layout/box.hpp>
#include <acre/layout/pattern.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace acre::layout {

struct slot {
  member_t member;
  std::size_t number;

  friend constexpr bool operator==(const slot&, const slot&) noexcept = default;
};

/// A mapping of blocks to members. Functions do not throw. Traits:
/// - is_grid: members form a grid; dimensions are independent
/// - is_diagonal: consecutive blocks in any dimension go to consecutive members
/// - is_in_turn: round-robin by rows
template <class M, std::size_t N>
concept mapping = std::copyable<M> && std::equality_comparable<M> &&
                  requires(const M& m, coordinates<N> block, slot where, member_t member) {
                    { m.members() } noexcept -> std::same_as<member_t>;
                    { m.blocks() } noexcept -> std::same_as<const coordinates<N>&>;
                    { m.slot_of(block) } noexcept -> std::same_as<slot>;
                    /// Block of a slot; no value for an empty or invalid slot.
                    { m.block_at(where) } noexcept -> std::same_as<std::optional<coordinates<N>>>;
                    /// Upper bound of a member's slots.
                    { m.slots() } noexcept -> std::same_as<std::size_t>;
                    requires std::same_as<decltype(M::is_grid), const bool>;
                    requires std::same_as<decltype(M::is_diagonal), const bool>;
                    requires std::same_as<decltype(M::is_in_turn), const bool>;
                  };

/// Members form a grid; blocks are dealt round-robin in each dimension.
template <std::size_t N>
class grid {
 public:
  static constexpr bool is_grid = true;
  static constexpr bool is_diagonal = false;
  static constexpr bool is_in_turn = N == 1;

  constexpr grid() noexcept { parts_.fill(1); }
  /// @param parts  members per dimension, not 0, numbered by rows
  constexpr grid(const coordinates<N>& blocks, const coordinates<N>& parts) noexcept
      : blocks_(blocks), parts_(parts) {
    for (std::size_t d = 0; d < N; ++d) {
      rounds_[d] = divide_up(blocks[d], parts[d]);
      by_parts_[d] = divisor(parts[d]);
    }
  }

  [[nodiscard]] constexpr const coordinates<N>& blocks() const noexcept { return blocks_; }
  [[nodiscard]] constexpr const coordinates<N>& parts() const noexcept { return parts_; }
  [[nodiscard]] constexpr member_t members() const noexcept {
    return static_cast<member_t>(box<N>{.extents = parts_}.size());
  }
  /// Number of earlier blocks of the same part in dimension d.
  [[nodiscard]] constexpr std::size_t round_of(std::size_t d, std::size_t block) const noexcept {
    return block / by_parts_[d];
  }
  [[nodiscard]] constexpr coordinates<N> part_of(member_t member) const noexcept {
    return row_major::at<N>(member, parts_);
  }
  [[nodiscard]] constexpr slot slot_of(const coordinates<N>& block) const noexcept {
    coordinates<N> part{};
    coordinates<N> round{};
    for (std::size_t d = 0; d < N; ++d) {
      round[d] = block[d] / by_parts_[d];
      part[d] = block[d] - round[d] * parts_[d];
    }
    return {.member = static_cast<member_t>(row_major::number<N>(part, parts_)),
            .number = row_major::number<N>(round, rounds_)};
  }
  [[nodiscard]] constexpr std::optional<coordinates<N>> block_at(slot where) const noexcept {
    if (where.number >= slots()) return std::nullopt;
    const coordinates<N> part = part_of(where.member);
    coordinates<N> block = row_major::at<N>(where.number, rounds_);
    for (std::size_t d = 0; d < N; ++d) {
      block[d] = block[d] * parts_[d] + part[d];
      if (block[d] >= blocks_[d]) return std::nullopt;
    }
    return block;
  }
  [[nodiscard]] constexpr std::size_t slots() const noexcept {
    return box<N>{.extents = rounds_}.size();
  }

  friend constexpr bool operator==(const grid&, const grid&) noexcept = default;

 private:
  coordinates<N> blocks_{};
  coordinates<N> parts_{};
  coordinates<N> rounds_{};
  std::array<divisor, N> by_parts_{};
};

/// Round-robin by rows.
template <std::size_t N>
class in_turn {
 public:
  static constexpr bool is_grid = false;
  static constexpr bool is_diagonal = false;
  static constexpr bool is_in_turn = true;

  constexpr in_turn() noexcept = default;
  /// @param members  not 0
  constexpr in_turn(const coordinates<N>& blocks, member_t members) noexcept
      : blocks_(blocks), members_(members), by_members_(members) {}

  [[nodiscard]] constexpr const coordinates<N>& blocks() const noexcept { return blocks_; }
  [[nodiscard]] constexpr member_t members() const noexcept { return members_; }
  [[nodiscard]] constexpr slot slot_of(const coordinates<N>& block) const noexcept {
    const std::size_t number = row_major::number<N>(block, blocks_);
    return {.member = static_cast<member_t>(number % by_members_), .number = number / by_members_};
  }
  [[nodiscard]] constexpr std::optional<coordinates<N>> block_at(slot where) const noexcept {
    const std::size_t number = where.number * members_ + where.member;
    if (number >= count()) return std::nullopt;
    return row_major::at<N>(number, blocks_);
  }
  [[nodiscard]] constexpr std::size_t slots() const noexcept {
    return divide_up(count(), std::size_t{members_});
  }

  friend constexpr bool operator==(const in_turn&, const in_turn&) noexcept = default;

 private:
  [[nodiscard]] constexpr std::size_t count() const noexcept {
    return box<N>{.extents = blocks_}.size();
  }

  coordinates<N> blocks_{};
  member_t members_ = 1;
  divisor by_members_;
};

/// Round-robin in every dimension, with each row shifted by one member: `members` consecutive
/// blocks in any dimension are on different members.
template <std::size_t N>
class shifted {
 public:
  static constexpr bool is_grid = N == 1;
  static constexpr bool is_diagonal = true;
  static constexpr bool is_in_turn = N == 1;

  constexpr shifted() noexcept = default;
  /// @param members  not 0
  constexpr shifted(const coordinates<N>& blocks, member_t members) noexcept
      : blocks_(blocks), members_(members), by_members_(members) {}

  [[nodiscard]] constexpr const coordinates<N>& blocks() const noexcept { return blocks_; }
  [[nodiscard]] constexpr member_t members() const noexcept { return members_; }
  [[nodiscard]] constexpr slot slot_of(const coordinates<N>& block) const noexcept {
    const std::size_t along = block[N - 1];
    return {.member = static_cast<member_t>((shift_of(block) + along) % by_members_),
            .number = row_of(block) * slots_a_row() + along / by_members_};
  }
  [[nodiscard]] constexpr std::optional<coordinates<N>> block_at(slot where) const noexcept {
    if (where.number >= slots()) return std::nullopt;
    coordinates<N> rows = blocks_;
    rows[N - 1] = slots_a_row();
    coordinates<N> block = row_major::at<N>(where.number, rows);
    const std::size_t turn = (where.member + members_ - shift_of(block) % members_) % members_;
    block[N - 1] = block[N - 1] * members_ + turn;
    if (block[N - 1] >= blocks_[N - 1]) return std::nullopt;
    return block;
  }
  [[nodiscard]] constexpr std::size_t slots() const noexcept {
    coordinates<N> rows = blocks_;
    rows[N - 1] = slots_a_row();
    return box<N>{.extents = rows}.size();
  }

  friend constexpr bool operator==(const shifted&, const shifted&) noexcept = default;

 private:
  [[nodiscard]] static constexpr std::size_t shift_of(const coordinates<N>& block) noexcept {
    std::size_t shift = 0;
    for (std::size_t d = 0; d + 1 < N; ++d) shift += block[d];
    return shift;
  }
  [[nodiscard]] constexpr std::size_t row_of(const coordinates<N>& block) const noexcept {
    std::size_t row = 0;
    for (std::size_t d = 0; d + 1 < N; ++d) row = row * blocks_[d] + block[d];
    return row;
  }
  [[nodiscard]] constexpr std::size_t slots_a_row() const noexcept {
    return (blocks_[N - 1] + members_ - 1) / by_members_;
  }

  coordinates<N> blocks_{};
  member_t members_ = 1;
  divisor by_members_;
};

/// Any block to any member, by a table that copies share.
template <std::size_t N>
class assigned {
 public:
  static constexpr bool is_grid = false;
  static constexpr bool is_diagonal = false;
  static constexpr bool is_in_turn = false;

  assigned() : assigned({}, 1, {}) {}
  /// @param owners  one per block, by rows, each below `members`
  assigned(const coordinates<N>& blocks, member_t members, const std::vector<member_t>& owners)
      : blocks_(blocks), members_(members) {
    table made;
    made.blocks_of.resize(members);
    for (const member_t owner : owners) {
      std::vector<std::size_t>& of_owner = made.blocks_of[owner];
      made.slots.push_back({.member = owner, .number = of_owner.size()});
      of_owner.push_back(made.slots.size() - 1);
      most_ = larger(most_, of_owner.size());
    }
    table_ = base::shared_object<const table>::make(std::move(made));
  }

  [[nodiscard]] const coordinates<N>& blocks() const noexcept { return blocks_; }
  [[nodiscard]] member_t members() const noexcept { return members_; }
  [[nodiscard]] slot slot_of(const coordinates<N>& block) const noexcept {
    return table_->slots[row_major::number<N>(block, blocks_)];
  }
  [[nodiscard]] std::optional<coordinates<N>> block_at(slot where) const noexcept {
    const std::vector<std::size_t>& of_member = table_->blocks_of[where.member];
    if (where.number >= of_member.size()) return std::nullopt;
    return row_major::at<N>(of_member[where.number], blocks_);
  }
  [[nodiscard]] std::size_t slots() const noexcept { return most_; }

  friend bool operator==(const assigned& a, const assigned& b) noexcept {
    return a.blocks_ == b.blocks_ && a.members_ == b.members_ &&
           (a.table_ == b.table_ || a.table_->slots == b.table_->slots);
  }

 private:
  struct table {
    std::vector<slot> slots;
    std::vector<std::vector<std::size_t>> blocks_of;
  };

  coordinates<N> blocks_{};
  member_t members_ = 1;
  std::size_t most_ = 0;
  base::shared_object<const table> table_;
};

static_assert(mapping<grid<2>, 2> && mapping<in_turn<2>, 2> && mapping<shifted<3>, 3> &&
              mapping<assigned<1>, 1>);

}  // namespace acre::layout
