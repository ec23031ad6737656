// SPDX-License-Identifier: BSD-3-Clause
// What the members of a team hold of a block matrix: each an index of its blocks, by rows, and
// their elements, in memory that the others read.
//
// A member changes what it holds only when nobody reads it: every collective that lets members read
// each other's blocks begins with a barrier and ends with one, and changes lie between the end of
// one and the begin of the next. So no block has a lock, and no reader a copy of what is on its own
// node.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/segment_block.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace acre::block_matrices {

/// A block of a member's: indices are sorted by row, then by column.
struct block_entry {
  std::uint32_t row;
  std::uint32_t column;
  double norm;           ///< of Frobenius
  std::uint64_t offset;  ///< among the member's elements, of the first; others follow by columns

  friend bool operator==(const block_entry&, const block_entry&) noexcept = default;
};

/// Where a member's blocks are, for the others to read.
struct block_heading {
  std::uint64_t entries = 0;
  std::uint64_t index = 0;  ///< bits of a global pointer
  std::uint64_t elements = 0;
  std::uint64_t data = 0;  ///< bits of a global pointer
};

class block_store : public team_object<team_memory> {
 public:
  /// No blocks. Collective.
  block_store(const team& members, std::size_t element_bytes, const site& where);
  ~block_store();

  /// This member's blocks.
  [[nodiscard]] std::span<block_entry> index() const noexcept {
    return {index_.as<block_entry>(), entries_};
  }
  [[nodiscard]] std::byte* data() const noexcept { return data_.data(); }
  /// How many elements there are, with the gaps that dropped blocks leave.
  [[nodiscard]] std::size_t elements() const noexcept { return elements_; }

  /// Room for elements to become: that of those before the last, if it is not too small, nor more
  /// than twice as much. So a matrix that is made again and again finds pages that are there.
  [[nodiscard]] global::segment_block room_for(std::size_t elements);
  /// Holds these instead. Nobody reads what was there before; others know the new ones after the
  /// next barrier. Local.
  /// @param elements  of data, from its beginning
  void become(global::segment_block index, std::size_t entries, global::segment_block data,
              std::size_t elements);
  void become(std::span<const block_entry> index, global::segment_block data, std::size_t elements);
  /// Holds nothing, and has no room any more.
  void clear();

  /// Leaves out the blocks for which drop(entry); their elements leave gaps until the next
  /// become(). Nobody reads what is here. Local.
  template <class Drop>
  void leave_out(Drop&& drop) {
    const auto here = index();
    const auto behind = std::ranges::remove_if(here, drop).begin();
    entries_ = static_cast<std::size_t>(behind - here.begin());
    heading().entries = entries_;
  }

  /// Where the heading of a member is.
  [[nodiscard]] global_ptr<const block_heading> heading_of(rank_t member) const noexcept {
    return global_ptr<const block_heading>::from_bits(memory().bits_of(member));
  }

 private:
  /// This member's.
  [[nodiscard]] block_heading& heading() noexcept {
    return *reinterpret_cast<block_heading*>(memory().mine());
  }

  std::size_t element_bytes_;
  global::segment_block index_;
  global::segment_block data_;
  global::segment_block spare_;
  std::size_t entries_ = 0;
  std::size_t elements_ = 0;
};

/// What other members hold, as this one reads it: indices here, elements where they are.
class blocks_of_others {
 public:
  struct part {
    std::span<const block_entry> index;
    std::uint64_t data = 0;           ///< bits of a global pointer
    const std::byte* here = nullptr;  ///< the same where it is mapped
  };

  /// Reads the indices of these members, each once. Between the barriers of a collective. Cost: R
  /// for a heading and R for an index, of all at once; l for those of this node.
  blocks_of_others(const block_store& store, std::span<const rank_t> members, const site& where);

  /// In the order of the members asked for.
  [[nodiscard]] const std::vector<part>& parts() const noexcept { return parts_; }
  /// What came through the network.
  [[nodiscard]] std::size_t bytes_read() const noexcept { return bytes_read_; }

 private:
  std::vector<part> parts_;
  std::vector<block_entry> copies_;
  std::size_t bytes_read_ = 0;
};

}  // namespace acre::block_matrices
