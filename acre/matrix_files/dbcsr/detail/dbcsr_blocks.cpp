// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/dbcsr/detail/dbcsr_blocks.hpp>

#include <acre/layout/cut.hpp>
#include <acre/matrix_files/dbcsr/detail/byte_fault.hpp>

#include <algorithm>
#include <string>

namespace acre::matrix_files {
namespace {

class chunk_index {
 public:
  chunk_index(global::team_file& file, const dbcsr_layout& layout, const dbcsr_chunk& chunk,
              std::uint64_t first, std::uint64_t last)
      : layout_(layout), chunk_(chunk), first_(first) {
    begins_ = dbcsr_integers(file, chunk.index, layout.rows.size() + 1, "the rows of a chunk");
    columns_ = dbcsr_integers(file, layout.column_of_block(chunk, first), last - first,
                              "the columns of a chunk");
    firsts_ = dbcsr_integers(file, layout.first_of_block(chunk, first), last - first,
                             "the places of a chunk");
  }

  void append_to(std::vector<dbcsr_block>& blocks) const {
    check_begins();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (firsts_[i] != 0) blocks.push_back(block(i));
    }
  }

 private:
  void check_begins() const {
    const auto all = static_cast<std::int64_t>(chunk_.blocks);
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      const std::int64_t least = i == 0 ? 0 : begins_[i - 1];
      const std::int64_t most = i == 0 ? 0 : all;
      if (begins_[i] < least || begins_[i] > most) throw_begin(i);
    }
    if (begins_.back() != all) throw_begin(begins_.size() - 1);
  }
  [[noreturn]] void throw_begin(std::size_t i) const {
    throw byte_fault{chunk_.index + 4 * i,
                     "row " + std::to_string(i) + " of " + std::to_string(layout_.rows.size()) +
                         " begins with block " + std::to_string(begins_[i]) + " of " +
                         std::to_string(chunk_.blocks) + ", all counted from 0",
                     "the file may be damaged"};
  }

  [[nodiscard]] dbcsr_block block(std::size_t i) const {
    const auto number = static_cast<std::int32_t>(first_ + i);
    const auto row = static_cast<std::uint32_t>(layout::block_at(begins_, number));
    const std::uint32_t column = column_of(i);
    const std::int64_t place = firsts_[i];
    const std::uint64_t before = static_cast<std::uint64_t>(place < 0 ? -place : place) - 1;
    const std::uint64_t size = std::uint64_t{layout_.rows[row]} * layout_.columns[column];
    if (size > chunk_.elements || before > chunk_.elements - size) {
      throw byte_fault{layout_.first_of_block(chunk_, first_ + i),
                       std::to_string(size) + " elements from " + std::to_string(before + 1) +
                           " exceed the " + std::to_string(chunk_.elements) + " of the chunk",
                       "the file may be damaged"};
    }
    const std::size_t width = bytes_of(layout_.type);
    return {row, column, chunk_.data + width * before, width * size, place < 0};
  }

  [[nodiscard]] std::uint32_t column_of(std::size_t i) const {
    const std::int32_t column = columns_[i];
    if (column >= 1 && static_cast<std::size_t>(column) <= layout_.columns.size()) {
      return static_cast<std::uint32_t>(column - 1);
    }
    throw byte_fault{layout_.column_of_block(chunk_, first_ + i),
                     "column " + std::to_string(column) + " is out of range of " +
                         std::to_string(layout_.columns.size()) + " columns, counted from 1",
                     "the file may be damaged"};
  }

  const dbcsr_layout& layout_;
  const dbcsr_chunk& chunk_;
  std::uint64_t first_;
  std::vector<std::int32_t> begins_;
  std::vector<std::int32_t> columns_;
  std::vector<std::int32_t> firsts_;
};

}  // namespace

std::vector<dbcsr_block> dbcsr_share(global::team_file& file, const dbcsr_layout& layout) {
  const team& members = file.members();
  const std::uint64_t all = layout.all_blocks();
  const layout::balanced_cut cut(all, members.size());
  const std::uint64_t begin = cut.first(members.rank());
  const std::uint64_t end = cut.first(std::uint64_t{members.rank()} + 1);
  std::vector<dbcsr_block> blocks;
  std::uint64_t before = 0;
  for (const dbcsr_chunk& chunk : layout.chunks) {
    const std::uint64_t first = std::clamp(begin, before, before + chunk.blocks) - before;
    const std::uint64_t last = std::clamp(end, before, before + chunk.blocks) - before;
    before += chunk.blocks;
    if (first == last || !file.is_good()) continue;
    const chunk_index index(file, layout, chunk, first, last);
    if (file.is_good()) index.append_to(blocks);
  }
  std::ranges::sort(blocks, {}, &dbcsr_block::place);
  return blocks;
}

}  // namespace acre::matrix_files
