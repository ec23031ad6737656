// SPDX-License-Identifier: BSD-3-Clause
// Patterns by the names that users know: what is said of each dimension, and a pattern is made.
//
//     using namespace acre;
//     // 100 x 80 elements over 6 members: a box for each, of two parts and three
//     auto boxes = make_distribution({100, 80}, 6, dist::balanced, dist::balanced);
//     // whole rows, dealt to the members in turn
//     auto rows = make_distribution({100, 80}, 6, dist::cyclic, dist::none);
//     // what ScaLAPACK has: blocks of 32 x 32, in turn in both dimensions
//     auto blocks = make_distribution({100, 80}, 6, team_spec<2>({2, 3}),
//                                     dist::tile(32), dist::tile(32));
//
// A member's elements are one array, row by row. Other mappings and orders: composed.hpp, and
// deduction.hpp, which finds them by their properties.
#pragma once

#include <acre/layout/composed.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

namespace dist {

/// As blocks of equal size, one for each part; the last are shorter, or none (blocked_cut).
struct blocked_t {};
inline constexpr blocked_t blocked{};
/// As blocks of which no two differ by more than 1 (balanced_cut).
struct balanced_t {};
inline constexpr balanced_t balanced{};
/// Each index to the next part.
struct cyclic_t {};
inline constexpr cyclic_t cyclic{};
/// Not cut: members have it as a whole.
struct none_t {};
inline constexpr none_t none{};
/// Blocks of so many indices, to the parts in turn; dist::fixed_tile<32> where the number is known
/// to the compiler, which divides faster then.
struct tile {
  std::size_t size;
  constexpr explicit tile(std::size_t indices) noexcept : size(indices) {}
};
template <std::size_t Size>
struct fixed_tile_t {};
template <std::size_t Size>
inline constexpr fixed_tile_t<Size> fixed_tile{};
/// A block for each part, that end where it is said.
struct at {
  std::vector<std::size_t> places;  ///< where blocks begin, from 0 on, and then the extent
  explicit at(std::vector<std::size_t> begins) : places(std::move(begins)) {}
};
/// A block for each part, so that the sums of what their indices weigh are as equal as they can be
/// without a part between two others.
struct weighed {
  std::vector<double> weights;  ///< of all indices, none negative
  explicit weighed(std::vector<double> of_indices) : weights(std::move(of_indices)) {}
};

}  // namespace dist

/// How many members stand beside each other in each dimension; 0 where that is to be found. They
/// are numbered by rows.
template <std::size_t N>
struct team_spec {
  layout::coordinates<N> parts{};

  /// All are to be found.
  constexpr team_spec() noexcept = default;
  constexpr explicit team_spec(const layout::coordinates<N>& members) noexcept : parts(members) {}
};

namespace layout {

/// Members put into a grid: the one whose boxes touch each other least, for the extents that are to
/// be cut. A dimension that has its number of parts keeps it.
/// @param parts  changed where it is 0; a dimension that nothing cuts has 1
/// @throws acre::error when the parts that are said do not divide the number of members
void find_parts(std::span<std::size_t> parts, std::span<const std::size_t> extents,
                member_t members);

/// @throws acre::error when an array with these extents has more elements than a std::size_t
/// counts, or there are no members
void check_extents(std::span<const std::size_t> extents, member_t members);

/// @throws acre::error when it is 0, or was a negative number
void check_tile(std::size_t size);

/// @throws acre::error when the places do not begin at 0, go back, do not end at the extent, or
/// make more blocks than there are parts
void check_places(std::span<const std::size_t> places, std::size_t extent, std::size_t parts);

/// Where blocks begin so that none weighs more than it must, and then the end. The least weight of
/// the heaviest block is found by bisection. Cost: the number of indices, some sixty times.
/// @throws acre::error when there are not as many weights as indices, or one is negative
[[nodiscard]] std::vector<std::size_t> places_by_weight(std::span<const double> weights,
                                                        std::size_t extent, std::size_t parts);

// --- the cut of a dimension that is said by a name ---------------------------------------

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

/// What can be said of a dimension.
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
/// A box for each member, no two of which differ by more than 1 in a dimension: what an array in N
/// dimensions has that asks for no other pattern.
template <std::size_t N>
using boxes = typename boxes_of<N>::type;

}  // namespace layout

/// A pattern of `extents`, over so many members in a grid.
/// @throws acre::error for extents that have no array, numbers of parts that do not fit the
///         members, a tile of 0, places that are none
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
