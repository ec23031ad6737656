// SPDX-License-Identifier: BSD-3-Clause
// Pattern of equal blocks: ceil(n / members) consecutive elements per member, fewer or no elements
// on the last.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/divisor.hpp>
#include <acre/layout/pattern.hpp>

#include <cstddef>

namespace acre::layout {

class blocked {
 public:
  static constexpr bool is_ascending = true;
  /// Each member's elements are contiguous in index and memory.
  static constexpr bool is_one_run = true;

  constexpr blocked() noexcept = default;
  /// @param size  at most half of the std::size_t range
  constexpr blocked(std::size_t size, member_t members) noexcept
      : size_(size),
        members_(members),
        block_(size == 0 || members == 0 ? 1 : divide_up(size, std::size_t{members})),
        by_block_(block_) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr member_t members() const noexcept { return members_; }

  [[nodiscard]] constexpr place place_of(std::size_t index) const noexcept {
    const std::size_t member = index / by_block_;
    return {.member = static_cast<member_t>(member), .offset = index - member * block_};
  }
  [[nodiscard]] constexpr std::size_t index_of(place where) const noexcept {
    return where.member * block_ + where.offset;
  }
  [[nodiscard]] constexpr std::size_t local_size(member_t member) const noexcept {
    return first_of(std::size_t{member} + 1) - first_of(member);
  }
  [[nodiscard]] constexpr std::size_t local_capacity() const noexcept {
    return size_ < block_ ? size_ : block_;
  }
  [[nodiscard]] constexpr std::size_t run_length(std::size_t index) const noexcept {
    const place here = place_of(index);
    return local_size(here.member) - here.offset;
  }

  [[nodiscard]] constexpr std::size_t run_before(std::size_t index) const noexcept {
    return place_of(index).offset;
  }

  friend constexpr bool operator==(const blocked&, const blocked&) noexcept = default;

 private:
  /// First index of a member; size() if it holds no elements.
  [[nodiscard]] constexpr std::size_t first_of(std::size_t member) const noexcept {
    const std::size_t first = member * block_;
    return first < size_ ? first : size_;
  }

  std::size_t size_ = 0;
  member_t members_ = 0;
  std::size_t block_ = 1;
  divisor by_block_;
};

static_assert(pattern<blocked>);

}  // namespace acre::layout
