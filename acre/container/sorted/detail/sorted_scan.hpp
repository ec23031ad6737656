// SPDX-License-Identifier: BSD-3-Clause
// Scans over all parts of a sorted map.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/sorted/detail/sorted_parts.hpp>

#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

namespace acre::container {

/// Each chunk is one state of a part. A key that exists throughout is read once.
template <class K, class V, class Compare, class Guarantee = no_guarantee>
class sorted_cursor {
  using parts = sorted_parts<K, V, Compare>;

 public:
  using entries = typename parts::entries;

  sorted_cursor(const parts& of, rank_t first, rank_t last)
      : parts_(&of), member_(first), last_(last) {}
  /// Entries from `first`, or after it, to `bound`.
  sorted_cursor(const parts& of, const K& first, bool is_after, std::optional<K> bound)
      : parts_(&of),
        member_(of.owner_of(first)),
        last_(bound ? of.owner_of(*bound) : of.members().size() - 1),
        key_(first),
        is_after_(is_after),
        bound_(std::move(bound)),
        is_done_(bound_ && !Compare{}(first, *bound_)) {}

  /// @return false at the end
  bool next(entries& into, std::size_t most, const char* call, const site& where) {
    while (!is_done_) {
      const start_of_search<K> from{.key = key_ ? &*key_ : nullptr, .is_after = is_after_};
      const scan_end end = parts_->scan(Guarantee{}, member_, from, bound_ ? &*bound_ : nullptr,
                                        most, into, call, where);
      if (!into.empty()) {
        key_.emplace(into.back().first);
        is_after_ = true;
      }
      if (end == scan_end::bound || (end == scan_end::part && member_ == last_)) {
        is_done_ = true;
      } else if (end == scan_end::part) {
        ++member_;
      }
      if (!into.empty()) return true;
    }
    into.clear();
    return false;
  }

 private:
  const parts* parts_ = nullptr;
  rank_t member_ = 0;
  rank_t last_ = 0;
  std::optional<K> key_;
  bool is_after_ = false;
  std::optional<K> bound_;
  bool is_done_ = false;
};

/// Each further chunk is twice as large.
inline constexpr std::size_t first_entries_at_once = 128;
inline constexpr std::size_t most_entries_at_once = 1024;

/// Copies. The map must not be rebalanced or cleared meanwhile.
template <class K, class V, class Compare>
class sorted_iterator {
  using cursor = sorted_cursor<K, V, Compare>;

 public:
  using value_type = std::pair<K, V>;
  using reference = const value_type&;
  using pointer = const value_type*;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;

  explicit sorted_iterator(cursor from) : from_(std::move(from)) { read(); }

  reference operator*() const noexcept { return entries_[next_]; }
  pointer operator->() const noexcept { return &entries_[next_]; }
  sorted_iterator& operator++() {
    if (++next_ == entries_.size()) read();
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const sorted_iterator& a, std::default_sentinel_t) noexcept {
    return a.next_ == a.entries_.size();
  }

 private:
  void read() {
    next_ = 0;
    from_.next(entries_, at_once_, "sorted_map: iteration", site());
    at_once_ = smaller(2 * at_once_, most_entries_at_once);
  }

  cursor from_;
  typename cursor::entries entries_;
  std::size_t next_ = 0;
  std::size_t at_once_ = first_entries_at_once;
};

template <class K, class V, class Compare>
class sorted_entries {
 public:
  using iterator = sorted_iterator<K, V, Compare>;

  explicit sorted_entries(sorted_cursor<K, V, Compare> from) : from_(std::move(from)) {}
  [[nodiscard]] iterator begin() const { return iterator(from_); }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

 private:
  sorted_cursor<K, V, Compare> from_;
};

}  // namespace acre::container
