// SPDX-License-Identifier: BSD-3-Clause
// A member's blocks, sorted by rows, in remotely readable memory.
//
// Collectives that read other members' blocks begin and end with a barrier; blocks change only
// outside. Hence no locks.
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

/// Indices are sorted by row, column.
struct block_entry {
  std::uint32_t row;
  std::uint32_t column;
  double norm;
  std::uint64_t offset;  ///< element offset of a column-major block

  friend bool operator==(const block_entry&, const block_entry&) noexcept = default;
};

struct block_heading {
  std::uint64_t entries = 0;
  std::uint64_t index = 0;
  std::uint64_t elements = 0;
  std::uint64_t data = 0;
};

class block_store : public team_object<team_memory> {
 public:
  block_store(const team& members, std::size_t element_bytes, const site& where);
  ~block_store();

  [[nodiscard]] std::span<block_entry> index() const noexcept {
    return {index_.as<block_entry>(), entries_};
  }
  [[nodiscard]] std::byte* data() const noexcept { return data_.data(); }
  [[nodiscard]] std::size_t elements() const noexcept { return elements_; }

  /// Returns memory for become(): the former blocks' if large enough, and at most twice as large.
  [[nodiscard]] global::segment_block room_for(std::size_t elements);
  /// Replaces the blocks, while no member reads; the next barrier publishes. Local.
  /// @param elements  used in `data`
  void become(global::segment_block index, std::size_t entries, global::segment_block data,
              std::size_t elements);
  void become(std::span<const block_entry> index, global::segment_block data, std::size_t elements);
  void clear();

  /// Removes entries with drop(entry), while no member reads; elements become gaps. Local.
  template <class Drop>
  void leave_out(Drop&& drop) {
    const auto here = index();
    const auto behind = std::ranges::remove_if(here, drop).begin();
    entries_ = static_cast<std::size_t>(behind - here.begin());
    heading().entries = entries_;
  }

  [[nodiscard]] global_ptr<const block_heading> heading_of(rank_t member) const noexcept {
    return global_ptr<const block_heading>::from_bits(memory().bits_of(member));
  }

 private:
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

class blocks_of_others {
 public:
  struct part {
    std::span<const block_entry> index;
    std::uint64_t data = 0;
    const std::byte* here = nullptr;
  };

  /// Reads indices within a collective's barriers. Cost: R per header and index, overlapped; l on
  /// this node.
  blocks_of_others(const block_store& store, std::span<const rank_t> members, const site& where);

  [[nodiscard]] const std::vector<part>& parts() const noexcept { return parts_; }
  [[nodiscard]] std::size_t bytes_read() const noexcept { return bytes_read_; }

 private:
  std::vector<part> parts_;
  std::vector<block_entry> copies_;
  std::size_t bytes_read_ = 0;
};

}  // namespace acre::block_matrices
