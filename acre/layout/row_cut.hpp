// SPDX-License-Identifier: BSD-3-Clause
// Immutable partition of matrix rows, one contiguous run per member; copies share it.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/layout/cut_at.hpp>
#include <acre/layout/pattern.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre {

class team;

class row_cut {
 public:
  row_cut() = default;
  /// Member m has rows firsts[m] to firsts[m + 1] - 1.
  /// @throws acre::error unless `firsts` starts at 0 and never decreases
  explicit row_cut(std::vector<std::size_t> firsts, const site& where = site::current());

  /// ceil(rows / members) rows each, as acre::array. @throws acre::error without members
  [[nodiscard]] static row_cut equal(std::size_t rows, layout::member_t members);
  /// Balances sums of weights; each member passes those of its rows in equal(). Collective. Cost: 1
  /// allgather and 1 allreduce.
  /// @throws acre::error on all members for a wrong number of weights
  [[nodiscard]] static row_cut balanced(const team& members, std::size_t rows,
                                        std::span<const std::uint64_t> weights,
                                        const site& where = site::current());

  [[nodiscard]] std::size_t rows() const noexcept { return cut_.extent(); }
  [[nodiscard]] layout::member_t members() const noexcept {
    return static_cast<layout::member_t>(cut_.blocks());
  }
  /// First row of a member; rows() at the end. Cost: l.
  [[nodiscard]] std::size_t first_of(layout::member_t member) const noexcept {
    return cut_.first(member);
  }
  [[nodiscard]] std::size_t count_of(layout::member_t member) const noexcept {
    return cut_.first(std::size_t{member} + 1) - cut_.first(member);
  }
  /// Maximum rows per member. Cost: l.
  [[nodiscard]] std::size_t largest() const noexcept { return smaller(cut_.largest(), rows()); }
  /// Member that owns an existing row. Cost: logarithmic.
  [[nodiscard]] layout::member_t owner(std::size_t row) const noexcept {
    return static_cast<layout::member_t>(cut_.block_of(row));
  }

  friend bool operator==(const row_cut&, const row_cut&) noexcept = default;

 private:
  layout::cut_at cut_;
};

}  // namespace acre
