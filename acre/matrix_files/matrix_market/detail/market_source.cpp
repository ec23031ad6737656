// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/matrix_market/detail/market_source.hpp>

#include <acre/base/gzip_stream.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <optional>
#include <vector>

namespace acre::matrix_files {
namespace {

constexpr std::size_t compressed_piece_bytes = std::size_t{1} << 18;

}  // namespace

class market_source::decompressor {
 public:
  explicit decompressor(global::team_file& file)
      : file_(file), input_(compressed_piece_bytes), scratch_(compressed_piece_bytes) {
    begin_again();
  }

  [[nodiscard]] std::optional<std::uint64_t> size_of_text() {
    begin_again();
    for (;;) {
      const auto more = next(scratch_);
      if (!more) return std::nullopt;
      if (*more == scratch_.size()) continue;
      if (!stream_->is_between_members()) return std::nullopt;
      return at_;
    }
  }

  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::byte> text) {
    if (offset < at_) begin_again();
    while (at_ < offset) {
      const std::size_t some = std::min<std::uint64_t>(scratch_.size(), offset - at_);
      if (next(std::span(scratch_).first(some)) != some) return false;
    }
    return next(text) == text.size();
  }

 private:
  void begin_again() {
    stream_.emplace();
    input_end_ = 0;
    at_ = 0;
  }

  /// @return bytes read; fewer at the end; null if damaged
  [[nodiscard]] std::optional<std::size_t> next(std::span<std::byte> text) {
    std::size_t filled = 0;
    while (filled < text.size()) {
      if (stream_->input_left() == 0) {
        const std::size_t more =
            std::min<std::uint64_t>(compressed_piece_bytes, file_.bytes() - input_end_);
        const auto piece = std::span(input_).first(more);
        if (more == 0) break;
        if (!file_.has(input_end_, piece)) return std::nullopt;
        input_end_ += more;
        stream_->give(piece);
      }
      const auto taken = stream_->take(text.subspan(filled));
      if (!taken) return std::nullopt;
      filled += *taken;
    }
    at_ += filled;
    return filled;
  }

  global::team_file& file_;
  std::optional<gzip_stream> stream_;
  std::vector<std::byte> input_;
  std::vector<std::byte> scratch_;
  std::uint64_t input_end_ = 0;
  std::uint64_t at_ = 0;
};

market_source::market_source(global::team_file& file) : file_(file), bytes_(file.bytes()) {}
market_source::~market_source() = default;

bool market_source::open() {
  constexpr auto damaged = std::numeric_limits<std::uint64_t>::max();
  constexpr auto plain = damaged - 1;
  std::uint64_t found = plain;
  if (file_.is_first()) {
    std::array<std::byte, 2> begin{};
    const bool is_compressed =
        bytes_ >= begin.size() && file_.has(0, begin) && begins_as_gzip(begin);
    if (is_compressed) found = decompressor(file_).size_of_text().value_or(damaged);
  }
  found = file_.members().broadcast(found, 0, file_.where());
  if (found == damaged) return false;
  if (found == plain) return true;
  bytes_ = found;
  gzip_ = std::make_unique<decompressor>(file_);
  return true;
}

void market_source::read(std::uint64_t offset, std::span<std::byte> text) {
  if (!gzip_) return file_.read(offset, text);
  if (!gzip_->read(offset, text)) file_.fail(EIO);
}

}  // namespace acre::matrix_files
