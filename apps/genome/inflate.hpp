// SPDX-License-Identifier: BSD-3-Clause
// Streaming gzip decompression with libisal, from a callback into caller memory; of several members
// too (bgzip, cat). See docs/decisions/003-inflate.md.
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

class damaged_gzip : public error {
 public:
  damaged_gzip(std::string_view what, std::string_view advice) : error("inflate", what, advice) {}
};

[[nodiscard]] constexpr bool looks_like_gzip(std::string_view begin) noexcept {
  return begin.size() >= 2 && begin[0] == '\x1f' && begin[1] == '\x8b';
}

class inflater {
 public:
  /// Fewer bytes mean end of file.
  using compressed_source = std::function<std::size_t(std::span<char>)>;

  explicit inflater(compressed_source source, std::size_t block_size = std::size_t{256} << 10);
  inflater(inflater&&) noexcept;
  inflater& operator=(inflater&&) noexcept;
  ~inflater();

  /// Fills `into`; fewer bytes at the end, or before damage reported by the next call.
  /// @throws damaged_gzip  truncated, wrong checksum, or not gzip
  [[nodiscard]] std::size_t read(std::span<char> into);

  /// After the end: a warning, or empty. BGZF without its final empty block may be truncated.
  [[nodiscard]] std::string warning() const;

  [[nodiscard]] std::uint64_t compressed_bytes() const noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace acre::genome
