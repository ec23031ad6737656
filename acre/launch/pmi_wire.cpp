// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/pmi_wire.hpp>

#include <acre/base/parse_number.hpp>

#include <algorithm>

namespace acre::launch::pmi {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

int digit_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

}  // namespace

command::command(std::string line) : line_(std::move(line)) {
  for (std::size_t begin = 0; begin < line_.size();) {
    const std::size_t end = std::min(line_.find(' ', begin), line_.size());
    const std::size_t equals = line_.find('=', begin);
    if (equals < end) words_.push_back({begin, equals - begin, equals + 1, end - equals - 1});
    begin = end + 1;
  }
}

std::string_view command::name() const { return value("cmd").value_or(std::string_view{}); }

std::optional<std::string_view> command::value(std::string_view key) const {
  const std::string_view line = line_;
  for (const word& each : words_) {
    if (line.substr(each.key, each.key_size) == key) {
      return line.substr(each.value, each.value_size);
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> command::number(std::string_view key) const {
  const auto text = value(key);
  if (!text) return std::nullopt;
  return base::parse_number<std::int64_t>(*text);
}

std::optional<std::string> inbox::line() {
  const std::size_t end = bytes_.find('\n', taken_);
  if (end == std::string::npos) return std::nullopt;
  return take(end - taken_, 1);
}

std::optional<std::string> inbox::block(std::size_t size) {
  if (waiting() < size) return std::nullopt;
  return take(size, 0);
}

std::string inbox::take(std::size_t size, std::size_t skip) {
  std::string result = bytes_.substr(taken_, size);
  taken_ += size + skip;
  if (taken_ == bytes_.size()) {
    bytes_.clear();
    taken_ = 0;
  }
  return result;
}

std::string to_hex(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte each : bytes) {
    text.push_back(digits[std::to_integer<std::size_t>(each >> 4)]);
    text.push_back(digits[std::to_integer<std::size_t>(each & std::byte{15})]);
  }
  return text;
}

std::optional<std::vector<std::byte>> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit_value(text[i]);
    const int low = digit_value(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<std::byte>(high * 16 + low));
  }
  return bytes;
}

std::string pack(std::span<const std::string> of_ranks) {
  std::size_t size = 0;
  for (const std::string& each : of_ranks) size += 4 + each.size();
  std::string packed;
  packed.reserve(size);
  for (const std::string& each : of_ranks) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      packed.push_back(static_cast<char>(static_cast<std::uint32_t>(each.size()) >> shift & 255));
    }
    packed.append(each);
  }
  return packed;
}

std::optional<std::vector<std::vector<std::byte>>> unpack(std::string_view packed,
                                                          std::size_t ranks) {
  std::vector<std::vector<std::byte>> pieces;
  pieces.reserve(ranks);
  while (pieces.size() < ranks) {
    if (packed.size() < 4) return std::nullopt;
    std::uint32_t size = 0;
    for (unsigned i = 0; i < 4; ++i) {
      size |= std::uint32_t{static_cast<unsigned char>(packed[i])} << (8 * i);
    }
    packed.remove_prefix(4);
    if (packed.size() < size) return std::nullopt;
    const auto bytes = as_bytes(packed.substr(0, size));
    pieces.emplace_back(bytes.begin(), bytes.end());
    packed.remove_prefix(size);
  }
  if (!packed.empty()) return std::nullopt;
  return pieces;
}

}  // namespace acre::launch::pmi
