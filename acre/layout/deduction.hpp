// SPDX-License-Identifier: BSD-3-Clause
// Patterns by the properties that they shall have, and by what they are for.
//
//     using namespace acre;
//     auto boxes = make_pattern<layout::minimal_partitioning>({100, 80}, 6);
//     auto tiles = make_pattern<use_case::dgemm>({4096, 4096}, 6);
//
// The type follows from the properties when the program is compiled, its numbers from the extents
// and the members when it runs. Properties that no pattern has together do not compile, and the
// message names the first that is missing.
#pragma once

#include <acre/layout/distribution.hpp>
#include <acre/layout/properties.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace acre {

/// Several properties as one.
template <class... Properties>
struct properties {
  template <class P>
  static constexpr bool holds = (Properties::template holds<P> && ...);
};

namespace use_case {

/// Neighbours are read, as far as these widths go in each dimension: each member has one box, the
/// boxes are as equal as they can be, and a row lies in one piece.
template <std::size_t... Widths>
struct stencil : properties<layout::minimal_partitioning, layout::balanced_partitioning,
                            layout::canonical_layout, layout::row_major_layout> {};
/// Products of matrices: square tiles in one piece, which local products take as they lie, of which
/// each member has some in every part of the matrix.
struct dgemm : properties<layout::regular_partitioning, layout::multiple_mapping,
                          layout::cyclic_mapping, layout::blocked_layout> {};
/// Columns become rows: where a dimension has as many indices as there are members, each row and
/// each column of tiles has one of every member, so nobody waits for one of them.
struct transpose
    : properties<layout::balanced_partitioning, layout::diagonal_mapping, layout::blocked_layout> {
};
/// Each element is read once, or counted: as many rows for everybody, and all elements in the order
/// of the members.
struct histogram : properties<layout::consecutive_partitioning, layout::balanced_partitioning> {};

}  // namespace use_case

namespace layout {

/// All properties of a list, those of use cases and bundles taken apart.
template <class... Properties>
struct wish {
  template <class Asked, class... Bundled>
  static constexpr bool in_bundle(const properties<Bundled...>*) noexcept {
    return wish<Bundled...>::template has<Asked>;
  }
  template <class Asked>
  static constexpr bool in_bundle(const void*) noexcept {
    return false;
  }
  template <class Asked>
  static constexpr bool has = ((std::same_as<Asked, Properties> ||
                                in_bundle<Asked>(static_cast<const Properties*>(nullptr))) ||
                               ...);
};

/// What is cut into tiles without a word on their size has so many in each dimension for a part.
inline constexpr std::size_t tiles_a_part = 4;

template <std::size_t N, class Wish>
class deduced {
  static constexpr bool has_shifted =
      Wish::template has<shifted_mapping> || Wish::template has<diagonal_mapping>;
  static constexpr bool has_several = has_shifted || Wish::template has<multiple_mapping>;
  static constexpr bool is_regular = Wish::template has<regular_partitioning>;
  static constexpr bool is_rows = Wish::template has<consecutive_partitioning>;
  static constexpr bool has_columns = Wish::template has<column_major_layout>;

  using order = std::conditional_t<has_columns, column_major, row_major>;
  using cut = std::conditional_t<
      has_shifted, std::conditional_t<is_regular, tiled_cut<>, balanced_cut>,
      std::conditional_t<has_several, tiled_cut<>,
                         std::conditional_t<is_regular, blocked_cut, balanced_cut>>>;
  using memory =
      std::conditional_t<has_shifted || (has_several && Wish::template has<blocked_layout>),
                         tiled<order>, canonical<order>>;
  using owners = std::conditional_t<has_shifted, shifted<N>, grid<N>>;

  template <std::size_t... D>
  static auto cuts_of(const coordinates<N>& extents, member_t members, const coordinates<N>& parts,
                      std::index_sequence<D...>) {
    return partition(cut_of<D>(extents[D], has_shifted ? members : parts[D])...);
  }
  template <std::size_t D>
  static auto cut_of(std::size_t extent, std::size_t parts) {
    if constexpr (is_rows && D > 0) {
      return whole_cut(extent);
    } else if constexpr (has_shifted && is_regular) {
      return cut(extent, extent / parts);  // at least as many as members, where that can be
    } else if constexpr (has_several && !has_shifted) {
      return cut(extent, divide_up(extent, parts * tiles_a_part));
    } else {
      return cut(extent, parts);
    }
  }

 public:
  static auto make(const coordinates<N>& extents, member_t members, coordinates<N> parts) {
    check_extents(extents, members);
    if constexpr (is_rows) {
      for (std::size_t d = 1; d < N; ++d) parts[d] = 1;
    }
    find_parts(parts, extents, members);
    const auto cuts = cuts_of(extents, members, parts, std::make_index_sequence<N>());
    if constexpr (has_shifted) {
      return composed(cuts, owners(cuts.blocks(), members), memory{});
    } else {
      return composed(cuts, owners(cuts.blocks(), parts), memory{});
    }
  }
};

template <class Pattern, class Property>
constexpr void require_property() {
  static_assert(has_property<Pattern, Property>,
                "no pattern that Acre makes has this property and the others that were asked for: "
                "acre/layout/properties.hpp says what each is");
}

}  // namespace layout

/// A pattern of `extents` over so many members that has all of these properties; of what they leave
/// open, boxes that touch each other little, as equal as they can be, each in one piece by rows.
/// @throws acre::error as make_distribution()
template <class... Properties, std::size_t N>
[[nodiscard]] auto make_pattern(const layout::coordinates<N>& extents, layout::member_t members,
                                const team_spec<N>& spec = {}) {
  using made = layout::deduced<N, layout::wish<Properties...>>;
  using result = decltype(made::make(extents, members, spec.parts));
  (layout::require_property<result, Properties>(), ...);
  return made::make(extents, members, spec.parts);
}
/// The same of extents in braces.
template <class... Properties, std::size_t N>
[[nodiscard]] auto make_pattern(const std::size_t (&extents)[N], layout::member_t members,
                                const team_spec<N>& spec = {}) {
  return make_pattern<Properties...>(std::to_array(extents), members, spec);
}

}  // namespace acre
