// SPDX-License-Identifier: BSD-3-Clause
// Splits an index range into contiguous segments, in index order.
//
//     for (const auto& [member, offset, count] : acre::layout::segments(pattern, 10, 90)) …
#pragma once

#include <acre/layout/pattern.hpp>

#include <cstddef>
#include <iterator>

namespace acre::layout {

struct segment {
  member_t member;
  std::size_t offset;
  std::size_t count;

  friend constexpr bool operator==(const segment&, const segment&) noexcept = default;
};

/// Forward range of non-empty segments. Its iterators refer to it.
template <pattern Pattern>
class segments {
 public:
  class iterator {
   public:
    using value_type = segment;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;

    constexpr iterator() noexcept = default;

    [[nodiscard]] constexpr segment operator*() const noexcept {
      const place here = range_->pattern_.place_of(index_);
      return {.member = here.member, .offset = here.offset, .count = count()};
    }
    constexpr iterator& operator++() noexcept {
      index_ += count();
      return *this;
    }
    constexpr iterator operator++(int) noexcept {
      const iterator before = *this;
      ++*this;
      return before;
    }
    [[nodiscard]] constexpr std::size_t index() const noexcept { return index_; }

    friend constexpr bool operator==(const iterator& a, const iterator& b) noexcept {
      return a.index_ == b.index_;
    }

   private:
    friend class segments;
    constexpr iterator(const segments* range, std::size_t index) noexcept
        : range_(range), index_(index) {}
    [[nodiscard]] constexpr std::size_t count() const noexcept {
      const std::size_t rest = range_->last_ - index_;
      const std::size_t run = range_->pattern_.run_length(index_);
      return run < rest ? run : rest;
    }

    const segments* range_ = nullptr;
    std::size_t index_ = 0;
  };

  /// @param first, last  first <= last <= pattern.size()
  constexpr segments(const Pattern& pattern, std::size_t first, std::size_t last) noexcept
      : pattern_(pattern), first_(first), last_(last) {}

  [[nodiscard]] constexpr iterator begin() const noexcept { return {this, first_}; }
  [[nodiscard]] constexpr iterator end() const noexcept { return {this, last_}; }

 private:
  Pattern pattern_;
  std::size_t first_;
  std::size_t last_;
};

}  // namespace acre::layout
