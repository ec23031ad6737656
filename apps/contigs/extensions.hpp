// SPDX-License-Identifier: BSD-3-Clause
// Bases adjacent to a k-mer, per occurrence and counted.
//
// Counts saturate, as only "depth reached" matters. 4 bytes: eight 3-bit counts and the occurrences
// (depth <= 7); 8 bytes: eight 7-bit counts (depth <= 127).
#pragma once

#include <apps/genome/kmer.hpp>
#include <apps/genome/sequence_reader.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace acre::contigs {

using namespace genome;

enum class side : std::uint8_t { left, right };

[[nodiscard]] constexpr side other(side s) noexcept {
  return s == side::left ? side::right : side::left;
}

inline constexpr unsigned no_base = 4;

[[nodiscard]] constexpr unsigned complement(unsigned base) noexcept {
  return base == no_base ? no_base : 3 - base;
}

struct occurrence {
  std::uint8_t left = no_base;
  std::uint8_t right = no_base;
  std::uint8_t counts = 1;  ///< 0: a repeated k-mer, counted before without its right base
};

template <class Word>
struct extension_counts {
  static constexpr unsigned width = sizeof(Word) - 1;
  static constexpr unsigned most = (1U << width) - 1;
  static constexpr unsigned most_occurrences = 255;

  Word bits = 0;  ///< left ACGT, right ACGT, occurrences

  constexpr void add(const occurrence& more) noexcept {
    add(side::left, more.left);
    add(side::right, more.right);
    if (occurrences() != most_occurrences) {
      bits = static_cast<Word>(bits + (Word{more.counts} << (8 * width)));
    }
  }

  /// Saturates at 255.
  [[nodiscard]] constexpr unsigned occurrences() const noexcept {
    return static_cast<unsigned>(bits >> (8 * width));
  }
  [[nodiscard]] constexpr unsigned count(side s, unsigned base) const noexcept {
    return static_cast<unsigned>(bits >> shift(s, base)) & most;
  }

  /// The only base on that side with a count of at least `depth`.
  /// @return no_base if there are zero or several
  [[nodiscard]] constexpr unsigned unique_base(side s, unsigned depth) const noexcept {
    unsigned found = no_base;
    for (unsigned base = 0; base < 4; ++base) {
      if (count(s, base) < depth) continue;
      if (found != no_base) return no_base;
      found = base;
    }
    return found;
  }

  /// The letter of a list: that base, X (no base reaches `depth`) or F (several do).
  [[nodiscard]] constexpr char letter(side s, unsigned depth) const noexcept {
    const unsigned base = unique_base(s, depth);
    if (base != no_base) return "ACGT"[base];
    for (unsigned each = 0; each < 4; ++each) {
      if (count(s, each) >= depth) return 'F';
    }
    return 'X';
  }

 private:
  static constexpr unsigned shift(side s, unsigned base) noexcept {
    return width * (4 * static_cast<unsigned>(s) + base);
  }
  constexpr void add(side s, unsigned base) noexcept {
    const unsigned at = shift(s, base & 3);
    const bool adds = base != no_base && (bits >> at & most) != most;
    bits = static_cast<Word>(bits + (Word{adds} << at));
  }
};

/// Calls `visit(canonical, occurrence)` for every k-mer of a record, in order. An adjacent base
/// counts if it is ACGT and its quality, if known, is at least `least_quality`.
///
/// A record continued with `carried` >= k letters has counted its first k-mer before, but not its
/// right base.
/// @param extensions  workspace
template <std::size_t Words, typename Visitor>
[[gnu::always_inline]] inline void for_each_occurrence(const record& read, std::uint64_t carried,
                                                       unsigned k, char least_quality,
                                                       std::vector<std::uint8_t>& extensions,
                                                       Visitor&& visit) {
  const std::string_view bases = read.sequence;
  extensions.resize(bases.size() + 2);
  extensions.front() = extensions.back() = no_base;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    extensions[i + 1] = static_cast<std::uint8_t>(base_code(bases[i]));
  }
  for (std::size_t i = 0; i < read.quality.size(); ++i) {
    if (read.quality[i] < least_quality) extensions[i + 1] = no_base;
  }
  const std::uint8_t* const extension = extensions.data();
  const bool first_is_known = read.continues && carried >= k;
  genome::for_each_kmer<Words>(
      bases, k, [&](const kmer<Words>& forward, const kmer<Words>& backward, std::size_t position) {
        const std::uint8_t before = extension[position];
        const std::uint8_t after = extension[position + k + 1];
        const auto counts = static_cast<std::uint8_t>(position != 0 || !first_is_known);
        const auto a = forward.value();
        const auto b = backward.value();
        if (a <= b) {
          visit(kmer<Words>(a), occurrence{before, after, counts});
        } else {
          visit(kmer<Words>(b), occurrence{static_cast<std::uint8_t>(complement(after)),
                                           static_cast<std::uint8_t>(complement(before)), counts});
        }
      });
}

}  // namespace acre::contigs
