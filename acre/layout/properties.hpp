// SPDX-License-Identifier: BSD-3-Clause
// Named properties of pattern types, as constraints for algorithms (Fuchs and Fürlinger).
//
//     template <class P>
//       requires acre::layout::pattern_satisfies<P, acre::layout::balanced_partitioning>
#pragma once

#include <acre/layout/blocked.hpp>
#include <acre/layout/composed.hpp>
#include <acre/layout/hosted.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace acre::layout {

/// Facts of a pattern's stages; specialised for patterns without stages.
template <class P>
struct facts;

template <class First, class... Others>
constexpr bool cuts_first() noexcept {
  return (std::same_as<Others, whole_cut> && ...);
}

template <cut... Cuts, class Mapping, class Memory>
struct facts<composed<partition<Cuts...>, Mapping, Memory>> {
  static constexpr bool is_regular = (Cuts::is_regular && ...);
  static constexpr bool is_balanced = (Cuts::is_balanced && ...);
  static constexpr std::size_t cut_dimensions =
      (std::size_t{0} + ... + (std::same_as<Cuts, whole_cut> ? 0U : 1U));
  static constexpr bool cuts_first_alone = cuts_first<Cuts...>();
  static constexpr bool is_any_cut = (std::same_as<Cuts, cut_at> || ...);

  static constexpr bool is_grid = Mapping::is_grid;
  static constexpr bool is_diagonal = Mapping::is_diagonal;
  static constexpr bool is_in_turn = Mapping::is_in_turn;
  static constexpr bool has_one_block_a_member =
      is_grid && requires(const Mapping& m) { m.parts(); } && (Cuts::is_one_a_part && ...);

  static constexpr bool is_canonical = Memory::is_canonical;
  static constexpr bool is_by_rows = std::same_as<typename Memory::order, row_major>;
  static constexpr bool is_by_columns = std::same_as<typename Memory::order, column_major>;
  static constexpr bool has_one_dimension = sizeof...(Cuts) == 1;
  static constexpr bool has_margins = Memory::has_margins;
};
template <>
struct facts<blocked> : facts<composed<partition<blocked_cut>, grid<1>, canonical<>>> {};
template <>
struct facts<hosted> : facts<composed<partition<whole_cut>, assigned<1>, tiled<>>> {
  static constexpr bool is_canonical = true;
  static constexpr bool has_one_block_a_member = true;
};

/// Blocks are cells of a grid: always.
struct rectangular_partitioning {
  template <class P>
  static constexpr bool holds = true;
};
/// At most one block per member.
struct minimal_partitioning {
  template <class P>
  static constexpr bool holds = facts<P>::has_one_block_a_member;
};
/// Consecutive indices per member, in member order.
struct consecutive_partitioning {
  template <class P>
  static constexpr bool holds = facts<P>::has_one_block_a_member && facts<P>::cuts_first_alone;
};
/// Equal block extents, except shorter last ones.
struct regular_partitioning {
  template <class P>
  static constexpr bool holds = facts<P>::is_regular;
};
/// Block extents differ by at most 1.
struct balanced_partitioning {
  template <class P>
  static constexpr bool holds = facts<P>::is_balanced;
};
struct unbalanced_partitioning {
  template <class P>
  static constexpr bool holds = !facts<P>::is_balanced;
};
struct ndimensional_partitioning {
  template <class P>
  static constexpr bool holds = facts<P>::cut_dimensions > 1;
};
/// Bounds given at run time.
struct dynamic_partitioning {
  template <class P>
  static constexpr bool holds = facts<P>::is_any_cut;
};

/// Members' numbers of blocks differ by at most 1.
struct balanced_mapping {
  template <class P>
  static constexpr bool holds = facts<P>::is_in_turn || facts<P>::has_one_block_a_member;
};
struct unbalanced_mapping {
  template <class P>
  static constexpr bool holds = !balanced_mapping::holds<P>;
};
/// Adjacent blocks are on different members.
struct neighbour_mapping {
  template <class P>
  static constexpr bool holds =
      facts<P>::is_diagonal || (facts<P>::is_grid && facts<P>::has_one_block_a_member) ||
      (facts<P>::is_in_turn && facts<P>::has_one_dimension);
};
/// Rows of blocks are shifted by one member.
struct shifted_mapping {
  template <class P>
  static constexpr bool holds = facts<P>::is_diagonal;
};
/// Lines of blocks in every direction are shifted.
struct diagonal_mapping {
  template <class P>
  static constexpr bool holds = facts<P>::is_diagonal;
};
/// Round-robin in each dimension.
struct cyclic_mapping {
  template <class P>
  static constexpr bool holds = facts<P>::is_grid;
};
/// A member may have several blocks.
struct multiple_mapping {
  template <class P>
  static constexpr bool holds = !facts<P>::has_one_block_a_member;
};

/// The last coordinate changes fastest.
struct row_major_layout {
  template <class P>
  static constexpr bool holds = facts<P>::is_by_rows;
};
struct column_major_layout {
  template <class P>
  static constexpr bool holds = facts<P>::is_by_columns;
};
/// Each block is contiguous.
struct blocked_layout {
  template <class P>
  static constexpr bool holds = (!facts<P>::is_canonical || facts<P>::has_one_block_a_member ||
                                 facts<P>::has_one_dimension) &&
                                !(facts<P>::has_margins && !facts<P>::has_one_dimension);
};
/// A member's elements form one array.
struct canonical_layout {
  template <class P>
  static constexpr bool holds = facts<P>::is_canonical;
};
struct margin_layout {
  template <class P>
  static constexpr bool holds = facts<P>::has_margins;
};
/// A member's offsets ascend with indices.
struct linear_layout {
  template <class P>
  static constexpr bool holds =
      (facts<P>::is_canonical && facts<P>::is_by_rows) || facts<P>::has_one_dimension;
};

/// Least surface between members' boxes.
struct compact_arrangement {
  template <class P>
  static constexpr bool holds = facts<P>::is_grid;
};
/// Members of each node form equal boxes of the grid of members. Requires node_members.
struct node_balanced_arrangement {
  template <class P>
  static constexpr bool holds = facts<P>::is_grid;
};

/// Separate concept, so that compilers name the missing property.
template <class P, class Property>
concept has_property = pattern<P> && Property::template holds<P>;

struct any_pattern {
  template <class P>
  static constexpr bool holds = true;
};

/// Not a parameter pack, for the same reason.
template <class P, class P1 = any_pattern, class P2 = any_pattern, class P3 = any_pattern,
          class P4 = any_pattern, class P5 = any_pattern, class P6 = any_pattern,
          class P7 = any_pattern, class P8 = any_pattern>
concept pattern_satisfies =
    has_property<P, P1> && has_property<P, P2> && has_property<P, P3> && has_property<P, P4> &&
    has_property<P, P5> && has_property<P, P6> && has_property<P, P7> && has_property<P, P8>;

}  // namespace acre::layout
