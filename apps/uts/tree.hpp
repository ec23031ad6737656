// SPDX-License-Identifier: BSD-3-Clause
// Trees of the Unbalanced Tree Search benchmark (Olivier, Huan, Liu, Prins, Dinan, Sadayappan,
// Tseng: UTS: An Unbalanced Tree Search Benchmark, LCPC 2006). A node's state, the SHA-1 of its
// parent's state and its number, determines its children: expansion is local and deterministic,
// sizes unpredictable.
#pragma once

#include <apps/uts/sha1.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace acre::uts {

struct node {
  sha1_digest state;
  std::uint32_t depth;

  friend bool operator==(const node&, const node&) = default;
};
static_assert(std::is_trivially_copyable_v<node>);

enum class branching : std::uint8_t {
  geometric,  ///< constant mean to a depth
  binomial    ///< below the root, `many` children or zero
};

struct census {
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  std::uint64_t depth = 0;  ///< of the deepest node; root 0

  census& operator+=(const census& other) noexcept {
    nodes += other.nodes;
    leaves += other.leaves;
    depth = std::max(depth, other.depth);
    return *this;
  }
  friend bool operator==(const census&, const census&) = default;
};

/// A tree, with the benchmark's options.
struct tree {
  std::string_view name = {};
  branching kind = branching::geometric;  ///< -t
  std::uint32_t seed = 0;                 ///< -r
  double root_branching = 4;       ///< -b: children of the root; geometric: mean of all nodes
  std::uint32_t depth_limit = 10;  ///< -d (geometric)
  double chance = 0;               ///< -q: probability of children (binomial)
  std::uint32_t many = 0;          ///< -m: their number
  census expected = {};            ///< published; zero: unknown

  [[nodiscard]] node root() const noexcept;
  [[nodiscard]] std::uint32_t children(const node& of) const noexcept;
  /// @param number  of the child, from 0
  [[nodiscard]] static node child(const node& of, std::uint32_t number) noexcept;
};

/// Published: geometric (fixed branching) and deep binomial.
inline constexpr tree t1{.name = "T1",
                         .kind = branching::geometric,
                         .seed = 19,
                         .root_branching = 4,
                         .depth_limit = 10,
                         .expected = {4'130'071, 3'305'118, 10}};
inline constexpr tree t3{.name = "T3",
                         .kind = branching::binomial,
                         .seed = 42,
                         .root_branching = 2000,
                         .chance = 0.124875,
                         .many = 8,
                         .expected = {4'112'897, 3'599'034, 1572}};
inline constexpr tree t1_large{.name = "T1L",
                               .kind = branching::geometric,
                               .seed = 29,
                               .root_branching = 4,
                               .depth_limit = 13,
                               .expected = {102'181'082, 81'746'377, 13}};
inline constexpr tree t3_large{.name = "T3L",
                               .kind = branching::binomial,
                               .seed = 7,
                               .root_branching = 2000,
                               .chance = 0.200014,
                               .many = 5,
                               .expected = {111'345'631, 89'076'904, 17'844}};
inline constexpr tree published[] = {t1, t3, t1_large, t3_large};

/// Counts `start` and all below, serially: about 0.1 µs per node.
[[nodiscard]] census count_below(const tree& whole, const node& start);

}  // namespace acre::uts
