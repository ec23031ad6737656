// SPDX-License-Identifier: BSD-3-Clause
// Layout of DBCSR files: unpadded 32-bit integers, native byte order.
//
//     byte 0     "DBCSRv_1.0", name (80 bytes)
//     byte 90    kind: N, S, A, H or K
//     byte 91    chunks, element type, block rows R, block columns C
//     byte 107   row sizes, column sizes
//     then       per chunk: blocks, elements
//     then       per chunk: row begins (R + 1, from 0); column per block, from 1;
//                first element per block, from 1 (negative: transposed, 0: deleted)
//     then       per chunk: elements, column-major blocks in any order
//
// Each chunk is from one writing rank.
#pragma once

#include <acre/global/team/team_file.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::matrix_files {

enum class dbcsr_type : std::int32_t { real_4 = 1, real_8 = 3, complex_4 = 5, complex_8 = 7 };

[[nodiscard]] std::size_t bytes_of(dbcsr_type type) noexcept;
[[nodiscard]] const char* name_of(dbcsr_type type) noexcept;

struct dbcsr_chunk {
  std::uint64_t blocks = 0;
  std::uint64_t elements = 0;
  std::uint64_t index = 0;  ///< offset of row begins
  std::uint64_t data = 0;   ///< offset of elements
};

struct dbcsr_layout {
  static constexpr std::uint64_t kind_byte = 90;
  static constexpr std::uint64_t chunks_byte = 91;
  static constexpr std::uint64_t type_byte = 95;
  static constexpr std::uint64_t sizes_byte = 107;

  std::string name;
  char kind = 'N';
  dbcsr_type type = dbcsr_type::real_8;
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> columns;
  std::vector<dbcsr_chunk> chunks;

  [[nodiscard]] std::uint64_t column_of_block(const dbcsr_chunk& chunk, std::uint64_t block) const {
    return chunk.index + 4 * (rows.size() + 1 + block);
  }
  [[nodiscard]] std::uint64_t first_of_block(const dbcsr_chunk& chunk, std::uint64_t block) const {
    return column_of_block(chunk, chunk.blocks + block);
  }
  [[nodiscard]] std::uint64_t all_blocks() const noexcept;

  /// Sets the chunks' offsets. @throws byte_fault beyond `bytes`
  void place_chunks(std::uint64_t bytes);
  [[nodiscard]] std::string head() const;
};

/// @throws byte_fault with `what` at end of file
[[nodiscard]] std::vector<std::int32_t> dbcsr_integers(global::team_file& file, std::uint64_t byte,
                                                       std::uint64_t count, const char* what);
/// Reads and checks. Local. @throws byte_fault
[[nodiscard]] dbcsr_layout read_dbcsr_layout(global::team_file& file);

}  // namespace acre::matrix_files
