// SPDX-License-Identifier: BSD-3-Clause
// K-mers of letters ACGT, two bits each: A=0, C=1, G=2, T=3, first letter highest. Numeric order is
// text order; complement is 3 - x. One 64-bit word for k <= 31, two for k <= 63: all-ones never
// occurs and marks empty hash map slots.
#pragma once

#include <acre/base/bits.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace acre::genome {

inline constexpr unsigned longest_kmer = 63;

[[nodiscard]] constexpr std::size_t words_for(unsigned k) noexcept { return k <= 31 ? 1 : 2; }

/// Upper bound of the number of canonical k-mers if k <= 30, else 2^60.
[[nodiscard]] constexpr std::uint64_t possible_kmers(unsigned k) noexcept {
  if (k > 30) return std::uint64_t{1} << 60;
  return (std::uint64_t{1} << (2 * k)) / 2 + (std::uint64_t{1} << k);
}

namespace detail {

__extension__ using uint128 = unsigned __int128;

template <std::size_t Words>
using bits = std::conditional_t<Words == 1, std::uint64_t, uint128>;

inline constexpr std::uint8_t no_base = 4;

inline constexpr auto base_codes = [] {
  std::array<std::uint8_t, 256> codes{};
  codes.fill(no_base);
  for (unsigned i = 0; i < 4; ++i) {
    codes[static_cast<unsigned char>("ACGT"[i])] = static_cast<std::uint8_t>(i);
    codes[static_cast<unsigned char>("acgt"[i])] = static_cast<std::uint8_t>(i);
  }
  return codes;
}();

template <std::size_t Words>
[[nodiscard]] constexpr bits<Words> mask(unsigned k) noexcept {
  return static_cast<bits<Words>>((bits<Words>{1} << (2 * k)) - 1);
}

[[nodiscard]] constexpr std::uint64_t reverse_letters(std::uint64_t x) noexcept {
  x = (x & 0x3333333333333333U) << 2 | (x >> 2 & 0x3333333333333333U);
  x = (x & 0x0f0f0f0f0f0f0f0fU) << 4 | (x >> 4 & 0x0f0f0f0f0f0f0f0fU);
  return __builtin_bswap64(x);
}

}  // namespace detail

/// Code 0..3 of a letter (ACGT, any case), else 4.
[[nodiscard]] constexpr unsigned base_code(char letter) noexcept {
  return detail::base_codes[static_cast<unsigned char>(letter)];
}

/// A packed k-mer; k is not stored.
template <std::size_t Words>
struct kmer {
  static_assert(Words == 1 || Words == 2, "k-mers of up to 31 letters take one word, up to 63 two");

  using bits = detail::bits<Words>;

  std::array<std::uint64_t, Words> words{};

  constexpr kmer() = default;
  constexpr explicit kmer(bits value) noexcept {
    words[Words - 1] = static_cast<std::uint64_t>(value);
    if constexpr (Words == 2) words[0] = static_cast<std::uint64_t>(value >> 64);
  }

  [[nodiscard]] constexpr bits value() const noexcept {
    if constexpr (Words == 1) {
      return words[0];
    } else {
      return bits{words[0]} << 64 | words[1];
    }
  }

  friend constexpr bool operator==(const kmer& a, const kmer& b) noexcept {
    return a.value() == b.value();
  }
  friend constexpr std::strong_ordering operator<=>(const kmer& a, const kmer& b) noexcept {
    if (a.value() == b.value()) return std::strong_ordering::equal;
    return a.value() < b.value() ? std::strong_ordering::less : std::strong_ordering::greater;
  }

  [[nodiscard]] constexpr std::uint64_t hash() const noexcept {
    if constexpr (Words == 1) {
      return mix_bits(words[0]);
    } else {
      return mix_bits(words[1] ^ split_mix(words[0]));
    }
  }
};

static_assert(std::is_trivially_copyable_v<kmer<1>> && sizeof(kmer<1>) == 8);
static_assert(std::is_trivially_copyable_v<kmer<2>> && sizeof(kmer<2>) == 16);

struct kmer_hash {
  using is_avalanching = void;

  template <std::size_t Words>
  constexpr std::uint64_t operator()(const kmer<Words>& word) const noexcept {
    return word.hash();
  }
};

