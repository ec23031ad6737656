// SPDX-License-Identifier: BSD-3-Clause
#include <apps/uts/sha1.hpp>

#include <acre/base/wide_loops.hpp>

#include <algorithm>
#include <bit>

namespace acre::uts {
namespace {

constexpr unsigned rounds_a_phase = 20;

struct choice {
  static constexpr std::uint32_t constant = 0x5a827999;
  static std::uint32_t of(std::uint32_t b, std::uint32_t c, std::uint32_t d) noexcept {
    return d ^ (b & (c ^ d));
  }
};
template <std::uint32_t Constant>
struct parity {
  static constexpr std::uint32_t constant = Constant;
  static std::uint32_t of(std::uint32_t b, std::uint32_t c, std::uint32_t d) noexcept {
    return b ^ c ^ d;
  }
};
struct majority {
  static constexpr std::uint32_t constant = 0x8f1bbcdc;
  static std::uint32_t of(std::uint32_t b, std::uint32_t c, std::uint32_t d) noexcept {
    return (b & c) | (d & (b | c));
  }
};

using block = std::array<std::uint32_t, 16>;

/// Twenty rounds; keeps the last 16 of 80 message words.
template <class Mix, unsigned First>
[[gnu::always_inline]] inline void rounds(sha1_digest& state, block& words) noexcept {
  auto [a, b, c, d, e] = state;
#pragma GCC unroll 20
  for (unsigned i = First; i < First + rounds_a_phase; ++i) {
    std::uint32_t& word = words[i % 16];
    if (i >= 16) {
      word = std::rotl(words[(i + 13) % 16] ^ words[(i + 8) % 16] ^ words[(i + 2) % 16] ^ word, 1);
    }
    const std::uint32_t next = std::rotl(a, 5) + Mix::of(b, c, d) + e + Mix::constant + word;
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  state = {a, b, c, d, e};
}

[[gnu::always_inline]] inline sha1_digest digest(std::span<const std::uint32_t> words) noexcept {
  constexpr sha1_digest start{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  // Padding: a set bit, and the length in bits.
  block padded{};
  std::ranges::copy(words, padded.begin());
  padded[words.size()] = 0x80000000;
  padded.back() = static_cast<std::uint32_t>(words.size() * 32);

  sha1_digest state = start;
  rounds<choice, 0>(state, padded);
  rounds<parity<0x6ed9eba1>, 20>(state, padded);
  rounds<majority, 40>(state, padded);
  rounds<parity<0xca62c1d6>, 60>(state, padded);
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += start[i];
  return state;
}

}  // namespace

sha1_digest sha1(std::span<const std::uint32_t> words) noexcept {
  return acre::base::in_wide_loops([&] { return digest(words); });
}

}  // namespace acre::uts
