// SPDX-License-Identifier: BSD-3-Clause
// PMI-1 wire protocol: lines of key=value words, the first cmd=NAME:
//
//     cmd=get kvsname=job-1 key=address-3
//
// Extension of `acre run`, announced by acre=1 in the answer to cmd=init: cmd=acre_exchange bytes=N
// and N raw bytes are answered, after all ranks have sent, by cmd=acre_exchanged bytes=M and per
// rank a length (32 bits, little-endian) and its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace acre::launch::pmi {

/// Maximum bytes per rank and exchange.
inline constexpr std::size_t longest_exchange = std::size_t{256} << 20;

class command {
 public:
  /// Skips words without '='; the first of duplicate keys counts.
  explicit command(std::string line);

  /// Value of cmd=, or empty.
  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] std::optional<std::string_view> value(std::string_view key) const;
  /// Empty if missing or not an integer.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view key) const;
  [[nodiscard]] const std::string& line() const noexcept { return line_; }

 private:
  struct word {
    std::size_t key, key_size, value, value_size;
  };
  std::string line_;
  std::vector<word> words_;
};

class inbox {
 public:
  void append(std::string_view bytes) { bytes_.append(bytes); }
  /// Next complete line without its end.
  [[nodiscard]] std::optional<std::string> line();
  [[nodiscard]] std::optional<std::string> block(std::size_t size);
  [[nodiscard]] std::size_t waiting() const noexcept { return bytes_.size() - taken_; }

 private:
  [[nodiscard]] std::string take(std::size_t size, std::size_t skip);

  std::string bytes_;
  std::size_t taken_ = 0;
};

[[nodiscard]] std::string to_hex(std::span<const std::byte> bytes);
[[nodiscard]] std::optional<std::vector<std::byte>> from_hex(std::string_view text);

[[nodiscard]] inline std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Packs the answer to acre_exchange.
[[nodiscard]] std::string pack(std::span<const std::string> of_ranks);
/// Inverse of pack(). Empty unless `packed` has exactly `ranks` pieces.
[[nodiscard]] std::optional<std::vector<std::vector<std::byte>>> unpack(std::string_view packed,
                                                                        std::size_t ranks);

}  // namespace acre::launch::pmi
