// SPDX-License-Identifier: BSD-3-Clause
// Reads the text of a Matrix Market file, plain or gzip. Without an index of gzip, member 0
// decompresses all for the size; members then decompress up to their partition's end, in constant
// memory.
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

  /// Detects gzip and text size. Collective. Cost: 1 broadcast; gzip: one decompression.
  /// @return false on all members when damaged
  [[nodiscard]] bool open();

  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

  /// `file` records failures. gzip: backward reads decompress from the start.
  void read(std::uint64_t offset, std::span<std::byte> text);

 private:
  class decompressor;

  global::team_file& file_;
  std::uint64_t bytes_;
  std::unique_ptr<decompressor> gzip_;
};

}  // namespace acre::matrix_files
