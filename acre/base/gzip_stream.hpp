// SPDX-License-Identifier: BSD-3-Clause
// Decompression of gzip data; requires zlib.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <zlib.h>

namespace acre {

[[nodiscard]] inline bool begins_as_gzip(std::span<const std::byte> data) noexcept {
  return data.size() >= 2 && data[0] == std::byte{0x1f} && data[1] == std::byte{0x8b};
}

/// Decompresses concatenated gzip members.
class gzip_stream {
 public:
  gzip_stream() {
    constexpr int largest_window = 15;
    constexpr int gzip_header = 16;
    if (inflateInit2(&state_, largest_window + gzip_header) != Z_OK) throw std::bad_alloc();
  }
  ~gzip_stream() { inflateEnd(&state_); }
  gzip_stream(const gzip_stream&) = delete;
  gzip_stream& operator=(const gzip_stream&) = delete;

  /// Sets the next input if input_left() is 0. It must live until consumed.
  void give(std::span<const std::byte> input) noexcept {
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(input.data()));
    state_.avail_in = static_cast<uInt>(input.size());
  }
  [[nodiscard]] std::size_t input_left() const noexcept { return state_.avail_in; }

  [[nodiscard]] bool is_between_members() const noexcept { return is_between_; }

  /// Decompresses until `output` is full or the input is consumed.
  /// @return bytes written; null if not gzip
  std::optional<std::size_t> take(std::span<std::byte> output) noexcept {
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    state_.next_out = reinterpret_cast<Bytef*>(output.data());
    state_.avail_out = static_cast<uInt>(std::min(output.size(), most));
    const uInt room = state_.avail_out;
    while (state_.avail_out != 0 && state_.avail_in != 0) {
      if (is_between_ && has_member_ && *state_.next_in == 0) {
        ++state_.next_in;
        --state_.avail_in;
        continue;
      }
      is_between_ = false;
      has_member_ = true;
      const int result = inflate(&state_, Z_NO_FLUSH);
      if (result == Z_STREAM_END) {
        is_between_ = true;
        if (inflateReset(&state_) == Z_OK) continue;
      }
      if (result == Z_OK) continue;
      if (result == Z_BUF_ERROR) break;
      return std::nullopt;
    }
    return room - state_.avail_out;
  }

 private:
  z_stream state_ = {};
  bool is_between_ = true;
  bool has_member_ = false;
};

}  // namespace acre
