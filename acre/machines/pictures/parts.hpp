// SPDX-License-Identifier: BSD-3-Clause
// The parts of the page that picture.hpp describes: each draws into a box of a
// canvas.
#pragma once

#include <acre/machines/pictures/canvas.hpp>
#include <acre/machines/pictures/floor_plan.hpp>
#include <acre/machines/pictures/link_kinds.hpp>
#include <acre/mapping/structured.hpp>

#include <span>
#include <string>
#include <vector>

namespace acre::machines {

/// The nodes of the machine, with the colours of the ranks in their slots. Slots too small to be
/// seen make way for the first rank of their node.
/// @param node_names above the slots of the job's nodes, where there is room for all of them
void draw_ranks(canvas& page, point at, const mapping::problem& given,
                const mapping::placement& places, const floor_plan& plan,
                std::span<const std::string> node_names);

/// What the colours of a grid's ranks mean: a strip for each dimension.
void draw_rank_legend(canvas& page, point at, std::span<const std::uint32_t> extents);

/// Seconds that each link needs for a round of the communication.
[[nodiscard]] std::vector<double> link_loads(const mapping::problem& given,
                                             const mapping::placement& places);

/// Whether draw_link_map() can show this network's links: a torus or mesh of two or three
/// dimensions, large enough on the page.
[[nodiscard]] bool has_link_map(const mapping::machine& where, const floor_plan& plan);

/// Each link of a torus between its ends, both ways beside each other; those of the third dimension
/// in the nodes, up on the left and down on the right.
void draw_link_map(canvas& page, point at, const mapping::machine& where,
                   std::span<const double> loads, double most, const floor_plan& plan);

/// The strip of colours that loads have.
void draw_load_legend(canvas& page, point at, double most);

/// The height that draw_link_profile() needs.
[[nodiscard]] double link_profile_height(std::size_t kinds);

/// The links of each kind, the busiest first: as high as their load.
void draw_link_profile(canvas& page, const box& area, std::span<const link_kind> kinds,
                       std::span<const double> loads, double most);

/// The bytes that cross no link, one, two, ….
void draw_hops(canvas& page, const box& area, const mapping::metrics& before,
               const mapping::metrics& after);

}  // namespace acre::machines
