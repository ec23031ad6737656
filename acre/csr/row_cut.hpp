// SPDX-License-Identifier: BSD-3-Clause
// How the rows of a matrix are cut into one run for each member of a team.
//
//     acre::row_cut::equal(1000, 4).owner(400) == 1
//
// Rows are as many for each, as the elements of an acre::array are, or they have as many entries:
// balanced(). It never changes, and copies share it.
#pragma once

#include <acre/base/shared_object.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre {

class row_cut {
 public:
  /// No rows, of nobody.
  row_cut() : row_cut(std::vector<std::size_t>{0}) {}
  /// Member m has the rows firsts[m] … firsts[m + 1] - 1.
  /// @throws acre::error when they do not begin with 0, or one is less than the one before
  explicit row_cut(std::vector<std::size_t> firsts, const site& where = site::current());

  /// Member 0 has the first ceil(rows / members), and so on: as acre::array has its elements.
  /// @throws acre::error when there are no members
  [[nodiscard]] static row_cut equal(std::size_t rows, rank_t members);
  /// Whole rows, and as equal weights as these allow. Member m tells the weights of its rows of
  /// equal(). Collective. Cost: 3 allgathers.
  /// @throws acre::error on all members when one brings more or fewer
  [[nodiscard]] static row_cut balanced(const team& members, std::size_t rows,
                                        std::span<const std::uint64_t> weights,
                                        const site& where = site::current());

  [[nodiscard]] std::size_t rows() const noexcept { return firsts_->back(); }
  [[nodiscard]] rank_t members() const noexcept { return static_cast<rank_t>(firsts_->size() - 1); }
  /// Of a member; rows() for the one behind the last. l.
  [[nodiscard]] std::size_t first_of(rank_t member) const noexcept { return (*firsts_)[member]; }
  [[nodiscard]] std::size_t count_of(rank_t member) const noexcept {
    return (*firsts_)[member + 1] - (*firsts_)[member];
  }
  /// The member that has a row; there must be such a row. Logarithmic in the members.
  [[nodiscard]] rank_t owner(std::size_t row) const noexcept;

  friend bool operator==(const row_cut& a, const row_cut& b) noexcept {
    return a.firsts_ == b.firsts_ || *a.firsts_ == *b.firsts_;
  }

 private:
  base::shared_object<const std::vector<std::size_t>> firsts_;
};

namespace csr {
/// @throws acre::error when the cut has not as many members as the team
void check_members(const char* call, const row_cut& rows, rank_t members, const site& where);
}  // namespace csr

}  // namespace acre
