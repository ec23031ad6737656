// SPDX-License-Identifier: BSD-3-Clause
// Checksum of checkpoints; its values must not change.
#pragma once

#include <acre/base/split_mix.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace acre::base {

/// Four independent lanes. Each step is bijective in word and state, so damage within one word is
/// always detected.
class checksum {
 public:
  /// Adds bytes. Each call's bytes are padded with zeros to a multiple of 32.
  void add(std::span<const std::byte> bytes) noexcept {
    for (; bytes.size() >= sizeof lanes_; bytes = bytes.subspan(sizeof lanes_)) {
      add_line(bytes.data());
    }
    if (bytes.empty()) return;
    std::array<std::byte, sizeof lanes_> last{};
    std::memcpy(last.data(), bytes.data(), bytes.size());
    add_line(last.data());
  }
  template <class T>
  void add_object(const T& object) noexcept {
    add(std::as_bytes(std::span(&object, 1)));
  }
  [[nodiscard]] std::uint64_t sum() const noexcept {
    std::uint64_t all = 0;
    for (const std::uint64_t lane : lanes_) all = mix_bits(all + lane);
    return all;
  }

 private:
  using lanes = std::array<std::uint64_t, 4>;
  void add_line(const std::byte* from) noexcept {
    lanes words;
    std::memcpy(words.data(), from, sizeof words);
    for (std::size_t i = 0; i < words.size(); ++i) {
      lanes_[i] = std::rotl((lanes_[i] ^ words[i]) * golden_gamma, 29);
    }
  }

  lanes lanes_{1, 2, 3, 4};
};

}  // namespace acre::base
