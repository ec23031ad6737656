// SPDX-License-Identifier: BSD-3-Clause
// The text of a Matrix Market file that a team reads: the bytes of the file, or, for a gzip file,
// what they decompress to.
//
// gzip data has no index. Member 0 decompresses all of it once to learn its size; then each member
// decompresses from the beginning to the end of its share, in constant memory.
#pragma once

#include <acre/global/team/team_file.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace acre::matrix_files {

class market_source {
 public:
  /// @param file  outlives it
  explicit market_source(global::team_file& file);
  ~market_source();
  market_source(const market_source&) = delete;
  market_source& operator=(const market_source&) = delete;

  /// Finds out whether the file is compressed, and the size of the text. Collective. Cost: 1
  /// broadcast, and for a gzip file one decompression.
  /// @return false on all members when the gzip data is damaged or incomplete
  [[nodiscard]] bool open();

  /// Size of the text.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

  /// Reads text. A failure is the file's, until its members agree. gzip: an offset before the end
  /// of the last read begins again.
  void read(std::uint64_t offset, std::span<std::byte> text);

 private:
  class decompressor;

  global::team_file& file_;
  std::uint64_t bytes_;
  std::unique_ptr<decompressor> gzip_;  ///< null: the file is not compressed
};

}  // namespace acre::matrix_files
