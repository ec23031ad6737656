// SPDX-License-Identifier: BSD-3-Clause
// How the rows of a matrix are cut into one run for each member of a team.
//
//     acre::row_cut::equal(1000, 4).owner(400) == 1
//
// Members have equally many rows (equal()), as they have elements of an acre::array, or rows with
// equally many entries (balanced()). A cut never changes, and copies share it.
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
  /// No rows and no members.
  row_cut() = default;
  /// Member m has the rows firsts[m] … firsts[m + 1] - 1.
  /// @throws acre::error when they do not begin with 0, or one is less than the one before
  explicit row_cut(std::vector<std::size_t> firsts, const site& where = site::current());

  /// Member 0 has the first ceil(rows / members), and so on: as acre::array has its elements.
  /// @throws acre::error when there are no members
  [[nodiscard]] static row_cut equal(std::size_t rows, layout::member_t members);
  /// Whole rows, and as equal weights as these allow. Member m tells the weights of its rows of
  /// equal(). Collective; defined in csr/row_cut.cpp. Cost: 3 allgathers.
  /// @throws acre::error on all members when one brings more or fewer
  [[nodiscard]] static row_cut balanced(const team& members, std::size_t rows,
                                        std::span<const std::uint64_t> weights,
                                        const site& where = site::current());

  [[nodiscard]] std::size_t rows() const noexcept { return cut_.extent(); }
  [[nodiscard]] layout::member_t members() const noexcept {
    return static_cast<layout::member_t>(cut_.blocks());
  }
  /// Of a member; rows() for the one behind the last. l.
  [[nodiscard]] std::size_t first_of(layout::member_t member) const noexcept {
    return cut_.first(member);
  }
  [[nodiscard]] std::size_t count_of(layout::member_t member) const noexcept {
    return cut_.first(std::size_t{member} + 1) - cut_.first(member);
  }
  /// The largest number of rows of a member. l.
  [[nodiscard]] std::size_t largest() const noexcept { return smaller(cut_.largest(), rows()); }
  /// The member that has a row; there must be such a row. Logarithmic in the members.
  [[nodiscard]] layout::member_t owner(std::size_t row) const noexcept {
    return static_cast<layout::member_t>(cut_.block_of(row));
  }

  friend bool operator==(const row_cut&, const row_cut&) noexcept = default;

 private:
  layout::cut_at cut_;
};

}  // namespace acre
