// SPDX-License-Identifier: BSD-3-Clause
// Where everything lies in a file of DBCSR (DBCSRv_1.0).
//
// Integers have 32 bits, in the order of the machine, without padding:
//
//     byte 0     "DBCSRv_1.0", and a name of 80 letters
//     byte 90    kind: N, S, A, H or K
//     byte 91    chunks, type of elements, rows of blocks R, columns of blocks C
//     byte 107   sizes of rows, sizes of columns
//     then       of each chunk: blocks, elements
//     then       of each chunk: begins of rows (R + 1, from 0); column of each block, from 1; first
//                element of each block, from 1: negative where its transposed is stored, 0 where it
//                has been deleted
//     then       of each chunk: elements, blocks by columns, in any order
//
// A chunk is what one rank had when the file was written; nothing says which rows that rank owned.
#pragma once

#include <acre/global/team/team_file.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::matrix_files {

/// What elements are, by the numbers that files have for them.
enum class dbcsr_type : std::int32_t { real_4 = 1, real_8 = 3, complex_4 = 5, complex_8 = 7 };

[[nodiscard]] std::size_t bytes_of(dbcsr_type type) noexcept;
[[nodiscard]] const char* name_of(dbcsr_type type) noexcept;

struct dbcsr_chunk {
  std::uint64_t blocks = 0;
  std::uint64_t elements = 0;
  std::uint64_t index = 0;  ///< the byte where its begins of rows are
  std::uint64_t data = 0;   ///< and its elements
};

struct dbcsr_layout {
  static constexpr std::uint64_t kind_byte = 90;
  static constexpr std::uint64_t chunks_byte = 91;
  static constexpr std::uint64_t type_byte = 95;
  static constexpr std::uint64_t sizes_byte = 107;

  std::string name;
  char kind = 'N';
  dbcsr_type type = dbcsr_type::real_8;
  std::vector<std::uint32_t> rows;     ///< sizes
  std::vector<std::uint32_t> columns;  ///< sizes
  std::vector<dbcsr_chunk> chunks;

  [[nodiscard]] std::uint64_t column_of_block(const dbcsr_chunk& chunk, std::uint64_t block) const {
    return chunk.index + 4 * (rows.size() + 1 + block);
  }
  [[nodiscard]] std::uint64_t first_of_block(const dbcsr_chunk& chunk, std::uint64_t block) const {
    return column_of_block(chunk, chunk.blocks + block);
  }
  [[nodiscard]] std::uint64_t all_blocks() const noexcept;

  /// Says where the chunks lie, of which the blocks and elements are known.
  /// @param bytes  of the file
  /// @throws byte_fault when one ends behind them
  void place_chunks(std::uint64_t bytes);
  /// All that comes before the indices, as it is written.
  [[nodiscard]] std::string head() const;
};

/// So many integers of a file. @throws byte_fault, that says what they are, when it ends before
[[nodiscard]] std::vector<std::int32_t> dbcsr_integers(global::team_file& file, std::uint64_t byte,
                                                       std::uint64_t count, const char* what);
/// The head of a file, in which all fits together. Local. @throws byte_fault
[[nodiscard]] dbcsr_layout read_dbcsr_layout(global::team_file& file);

}  // namespace acre::matrix_files
