// SPDX-License-Identifier: BSD-3-Clause
// Patterns from named distributions per dimension; a member's elements form a row-major array.
//
//     auto boxes = make_distribution({100, 80}, 6, dist::balanced, dist::balanced);
//     auto blocks = make_distribution({100, 80}, 6, team_spec<2>({2, 3}),     // as ScaLAPACK
//                                     dist::tile(32), dist::tile(32));
#pragma once

#include <acre/layout/composed.hpp>
#include <acre/layout/team_spec.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

namespace dist {

/// Equal blocks, one per part, the last ones shorter or empty.
struct blocked_t {};
inline constexpr blocked_t blocked{};
/// At most one block per part; sizes differ by at most 1.
struct balanced_t {};
inline constexpr balanced_t balanced{};
/// Single indices, round-robin over the parts.
struct cyclic_t {};
inline constexpr cyclic_t cyclic{};
/// The dimension is not distributed.
struct none_t {};
inline constexpr none_t none{};
/// Block-cyclic; a constant size, dist::fixed_tile<32>, divides faster.
struct tile {
  std::size_t size;
  constexpr explicit tile(std::size_t indices) noexcept : size(indices) {}
};
template <std::size_t Size>
struct fixed_tile_t {};
template <std::size_t Size>
inline constexpr fixed_tile_t<Size> fixed_tile{};
struct at {
  std::vector<std::size_t> places;  ///< block begins from 0 on, then the extent
  explicit at(std::vector<std::size_t> begins) : places(std::move(begins)) {}
};
/// One contiguous block per part; bounds minimise the largest sum of weights in a block.
struct weighed {
  std::vector<double> weights;  ///< one per index, from 0 to below 1e300
  explicit weighed(std::vector<double> of_indices) : weights(std::move(of_indices)) {}
};

}  // namespace dist

namespace layout {

/// Replaces zeros in `parts` by the grid of members with the least surface between boxes.
/// @param parts  undistributed dimensions have 1
/// @throws acre::error if given parts do not divide `members`
void find_parts(std::span<std::size_t> parts, std::span<const std::size_t> extents,
                member_t members);

/// @throws acre::error if `members` is 0, or the number of elements exceeds 2^63 - 1
void check_extents(std::span<const std::size_t> extents, member_t members);

/// @throws acre::error for 0, or above 2^63 - 1
void check_tile(std::size_t size);

/// @throws acre::error unless `places` do not decrease from 0 to `extent`, with at most `parts`
/// blocks
void check_places(std::span<const std::size_t> places, std::size_t extent, std::size_t parts);

/// Returns bounds that minimise the largest sum of weights in a block. Cost: up to 60 passes.
/// @throws acre::error for invalid weights, or not `extent` of them
[[nodiscard]] std::vector<std::size_t> places_by_weight(std::span<const double> weights,
                                                        std::size_t extent, std::size_t parts);

[[nodiscard]] inline blocked_cut make_cut(dist::blocked_t, std::size_t extent,
                                          std::size_t parts) noexcept {
  return {extent, parts};
}
[[nodiscard]] inline balanced_cut make_cut(dist::balanced_t, std::size_t extent,
                                           std::size_t parts) noexcept {
  return {extent, parts};
}
[[nodiscard]] inline tiled_cut<1> make_cut(dist::cyclic_t, std::size_t extent,
                                           std::size_t) noexcept {
  return tiled_cut<1>(extent);
}
[[nodiscard]] inline whole_cut make_cut(dist::none_t, std::size_t extent, std::size_t) noexcept {
  return whole_cut(extent);
}
[[nodiscard]] inline tiled_cut<> make_cut(dist::tile tile, std::size_t extent, std::size_t) {
  check_tile(tile.size);
  return {extent, tile.size};
}
template <std::size_t Size>
[[nodiscard]] tiled_cut<Size> make_cut(dist::fixed_tile_t<Size>, std::size_t extent,
                                       std::size_t) noexcept {
  return tiled_cut<Size>(extent);
}
[[nodiscard]] inline cut_at make_cut(const dist::at& said, std::size_t extent, std::size_t parts) {
  check_places(said.places, extent, parts);
  return cut_at(said.places);
}
[[nodiscard]] inline cut_at make_cut(const dist::weighed& said, std::size_t extent,
                                     std::size_t parts) {
  return cut_at(places_by_weight(said.weights, extent, parts));
}

template <class D>
concept distribution = requires(const D& d) {
  { make_cut(d, std::size_t{}, std::size_t{}) } -> cut;
};

template <distribution... Ds>
using distribution_type =
    composed<partition<decltype(make_cut(std::declval<const Ds&>(), 0, 0))...>, grid<sizeof...(Ds)>,
             canonical<row_major>>;

template <std::size_t N, class = std::make_index_sequence<N>>
struct boxes_of;
template <std::size_t N, std::size_t... D>
struct boxes_of<N, std::index_sequence<D...>> {
  using type = distribution_type<std::conditional_t<D == 0, dist::balanced_t, dist::balanced_t>...>;
};
/// Default pattern: one balanced box per member.
template <std::size_t N>
using boxes = typename boxes_of<N>::type;

}  // namespace layout

/// Returns a pattern of `extents` over a grid of `members`.
/// @throws acre::error for oversized extents, a mismatched grid, a tile of 0, or invalid bounds
template <layout::distribution... Ds>
[[nodiscard]] layout::distribution_type<Ds...> make_distribution(
    const layout::coordinates<sizeof...(Ds)>& extents, layout::member_t members,
    team_spec<sizeof...(Ds)> spec, const Ds&... how) {
  layout::check_extents(extents, members);
  constexpr std::array is_cut{!std::same_as<Ds, dist::none_t>...};
  for (std::size_t d = 0; d < sizeof...(Ds); ++d) {
    if (!is_cut[d] && spec.parts[d] == 0) spec.parts[d] = 1;
  }
  layout::find_parts(spec.parts, extents, members);
  const auto cuts = [&]<std::size_t... D>(std::index_sequence<D...>) {
    return layout::partition<decltype(layout::make_cut(how, 0, 0))...>(
        layout::make_cut(how, extents[D], spec.parts[D])...);
  }(std::index_sequence_for<Ds...>{});
  return {cuts, {cuts.blocks(), spec.parts}};
}
template <layout::distribution... Ds>
[[nodiscard]] layout::distribution_type<Ds...> make_distribution(
    const layout::coordinates<sizeof...(Ds)>& extents, layout::member_t members, const Ds&... how) {
  return make_distribution(extents, members, team_spec<sizeof...(Ds)>(), how...);
}

}  // namespace acre
