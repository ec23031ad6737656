// SPDX-License-Identifier: BSD-3-Clause
// The PMI-1 wire protocol, as far as client and server share it.
//
// A message is one line of key=value words, of which the first is cmd=NAME:
//
//     cmd=get kvsname=job-1 key=address-3
//
// `acre run` adds one message of its own, offered by acre=1 in its answer to
// cmd=init: cmd=acre_exchange bytes=N, followed by N raw bytes, is answered,
// once all ranks have sent theirs, by cmd=acre_exchanged bytes=M and M bytes:
// of each rank a length (32 bits, little-endian) and its bytes. One round trip
// instead of a put, a barrier and a get for each rank.
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

/// What one rank may hand to acre_exchange.
inline constexpr std::size_t longest_exchange = std::size_t{256} << 20;

/// One line, taken apart.
class command {
 public:
  /// Words without '=' are skipped; a key that comes twice keeps its first value.
  explicit command(std::string line);

  /// The value of cmd=, or nothing.
  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] std::optional<std::string_view> value(std::string_view key) const;
  /// Nothing when the value is missing or no whole number.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view key) const;
  /// The line as it came, for messages.
  [[nodiscard]] const std::string& line() const noexcept { return line_; }

 private:
  struct word {
    std::size_t key, key_size, value, value_size;  // places in line_: a copy stays valid
  };
  std::string line_;
  std::vector<word> words_;
};

/// Bytes as they come in, given out as lines and blocks.
class inbox {
 public:
  void append(std::string_view bytes) { bytes_.append(bytes); }
  /// The next line without its end, or nothing when it is not all there.
  [[nodiscard]] std::optional<std::string> line();
  /// The next `size` bytes, or nothing when they are not all there.
  [[nodiscard]] std::optional<std::string> block(std::size_t size);
  /// How many bytes have come and not been given out.
  [[nodiscard]] std::size_t waiting() const noexcept { return bytes_.size() - taken_; }

 private:
  [[nodiscard]] std::string take(std::size_t size, std::size_t skip);

  std::string bytes_;
  std::size_t taken_ = 0;
};

[[nodiscard]] std::string to_hex(std::span<const std::byte> bytes);
/// Nothing when the text is not hexadecimal.
[[nodiscard]] std::optional<std::vector<std::byte>> from_hex(std::string_view text);

/// The bytes of a text, and the other way round.
[[nodiscard]] inline std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The answer to acre_exchange (without its first line), from all ranks' bytes.
[[nodiscard]] std::string pack(std::span<const std::string> of_ranks);
/// Its inverse; nothing when the text does not hold exactly `ranks` pieces.
[[nodiscard]] std::optional<std::vector<std::vector<std::byte>>> unpack(std::string_view packed,
                                                                        std::size_t ranks);

}  // namespace acre::launch::pmi
