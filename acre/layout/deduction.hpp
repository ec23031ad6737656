// SPDX-License-Identifier: BSD-3-Clause
// Deduces patterns at compile time from required properties or use cases.
//
//     auto boxes = make_pattern<layout::minimal_partitioning>({100, 80}, 6);
//     auto tiles = make_pattern<use_case::dgemm>({4096, 4096}, 6);
//     auto nodes = make_pattern<layout::node_balanced_arrangement>({64, 64}, 12, node_members(4));
#pragma once

#include <acre/layout/distribution.hpp>
#include <acre/layout/node_boxes.hpp>
#include <acre/layout/properties.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace acre {

template <class... Properties>
struct properties {
  template <class P>
  static constexpr bool holds = (Properties::template holds<P> && ...);
};

namespace use_case {

/// Neighbour access: one balanced box per member, rows contiguous.
template <std::size_t... Widths>
struct stencil : properties<layout::minimal_partitioning, layout::balanced_partitioning,
                            layout::canonical_layout, layout::row_major_layout> {};
/// Matrix products: equal contiguous tiles, round-robin in each dimension.
struct dgemm : properties<layout::regular_partitioning, layout::multiple_mapping,
                          layout::cyclic_mapping, layout::blocked_layout> {};
/// Transposition: each row and column of tiles has tiles of all members, which avoids contention.
struct transpose
    : properties<layout::balanced_partitioning, layout::diagonal_mapping, layout::blocked_layout> {
};
/// Histograms: balanced numbers of rows, in member order.
struct histogram : properties<layout::consecutive_partitioning, layout::balanced_partitioning> {};

}  // namespace use_case

namespace layout {

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
      return cut(extent, extent / parts);  // at least `members` tiles if possible
    } else if constexpr (has_several && !has_shifted) {
      return cut(extent, divide_up(extent, parts * tiles_a_part));
    } else {
      return cut(extent, parts);
    }
  }

 public:
  static auto make(const coordinates<N>& extents, member_t members, coordinates<N> parts,
                   node_members nodes) {
    check_extents(extents, members);
    if constexpr (is_rows) {
      for (std::size_t d = 1; d < N; ++d) parts[d] = 1;
    }
    if constexpr (Wish::template has<node_balanced_arrangement>) {
      find_parts(parts, extents, members, nodes);
    } else {
      find_parts(parts, extents, members);
    }
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
  constexpr bool has_it = has_property<Pattern, Property>;
  static_assert(has_it,
                "no pattern of Acre has this property together with the other requested ones: "
                "acre/layout/properties.hpp defines each property");
}

}  // namespace layout

/// Returns a pattern with all `Properties`. Choices that they leave open: few blocks, balanced
/// boxes, row-major, compact.
/// @param nodes  required by node_balanced_arrangement
/// @throws acre::error as make_distribution(); if no grid has the arrangement
template <class... Properties, std::size_t N>
[[nodiscard]] auto make_pattern(const layout::coordinates<N>& extents, layout::member_t members,
                                node_members nodes, const team_spec<N>& spec = {}) {
  using made = layout::deduced<N, layout::wish<Properties...>>;
  using result = decltype(made::make(extents, members, spec.parts, nodes));
  (layout::require_property<result, Properties>(), ...);
  return made::make(extents, members, spec.parts, nodes);
}
template <class... Properties, std::size_t N>
[[nodiscard]] auto make_pattern(const layout::coordinates<N>& extents, layout::member_t members,
                                const team_spec<N>& spec = {}) {
  static_assert(!layout::wish<Properties...>::template has<layout::node_balanced_arrangement>,
                "node_balanced_arrangement requires the number of members of a node: "
                "make_pattern<...>(extents, members, node_members(24))");
  return make_pattern<Properties...>(extents, members, node_members(1), spec);
}
template <class... Properties, std::size_t N>
[[nodiscard]] auto make_pattern(const std::size_t (&extents)[N], layout::member_t members,
                                node_members nodes, const team_spec<N>& spec = {}) {
  return make_pattern<Properties...>(std::to_array(extents), members, nodes, spec);
}
template <class... Properties, std::size_t N>
[[nodiscard]] auto make_pattern(const std::size_t (&extents)[N], layout::member_t members,
                                const team_spec<N>& spec = {}) {
  return make_pattern<Properties...>(std::to_array(extents), members, spec);
}

/// Returns the grid of members of make_pattern<Properties...>(), for make_distribution().
/// Parameters and exceptions: as make_pattern().
template <class... Properties, std::size_t N>
[[nodiscard]] team_spec<N> make_team_spec(const std::size_t (&extents)[N], layout::member_t members,
                                          node_members nodes, const team_spec<N>& spec = {}) {
  return team_spec<N>(
      make_pattern<Properties...>(std::to_array(extents), members, nodes, spec).owners().parts());
}
template <class... Properties, std::size_t N>
[[nodiscard]] team_spec<N> make_team_spec(const std::size_t (&extents)[N],
                                          layout::member_t members) {
  return team_spec<N>(make_pattern<Properties...>(extents, members).owners().parts());
}

}  // namespace acre
