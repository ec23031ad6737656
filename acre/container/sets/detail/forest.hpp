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
#include <type_traits>
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

/// View of a forest's words here.
template <class Word>
class forest_words {
 public:
  /// An ancestor, and the word of which it is the parent: null on another node.
  struct upper {
    Word* from;
    std::uint64_t top;
  };

  forest_words(const std::uintptr_t* bases, divisor each) noexcept : bases_(bases), each_(each) {}

  /// The element's word; null on another node.
  [[nodiscard]] Word* at(std::uint64_t element) const noexcept {
    const std::uintptr_t base = bases_[element / each_];
    if (base == 0) [[unlikely]] {
      return nullptr;
    }
    return reinterpret_cast<Word*>(base + element * sizeof(Word));
  }

  // Sequential consistency orders the accesses of several words.
  [[nodiscard]] static Word load(Word* word) noexcept {
    return std::atomic_ref(*word).load(std::memory_order_seq_cst);
  }

  [[nodiscard]] upper above(std::uint64_t x, runtime::direct_costs& spent) const noexcept {
    Word* const word = at(x);
    return word == nullptr ? upper{nullptr, x} : upper{word, load(word, spent)};
  }
  /// Does not count.
  [[nodiscard]] static upper above(std::byte* word) noexcept {
    auto* const from = reinterpret_cast<Word*>(word);
    return {from, load(from)};
  }

  template <path Path>
  bool find(std::uint64_t& x, runtime::direct_costs& spent) const noexcept {
    for (;;) {
      Word* const word = at(x);
      if (word == nullptr) return false;
      const std::uint64_t parent = load(word, spent);
      if (parent == x) return true;
      x = parent;
      Word* const above = at(parent);
      if (above == nullptr) return false;
      const std::uint64_t next = load(above, spent);
      if (next == parent) return true;
      if constexpr (Path == path::halved) raise(word, parent, next, spent);
      x = next;
    }
  }

