// SPDX-License-Identifier: BSD-3-Clause
// Draws the parts of a page (picture.hpp).
#pragma once

#include <acre/machines/pictures/canvas.hpp>
#include <acre/machines/pictures/floor_plan.hpp>
#include <acre/machines/pictures/link_kinds.hpp>
#include <acre/mapping/structured.hpp>

#include <span>
#include <string>
#include <vector>

namespace acre::machines {

/// Draws nodes and their slots in the colours of their ranks; if slots are too small, in that of
/// the node's first rank.
/// @param node_names drawn if all fit
void draw_ranks(canvas& page, point at, const mapping::problem& given,
                const mapping::placement& places, const floor_plan& plan,
                std::span<const std::string> node_names);

void draw_rank_legend(canvas& page, point at, std::span<const std::uint32_t> extents);

/// Seconds per link for a round of the communication.
[[nodiscard]] std::vector<double> link_loads(const mapping::problem& given,
                                             const mapping::placement& places);

/// True for a torus or mesh of 2 or 3 dimensions, drawn large enough.
[[nodiscard]] bool has_link_map(const mapping::machine& where, const floor_plan& plan);

/// Draws each link between its ends; third dimension: inside the nodes.
void draw_link_map(canvas& page, point at, const mapping::machine& where,
                   std::span<const double> loads, double most, const floor_plan& plan);

void draw_load_legend(canvas& page, point at, double most);

[[nodiscard]] double link_profile_height(std::size_t kinds);

/// Draws the loads of each kind in descending order.
void draw_link_profile(canvas& page, const box& area, std::span<const link_kind> kinds,
                       std::span<const double> loads, double most);

void draw_hops(canvas& page, const box& area, const mapping::metrics& before,
               const mapping::metrics& after);

}  // namespace acre::machines
