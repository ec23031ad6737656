// SPDX-License-Identifier: BSD-3-Clause
// A member's partition of the blocks in a DBCSR file.
#pragma once

#include <acre/global/team/team_file.hpp>
#include <acre/matrix_files/dbcsr/detail/dbcsr_layout.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::matrix_files {

struct dbcsr_block {
  std::uint32_t row;
  std::uint32_t column;
  std::uint64_t place;  ///< offset of its first element
  std::uint64_t bytes;
  bool is_turned;
};

/// This member's undeleted blocks, by offset. Local. @throws byte_fault
[[nodiscard]] std::vector<dbcsr_block> dbcsr_share(global::team_file& file,
                                                   const dbcsr_layout& layout);

/// Reads contiguous blocks together.
template <class F>
void each_dbcsr_block(global::team_file& file, std::span<const dbcsr_block> blocks, F&& f) {
  constexpr std::uint64_t most_bytes = std::uint64_t{4} << 20;
  std::vector<std::byte> run;
  for (std::size_t first = 0; first < blocks.size() && file.is_good();) {
    const std::uint64_t begin = blocks[first].place;
    std::uint64_t end = begin + blocks[first].bytes;
    std::size_t last = first + 1;
    for (; last < blocks.size() && blocks[last].place == end && end - begin < most_bytes; ++last) {
      end += blocks[last].bytes;
    }
    run.resize(end - begin);
    file.read(begin, run);
    for (; first < last; ++first) {
      const dbcsr_block& each = blocks[first];
      f(each, std::span<const std::byte>(run).subspan(each.place - begin, each.bytes));
    }
  }
}

}  // namespace acre::matrix_files
