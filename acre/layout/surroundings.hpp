// SPDX-License-Identifier: BSD-3-Clause
// Plan of a neighbour exchange. Boxes are products of stretches, of which narrow neighbours cause
// several. Any member computes any other's plan, without communication.
#pragma once

#include <acre/layout/box.hpp>
#include <acre/layout/composed.hpp>
#include <acre/layout/cut.hpp>
#include <acre/layout/pattern.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace acre::layout {

enum class side : std::size_t { before, own, after };

/// Consecutive coordinates in one dimension that one part owns and one copies.
struct stretch {
  side where;      ///< relative to the keeping part
  std::size_t at;  ///< in the keeping part's array, with margins
  std::size_t count;
  bool is_beyond = false;  ///< beyond a non-periodic edge: no owner
  std::size_t part = 0;    ///< owner
  std::size_t from = 0;    ///< in the owning part's array, without margins
};

struct lined_up {
  std::vector<std::size_t> begins;  ///< of the parts, then the extent
  std::size_t width_before = 0;
  std::size_t width_after = 0;
  std::size_t margin_before = 0;  ///< at least width_before
  bool wraps_before = false;      ///< periodic edge
  bool wraps_after = false;

  [[nodiscard]] std::size_t extent() const noexcept { return begins.back(); }
  [[nodiscard]] std::size_t parts() const noexcept { return begins.size() - 1; }
  /// Stretches that a part keeps, in order; empty for an empty part.
  [[nodiscard]] std::vector<stretch> around(std::size_t part) const;
  [[nodiscard]] std::vector<std::size_t> readers(std::size_t part) const;
};

/// Number of a direction with components -1, 0 or 1.
template <std::size_t N>
[[nodiscard]] constexpr std::size_t number_of_direction(
    const std::array<int, N>& direction) noexcept {
  std::size_t number = 0;
  for (const int each : direction) number = number * 3 + static_cast<std::size_t>(each + 1);
  return number;
}
template <std::size_t N>
[[nodiscard]] constexpr std::size_t directions() noexcept {
  std::size_t number = 1;
  for (std::size_t d = 0; d < N; ++d) number *= 3;
  return number;
}

template <std::size_t N>
struct box_beside {
  std::size_t direction;
  box<N> where;                ///< in the keeping member's array, with margins
  bool is_beyond;              ///< no owner: `member` is meaningless
  std::size_t edge_dimension;  ///< first dimension beyond an edge
  member_t member;
  coordinates<N> from;  ///< in the owner's array, without margins
};

template <std::size_t N>
class surroundings {
 public:
  /// @param widths  at most the margins
  /// @param wraps  true if periodic: before and after, per dimension
  template <class Pattern>
  surroundings(const Pattern& pattern, const margins<N>& widths,
               const std::array<std::array<bool, 2>, N>& wraps)
      : parts_(pattern.owners().parts()) {
    const margins<N>& room = pattern.memory().margins;
    static_cast<void>(pattern.cuts().each([&](const auto& cut, std::size_t d) {
      lined_up& line = lines_[d];
      line.begins = places_of(cut, parts_[d]);
      line.width_before = widths.before[d];
      line.width_after = widths.after[d];
      line.margin_before = room.before[d];
      line.wraps_before = wraps[d][0];
      line.wraps_after = wraps[d][1];
      return d;
    }));
  }

  /// Boxes in the margins of a member, in deterministic order.
  [[nodiscard]] std::vector<box_beside<N>> around(member_t member) const {
    const coordinates<N> part = row_major::at<N>(member, parts_);
    std::array<std::vector<stretch>, N> kept;
    coordinates<N> numbers{};
    for (std::size_t d = 0; d < N; ++d) {
      kept[d] = lines_[d].around(part[d]);
      numbers[d] = kept[d].size();
    }
    std::vector<box_beside<N>> found;
    const std::size_t all = box<N>{.extents = numbers}.size();
    for (std::size_t i = 0; i < all; ++i) {
      const coordinates<N> which = row_major::at<N>(i, numbers);
      std::array<stretch, N> product{};
      for (std::size_t d = 0; d < N; ++d) product[d] = kept[d][which[d]];
      const box_beside<N> beside = make(product);
      if (beside.direction != directions<N>() / 2) found.push_back(beside);
    }
    return found;
  }

  /// Members that keep copies of elements of `member`, and itself, ascending.
  [[nodiscard]] std::vector<member_t> readers(member_t member) const {
    const coordinates<N> part = row_major::at<N>(member, parts_);
    std::array<std::vector<std::size_t>, N> near;
    coordinates<N> numbers{};
    for (std::size_t d = 0; d < N; ++d) {
      near[d] = lines_[d].readers(part[d]);
      numbers[d] = near[d].size();
    }
    std::vector<member_t> found;
    const std::size_t all = box<N>{.extents = numbers}.size();
    for (std::size_t i = 0; i < all; ++i) {
      coordinates<N> at = row_major::at<N>(i, numbers);
      for (std::size_t d = 0; d < N; ++d) at[d] = near[d][at[d]];
      found.push_back(static_cast<member_t>(row_major::number<N>(at, parts_)));
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  [[nodiscard]] box_beside<N> make(const std::array<stretch, N>& product) const noexcept {
    box_beside<N> made{};
    coordinates<N> part{};
    for (std::size_t d = N; d-- > 0;) {
      const stretch& each = product[d];
      made.where.first[d] = each.at;
      made.where.extents[d] = each.count;
      made.from[d] = each.from;
      part[d] = each.part;
      if (each.is_beyond) {
        made.is_beyond = true;
        made.edge_dimension = d;
      }
    }
    for (const stretch& each : product) {
      made.direction = made.direction * 3 + static_cast<std::size_t>(each.where);
    }
    made.member = static_cast<member_t>(row_major::number<N>(part, parts_));
    return made;
  }

  coordinates<N> parts_;
  std::array<lined_up, N> lines_;
};

}  // namespace acre::layout
