// SPDX-License-Identifier: BSD-3-Clause
// Pattern whose elements all reside on one member.
#pragma once

#include <acre/layout/pattern.hpp>

#include <cstddef>

namespace acre::layout {

class hosted {
 public:
  static constexpr bool is_ascending = true;
  static constexpr bool is_one_run = true;

  constexpr hosted() noexcept = default;
  /// @param host  below `members`
  constexpr hosted(std::size_t size, member_t members, member_t host) noexcept
      : size_(size), members_(members), host_(host) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr member_t members() const noexcept { return members_; }
  [[nodiscard]] constexpr member_t host() const noexcept { return host_; }

  [[nodiscard]] constexpr place place_of(std::size_t index) const noexcept {
    return {.member = host_, .offset = index};
  }
  [[nodiscard]] constexpr std::size_t index_of(place where) const noexcept { return where.offset; }
  [[nodiscard]] constexpr std::size_t local_size(member_t member) const noexcept {
    return member == host_ ? size_ : 0;
  }
  [[nodiscard]] constexpr std::size_t local_capacity() const noexcept { return size_; }
  [[nodiscard]] constexpr std::size_t run_length(std::size_t index) const noexcept {
    return size_ - index;
  }

  [[nodiscard]] constexpr std::size_t run_before(std::size_t index) const noexcept { return index; }

  friend constexpr bool operator==(const hosted&, const hosted&) noexcept = default;

 private:
  std::size_t size_ = 0;
  member_t members_ = 0;
  member_t host_ = 0;
};

static_assert(pattern<hosted>);

}  // namespace acre::layout