template <std::size_t Words>
[[nodiscard]] constexpr kmer<Words> reverse_complement(const kmer<Words>& word,
                                                       unsigned k) noexcept {
  if constexpr (Words == 1) {
    return kmer<1>(detail::reverse_letters(~word.words[0]) >> (64 - 2 * k));
  } else {
    const auto high = detail::reverse_letters(~word.words[1]);
    const auto low = detail::reverse_letters(~word.words[0]);
    return kmer<2>((detail::uint128{high} << 64 | low) >> (128 - 2 * k));
  }
}

template <std::size_t Words>
[[nodiscard]] constexpr kmer<Words> canonical(const kmer<Words>& word, unsigned k) noexcept {
  const auto other = reverse_complement(word, k);
  return other < word ? other : word;
}

template <std::size_t Words>
[[nodiscard]] std::string to_string(const kmer<Words>& word, unsigned k) {
  std::string letters(k, ' ');
  auto value = word.value();
  for (auto letter = letters.rbegin(); letter != letters.rend(); ++letter, value >>= 2) {
    *letter = "ACGT"[static_cast<unsigned>(value & 3)];
  }
  return letters;
}

/// Packs up to 31 or 63 letters ACGT, any case.
template <std::size_t Words>
[[nodiscard]] constexpr kmer<Words> to_kmer(std::string_view letters) noexcept {
  detail::bits<Words> value = 0;
  for (const char letter : letters) {
    value = static_cast<detail::bits<Words>>(value << 2 | (base_code(letter) & 3));
  }
  return kmer<Words>(value);
}

/// Calls `f` with the word count as template argument.
template <typename Function>
decltype(auto) with_words_for(unsigned k, Function&& f) {
  if (words_for(k) == 1) return std::forward<Function>(f).template operator()<1>();
  return std::forward<Function>(f).template operator()<2>();
}

/// Calls `visit(forward, backward, position)` for every window of k letters ACGT, in order, with
/// k-mer, reverse complement and first index in `bases`. Inlining keeps captures in registers.
/// @pre 1 <= k, and words_for(k) <= Words
template <std::size_t Words, typename Visitor>
[[gnu::always_inline]] inline void for_each_kmer(std::string_view bases, unsigned k,
                                                 Visitor&& visit) {
  using bits = detail::bits<Words>;
  const bits mask = detail::mask<Words>(k);
  const unsigned top = 2 * (k - 1);
  const std::array<bits, 4> entering{bits{3} << top, bits{2} << top, bits{1} << top, 0};
  bits forward = 0;
  bits backward = 0;
  const auto roll = [&](unsigned code) {
    forward = (forward << 2 | code) & mask;
    backward = backward >> 2 | entering[code];
  };

  const char* const first = bases.data();
  const char* const end = first + bases.size();
  for (const char* letter = first; letter != end;) {
    for (unsigned letters = 0; letter != end && letters + 1 < k; ++letter) {
      const unsigned code = base_code(*letter);
      letters = code == detail::no_base ? 0 : letters + 1;
      roll(code & 3);
    }
    for (; letter != end; ++letter) {
      const unsigned code = base_code(*letter);
      if (code == detail::no_base) {
        ++letter;
        break;
      }
      roll(code);
      visit(kmer<Words>(forward), kmer<Words>(backward),
            static_cast<std::size_t>(letter - first) + 1 - k);
    }
  }
}

template <std::size_t Words, typename Visitor>
[[gnu::always_inline]] inline void for_each_canonical_kmer(std::string_view bases, unsigned k,
                                                           Visitor&& visit) {
  for_each_kmer<Words>(bases, k,
                       [&](const kmer<Words>& forward, const kmer<Words>& backward, std::size_t) {
                         // By value: references would force both into memory.
                         const auto a = forward.value();
                         const auto b = backward.value();
                         visit(kmer<Words>(b < a ? b : a));
                       });
}

}  // namespace acre::genome

template <std::size_t Words>
struct std::hash<acre::genome::kmer<Words>> {
  std::size_t operator()(const acre::genome::kmer<Words>& word) const noexcept {
    return word.hash();
  }
};
