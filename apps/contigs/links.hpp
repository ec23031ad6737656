// SPDX-License-Identifier: BSD-3-Clause
// The graph of contigs: nodes are canonical k-mers with up to four candidate neighbours per side,
// by base.
//
// A node wants a side's only candidate; nodes that want each other are joined, but never to
// themselves. A node has two texts, itself and its reverse complement, so each path exists on both
// strands. A palindromic k-mer (k even) has only a left side.
#pragma once

#include <apps/contigs/extensions.hpp>

#include <bit>
#include <cstdint>

namespace acre::contigs {

class links {
 public:
  constexpr links() = default;

  constexpr void add_candidate(side s, unsigned base) noexcept { bits_ |= candidate(s, base); }
  constexpr void join(side s) noexcept { bits_ |= joint(s); }
  constexpr void part(side s) noexcept { bits_ &= ~joint(s); }
  constexpr void turn_down(side s, unsigned base) noexcept { bits_ |= candidate(s, base) << 16; }
  constexpr void give_up() noexcept { bits_ |= given_up; }

  [[nodiscard]] constexpr unsigned wanted(side s) const noexcept {
    const unsigned candidates = bits_ >> 4 * static_cast<unsigned>(s) & 0xfU;
    return std::has_single_bit(candidates) ? static_cast<unsigned>(std::countr_zero(candidates))
                                           : no_base;
  }
  [[nodiscard]] constexpr bool is_joined(side s) const noexcept { return (bits_ & joint(s)) != 0; }
  [[nodiscard]] constexpr unsigned joined(side s) const noexcept {
    return is_joined(s) ? wanted(s) : no_base;
  }
  [[nodiscard]] constexpr bool has_turned_down(side s, unsigned base) const noexcept {
    return (bits_ & candidate(s, base) << 16) != 0;
  }
  [[nodiscard]] constexpr bool has_turned_down_any() const noexcept { return bits_ >> 16 != 0; }
  [[nodiscard]] constexpr bool has_given_up() const noexcept { return (bits_ & given_up) != 0; }

 private:
  // From bit 0: four candidate bits per side, a bit per joined side, `given_up`; upper half:
  // rejected candidates.
  static constexpr std::uint32_t given_up = 1U << 10;
  static constexpr std::uint32_t candidate(side s, unsigned base) noexcept {
    return 1U << (4 * static_cast<unsigned>(s) + base);
  }
  static constexpr std::uint32_t joint(side s) noexcept {
    return 1U << (8 + static_cast<unsigned>(s));
  }

  std::uint32_t bits_ = 0;
};

template <std::size_t Words>
class spelling {
 public:
  using word = kmer<Words>;

  explicit constexpr spelling(unsigned k) noexcept : k_(k) {}

  [[nodiscard]] constexpr unsigned k() const noexcept { return k_; }
  [[nodiscard]] constexpr unsigned first(const word& text) const noexcept {
    return static_cast<unsigned>(text.value() >> (2 * (k_ - 1))) & 3;
  }
  [[nodiscard]] constexpr unsigned last(const word& text) const noexcept {
    return static_cast<unsigned>(text.value()) & 3;
  }
  [[nodiscard]] constexpr word reverse(const word& text) const noexcept {
    return genome::reverse_complement(text, k_);
  }
  [[nodiscard]] constexpr word canonical(const word& text) const noexcept {
    return genome::canonical(text, k_);
  }
  [[nodiscard]] constexpr bool is_palindrome(const word& text) const noexcept {
    return k_ % 2 == 0 && reverse(text) == text;
  }

  [[nodiscard]] constexpr word after(const word& text, unsigned base) const noexcept {
    using bits = typename word::bits;
    return word(static_cast<bits>(text.value() << 2 | base) & genome::detail::mask<Words>(k_));
  }
  [[nodiscard]] constexpr word before(const word& text, unsigned base) const noexcept {
    using bits = typename word::bits;
    return word(static_cast<bits>(bits{base} << (2 * (k_ - 1)) | text.value() >> 2));
  }
  /// Text of the neighbour on a side of a canonical k-mer.
  [[nodiscard]] constexpr word beside(const word& node, side s, unsigned base) const noexcept {
    return s == side::right ? after(node, base) : before(node, base);
  }

  [[nodiscard]] constexpr unsigned next_base(const word& text, const word& node,
                                             const links& of_node) const noexcept {
    return text == node ? of_node.joined(side::right) : complement(of_node.joined(side::left));
  }

 private:
  unsigned k_;
};

/// Message to a neighbour: its side, and the base that leads back.
struct introduction {
  side to = side::left;
  std::uint8_t base = 0;
};

/// Calls `send(neighbour, introduction)` for the neighbour on side `s`.
template <std::size_t Words, typename Send>
void introduce(const spelling<Words>& letters, const kmer<Words>& node, side s, unsigned base,
               Send&& send) {
  const kmer<Words> text = letters.beside(node, s, base);
  const kmer<Words> reverse = letters.reverse(text);
  const unsigned by = s == side::right ? letters.first(node) : letters.last(node);
  // A palindrome is addressed on its left side.
  if (text < reverse || (text == reverse && s == side::right)) {
    send(text, introduction{other(s), static_cast<std::uint8_t>(by)});
  } else {
    send(reverse, introduction{s, static_cast<std::uint8_t>(complement(by))});
  }
}

}  // namespace acre::contigs
