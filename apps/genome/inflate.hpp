// SPDX-License-Identifier: BSD-3-Clause
// Streaming gzip decompression, at the speed of libisal.
//
// Feeds on a function that delivers compressed bytes and fills whatever room
// it is given, so that text can be inflated straight to where it is parsed.
// A gzip file may be many gzip members one after the other (bgzip writes such
// files, and `cat a.gz b.gz` makes them); each has its own header and checksum.
// Why libisal: docs/decisions/003-inflate.md.
#pragma once

#include <acre/base/error.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace acre::genome {

/// Thrown by inflater::read. A caller that knows which line of text it had come to says it with
/// this problem: here only bytes are known.
class damaged_gzip : public error {
 public:
  damaged_gzip(std::string_view what, std::string_view advice) : error("inflate", what, advice) {}
};

/// Whether a file that begins with these bytes is a gzip file.
[[nodiscard]] constexpr bool looks_like_gzip(std::string_view begin) noexcept {
  return begin.size() >= 2 && begin[0] == '\x1f' && begin[1] == '\x8b';
}

class inflater {
 public:
  /// Fills its argument with the next compressed bytes; fewer only at the end of the file.
  using compressed_source = std::function<std::size_t(std::span<char>)>;

  explicit inflater(compressed_source source, std::size_t block_size = std::size_t{256} << 10);
  inflater(inflater&&) noexcept;
  inflater& operator=(inflater&&) noexcept;
  ~inflater();

  /// Fills `into` with text; fewer bytes only before the end of it or before a damaged place,
  /// which the next call reports.
  /// @throws damaged_gzip  the file ends too early, a checksum is wrong, or it is not gzip
  [[nodiscard]] std::size_t read(std::span<char> into);

  /// After the end of the text: what may be wrong although all of it was read, or empty. A file of
  /// BGZF (bgzip, samtools) ends with an empty block; without it blocks may be missing.
  [[nodiscard]] std::string warning() const;

  /// Compressed bytes consumed so far.
  [[nodiscard]] std::uint64_t compressed_bytes() const noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace acre::genome
