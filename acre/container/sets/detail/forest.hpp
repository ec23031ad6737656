// SPDX-License-Identifier: BSD-3-Clause
// Forest of parents, as far as this rank maps it. A root is its own parent.
//
// A parent has a higher priority than its child, so concurrent links form no cycle. Priorities are
// mixed indices: trees have logarithmic height (Jayanti, Tarjan, PODC 2016), and the root of a set
// depends on its elements only.
//
// Words change by compare-and-swap: a link gives a root its parent, once; path halving replaces a
// parent by a grandparent. So every parent ever read remains an ancestor.
//
// Two elements meet by advancing the lower one (Rem's algorithm). If that is a root, the root of
// the other, which is higher, is another. So a link, or `apart`, takes effect at that access.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/divisor.hpp>
#include <acre/base/split_mix.hpp>
#include <acre/runtime/counters.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace acre::container {

enum class meeting : std::uint8_t {
  together,  ///< in one set
  apart,     ///< in two sets
  linked,    ///< in two sets before, now in one
  elsewhere  ///< `low` is on another node
};

struct element_pair {
  std::uint64_t low;
  std::uint64_t high;
};

/// Compares priorities.
[[nodiscard]] constexpr bool is_lower(std::uint64_t a, std::uint64_t b) noexcept {
  return mix_bits(a) < mix_bits(b);
}

/// Treatment of paths by searches.
enum class path : std::uint8_t { halved, kept };

/// Immutable; all functions are thread-safe.
class forest {
 public:
  using words = std::vector<std::uint64_t*>;

  /// @param each  number of elements per part
  /// @param parts  words of each member's part; null on other nodes
  forest(std::uint64_t elements, std::uint64_t each, const words& parts)
      : elements_(elements), each_(each) {
    bases_.reserve(parts.size());
    for (std::size_t member = 0; member < parts.size(); ++member) {
      bases_.push_back(parts[member] == nullptr ? 0
                                                : reinterpret_cast<std::uintptr_t>(parts[member]) -
                                                      member * each * sizeof(std::uint64_t));
    }
  }

  [[nodiscard]] std::uint64_t elements() const noexcept { return elements_; }
  [[nodiscard]] std::uint64_t each() const noexcept { return each_.value(); }
  [[nodiscard]] std::uint64_t owner(std::uint64_t element) const noexcept {
    return element / each_;
  }
  /// The element's word; null on another node.
  [[nodiscard]] std::uint64_t* word_of(std::uint64_t element) const noexcept {
    const std::uintptr_t base = bases_[element / each_];
    if (base == 0) [[unlikely]] {
      return nullptr;
    }
    return reinterpret_cast<std::uint64_t*>(base + element * sizeof(std::uint64_t));
  }
  /// For reading: most elements are already below their root.
  void prefetch(std::uint64_t element) const noexcept { __builtin_prefetch(word_of(element)); }

  /// Replaces `x` by its root, or by its highest ancestor here.
  /// @return true if a root
  template <path Path>
  bool find(std::uint64_t& x, runtime::direct_costs& spent) const noexcept {
    for (;;) {
      std::uint64_t* const word = word_of(x);
      if (word == nullptr) return false;
      const std::uint64_t parent = load(word, spent);
      if (parent == x) return true;
      x = parent;
      const std::uint64_t* const above = word_of(parent);
      if (above == nullptr) return false;
      const std::uint64_t next = load(above, spent);
      if (next == parent) return true;
      if constexpr (Path == path::halved) raise(word, parent, next, spent);
      x = next;
    }
  }

  /// True if two words here have one parent, so that their elements are together.
  static bool have_one_parent(const std::uint64_t* a, const std::uint64_t* b,
                              runtime::direct_costs& spent) noexcept {
    return load(a, spent) == load(b, spent);
  }

  /// If `elsewhere`, `both` become ancestors.
  meeting unite(element_pair& both, runtime::direct_costs& spent) const noexcept {
    return meet<true, path::halved>(both, spent);
  }
  template <path Path>
  meeting compare(element_pair& both, runtime::direct_costs& spent) const noexcept {
    return meet<false, Path>(both, spent);
  }

  /// Replaces the parent of an element here by an ancestor, if that is higher.
  void shorten(std::uint64_t element, std::uint64_t ancestor,
               runtime::direct_costs& spent) const noexcept {
    std::uint64_t* const word = word_of(element);
    const std::uint64_t parent = load(word, spent);
    if (parent != ancestor && is_lower(parent, ancestor)) raise(word, parent, ancestor, spent);
  }

 private:
  /// An ancestor, and the word of which it is the parent: null on another node.
  struct upper {
    std::uint64_t* from;
    std::uint64_t top;
  };

  // Sequential consistency orders the accesses of several words.
  static std::uint64_t load(const std::uint64_t* word, runtime::direct_costs& spent) noexcept {
    ++spent.reads;
    return std::atomic_ref(*const_cast<std::uint64_t*>(word)).load(std::memory_order_seq_cst);
  }
  static bool exchange(std::uint64_t* word, std::uint64_t& before, std::uint64_t after,
                       runtime::direct_costs& spent) noexcept {
    ++spent.atomics;
    return std::atomic_ref(*word).compare_exchange_strong(before, after, std::memory_order_seq_cst);
  }
  static void raise(std::uint64_t* word, std::uint64_t before, std::uint64_t after,
                    runtime::direct_costs& spent) noexcept {
    static_cast<void>(exchange(word, before, after, spent));
  }

  [[nodiscard]] upper above(std::uint64_t x, runtime::direct_costs& spent) const noexcept {
    std::uint64_t* const word = word_of(x);
    return {word, word == nullptr ? x : load(word, spent)};
  }

  template <bool Links, path Path>
  meeting meet(element_pair& both, runtime::direct_costs& spent) const noexcept {
    upper low = above(both.low, spent);
    upper high = above(both.high, spent);
    for (;;) {
      if (low.top == high.top) return meeting::together;
      if (is_lower(high.top, low.top)) std::swap(low, high);
      std::uint64_t* const word = word_of(low.top);
      if (word == nullptr) {
        both = {low.top, high.top};
        return meeting::elsewhere;
      }
      std::uint64_t parent = load(word, spent);
      if (parent == low.top) {
        if constexpr (!Links) return meeting::apart;
        if (exchange(word, parent, high.top, spent)) return meeting::linked;
      }
      if constexpr (Path == path::halved) {
        if (low.from != nullptr && low.from != word) raise(low.from, low.top, parent, spent);
      }
      low = above(parent, spent);
    }
  }

  std::uint64_t elements_;
  divisor each_;
  std::vector<std::uintptr_t> bases_;  ///< less the offset of the part's first element
};

}  // namespace acre::container