  template <bool Links, path Path>
  meeting meet(upper low, upper high, element_pair& both,
               runtime::direct_costs& spent) const noexcept {
    for (;;) {
      if (low.top == high.top) return meeting::together;
      if (is_lower(high.top, low.top)) std::swap(low, high);
      Word* const word = at(low.top);
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

  void shorten(std::uint64_t element, std::uint64_t ancestor,
               runtime::direct_costs& spent) const noexcept {
    Word* const word = at(element);
    const std::uint64_t parent = load(word, spent);
    if (parent != ancestor && is_lower(parent, ancestor)) raise(word, parent, ancestor, spent);
  }

  template <class F>
  void compress(std::uint64_t first, std::uint64_t count, runtime::direct_costs& spent,
                F&& with_far_root) const {
    if (count == 0) return;
    Word* const words = at(first);
    spent.reads += 2 * count;
    for (std::uint64_t i = 0; i < count; ++i) {
      // Also for roots: no unpredictable branch.
      const Word parent = load(words + i);
      Word* const above = at(parent);
      if (above != nullptr && load(above) == parent) continue;
      if (above == nullptr) --spent.reads;
      std::uint64_t root = parent;
      if (find<path::halved>(root, spent)) {
        shorten(first + i, root, spent);
      } else {
        with_far_root(first + i);
      }
    }
  }

 private:
  static Word load(Word* word, runtime::direct_costs& spent) noexcept {
    ++spent.reads;
    return load(word);
  }
  static bool exchange(Word* word, std::uint64_t& before, std::uint64_t after,
                       runtime::direct_costs& spent) noexcept {
    ++spent.atomics;
    auto expected = static_cast<Word>(before);
    const bool is_done = std::atomic_ref(*word).compare_exchange_strong(
        expected, static_cast<Word>(after), std::memory_order_seq_cst);
    before = expected;
    return is_done;
  }
  static void raise(Word* word, std::uint64_t before, std::uint64_t after,
                    runtime::direct_costs& spent) noexcept {
    static_cast<void>(exchange(word, before, after, spent));
  }

  const std::uintptr_t* bases_;
  divisor each_;
};

/// Immutable; all functions are thread-safe.
class forest {
 public:
  /// 4 for up to 2^32 elements, else 8.
  static constexpr std::size_t word_bytes(std::uint64_t elements) noexcept {
    return elements <= std::uint64_t{1} << 32 ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
  }

  /// @param each  number of elements per part
  /// @param parts  words of each member's part; null on other nodes
  forest(std::uint64_t elements, std::uint64_t each, const std::vector<std::byte*>& parts)
      : elements_(elements), each_(each), shift_(word_bytes(elements) == 4 ? 2 : 3) {
    bases_.reserve(parts.size());
    for (std::size_t member = 0; member < parts.size(); ++member) {
      bases_.push_back(parts[member] == nullptr ? 0
                                                : reinterpret_cast<std::uintptr_t>(parts[member]) -
                                                      member * each * word_bytes(elements));
    }
  }

  [[nodiscard]] std::uint64_t elements() const noexcept { return elements_; }
  [[nodiscard]] std::uint64_t each() const noexcept { return each_.value(); }
  [[nodiscard]] std::uint64_t owner(std::uint64_t element) const noexcept {
    return element / each_;
  }
  [[nodiscard]] bool is_here(std::uint64_t element) const noexcept {
    return bases_[element / each_] != 0;
  }
  /// Null on another node.
  [[nodiscard]] std::byte* word_of(std::uint64_t element) const noexcept {
    const std::uintptr_t base = bases_[element / each_];
    return base == 0 ? nullptr : reinterpret_cast<std::byte*>(base + (element << shift_));
  }

  template <class F>
  std::invoke_result_t<F, forest_words<std::uint32_t>> with_words(F&& f) const {
    return shift_ == 2 ? f(forest_words<std::uint32_t>(bases_.data(), each_))
                       : f(forest_words<std::uint64_t>(bases_.data(), each_));
  }

  /// Elements of one part here become roots. Not atomic.
  void make_singletons(std::uint64_t first, std::uint64_t count) const noexcept {
    if (count == 0) return;
    with_words([&](auto words) {
      auto* const word = words.at(first);
      for (std::uint64_t i = 0; i < count; ++i) {
        word[i] = static_cast<std::remove_pointer_t<decltype(word)>>(first + i);
      }
    });
  }
  [[nodiscard]] std::uint64_t count_roots(std::uint64_t first, std::uint64_t count) const noexcept {
    if (count == 0) return 0;
    return with_words([&](auto words) {
      auto* const word = words.at(first);
      std::uint64_t roots = 0;
      for (std::uint64_t i = 0; i < count; ++i) {
        roots += words.load(word + i) == first + i ? 1U : 0U;
      }
      return roots;
    });
  }
  [[nodiscard]] std::uint64_t parent_of(std::uint64_t element) const noexcept {
    return with_words([&](auto words) -> std::uint64_t { return words.load(words.at(element)); });
  }
  /// For reading: most elements are already below their root.
  void prefetch(std::uint64_t element) const noexcept {
    with_words([&](auto words) { __builtin_prefetch(words.at(element)); });
  }

  /// Replaces `x` by its root, or by its highest ancestor here.
  /// @return true if a root
  template <path Path>
  bool find(std::uint64_t& x, runtime::direct_costs& spent) const noexcept {
    return with_words([&](auto words) { return words.template find<Path>(x, spent); });
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
    with_words([&](auto words) { words.shorten(element, ancestor, spent); });
  }
  /// Makes roots parents in one part here; calls f(element) if the root may be elsewhere.
  template <class F>
  void compress(std::uint64_t first, std::uint64_t count, runtime::direct_costs& spent,
                F&& f) const {
    with_words([&](auto words) { words.compress(first, count, spent, f); });
  }

 private:
  template <bool Links, path Path>
  meeting meet(element_pair& both, runtime::direct_costs& spent) const noexcept {
    return with_words([&](auto words) {
      const auto low = words.above(both.low, spent);
      return words.template meet<Links, Path>(low, words.above(both.high, spent), both, spent);
    });
  }

  std::uint64_t elements_;
  divisor each_;
  std::uint32_t shift_;                ///< of an element to its word's offset in bytes
  std::vector<std::uintptr_t> bases_;  ///< less the offset of the part's first element
};

}  // namespace acre::container
