// SPDX-License-Identifier: BSD-3-Clause
// What can be said of a pattern by name, for those who need it: an algorithm that multiplies tiles
// asks for tiles, and one whose neighbours work at the same time that neighbours are not on one
// member.
//
//     template <class P>
//       requires acre::layout::pattern_satisfies<P, acre::layout::balanced_partitioning>
//     void smooth(acre::matrix<double, 2, P>& m);
//
// A property is a type. It is computed from what the stages of a pattern are (composed.hpp), and
// holds for every pattern of the type, whatever its sizes; the tests look at many. The names are
// those of T. Fuchs and K. Fürlinger, "Expressing and exploiting multi-dimensional locality in
// DASH" (2016).
#pragma once

#include <acre/layout/blocked.hpp>
#include <acre/layout/composed.hpp>
#include <acre/layout/hosted.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace acre::layout {

/// What is known of a pattern by its type. One that is not composed of stages says it here.
template <class P>
struct facts;

/// Whether no dimension but the first is cut.
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

// --- how indices are cut -----------------------------------------------------------------

/// Each dimension is cut on its own: blocks are cells of a grid. So is all that has stages.
struct rectangular_partitioning {
  template <class P>
  static constexpr bool holds = true;
};
/// No member has more than one block.
struct minimal_partitioning {
  template <class P>
  static constexpr bool holds = facts<P>::has_one_block_a_member;
};
/// Each member has indices that follow each other, those of member 1 behind those of member 0.
struct consecutive_partitioning {
  template <class P>
  static constexpr bool holds = facts<P>::has_one_block_a_member && facts<P>::cuts_first_alone;
};
/// All blocks have the same extents, but the last ones of a dimension, which may be shorter.
struct regular_partitioning {
  template <class P>
  static constexpr bool holds = facts<P>::is_regular;
};
/// In each dimension no two blocks differ by more than 1.
struct balanced_partitioning {
  template <class P>
  static constexpr bool holds = facts<P>::is_balanced;
};
/// Blocks may differ by more.
struct unbalanced_partitioning {
  template <class P>
  static constexpr bool holds = !facts<P>::is_balanced;
};
/// At least two dimensions are cut.
struct ndimensional_partitioning {
  template <class P>
  static constexpr bool holds = facts<P>::cut_dimensions > 1;
};
/// Blocks have any sizes, known when the program runs.
struct dynamic_partitioning {
  template <class P>
  static constexpr bool holds = facts<P>::is_any_cut;
};

// --- which member holds which block --------------------------------------------------------

/// The numbers of blocks of two members differ by at most 1.
struct balanced_mapping {
  template <class P>
  static constexpr bool holds = facts<P>::is_in_turn || facts<P>::has_one_block_a_member;
};
/// They may differ by more.
struct unbalanced_mapping {
  template <class P>
  static constexpr bool holds = !balanced_mapping::holds<P>;
};
/// Blocks beside each other are on different members, where there are several.
struct neighbour_mapping {
  template <class P>
  static constexpr bool holds =
      facts<P>::is_diagonal || (facts<P>::is_grid && facts<P>::has_one_block_a_member) ||
      (facts<P>::is_in_turn && facts<P>::has_one_dimension);
};
/// The members of a row of blocks are those of the row before, shifted by one.
struct shifted_mapping {
  template <class P>
  static constexpr bool holds = facts<P>::is_diagonal;
};
/// So are those of lines of blocks in every direction: as many blocks in a line as there are
/// members have one of each.
struct diagonal_mapping {
  template <class P>
  static constexpr bool holds = facts<P>::is_diagonal;
};
/// In each dimension, blocks go to parts of the team in turn.
struct cyclic_mapping {
  template <class P>
  static constexpr bool holds = facts<P>::is_grid;
};
/// A member may have several blocks.
struct multiple_mapping {
  template <class P>
  static constexpr bool holds = !facts<P>::has_one_block_a_member;
};

// --- in which order a member's elements lie --------------------------------------------------

/// The last coordinate changes fastest, in a block or in all that a member has.
struct row_major_layout {
  template <class P>
  static constexpr bool holds = facts<P>::is_by_rows;
};
/// The first coordinate does.
struct column_major_layout {
  template <class P>
  static constexpr bool holds = facts<P>::is_by_columns;
};
/// The elements of a block lie beside each other.
struct blocked_layout {
  template <class P>
  static constexpr bool holds = (!facts<P>::is_canonical || facts<P>::has_one_block_a_member ||
                                 facts<P>::has_one_dimension) &&
                                !(facts<P>::has_margins && !facts<P>::has_one_dimension);
};
/// All elements of a member are one array.
struct canonical_layout {
  template <class P>
  static constexpr bool holds = facts<P>::is_canonical;
};
/// There is room around that array for copies of what lies beside it (margins.hpp).
struct margin_layout {
  template <class P>
  static constexpr bool holds = facts<P>::has_margins;
};
/// A member's elements lie in the order of their indices.
struct linear_layout {
  template <class P>
  static constexpr bool holds =
      (facts<P>::is_canonical && facts<P>::is_by_rows) || facts<P>::has_one_dimension;
};

/// That a pattern has a property. A name of its own, so that compilers name the one that is
/// missing.
template <class P, class Property>
concept has_property = pattern<P> && Property::template holds<P>;

/// What every pattern has.
struct any_pattern {
  template <class P>
  static constexpr bool holds = true;
};

/// That a pattern has all of these properties, at most eight. They are no pack, for of one
/// compilers do not say which property is missing.
template <class P, class P1 = any_pattern, class P2 = any_pattern, class P3 = any_pattern,
          class P4 = any_pattern, class P5 = any_pattern, class P6 = any_pattern,
          class P7 = any_pattern, class P8 = any_pattern>
concept pattern_satisfies =
    has_property<P, P1> && has_property<P, P2> && has_property<P, P3> && has_property<P, P4> &&
    has_property<P, P5> && has_property<P, P6> && has_property<P, P7> && has_property<P, P8>;

}  // namespace acre::layout
