// SPDX-License-Identifier: BSD-3-Clause
// Grids of members in which each node's members form a box.
#pragma once

#include <acre/layout/pattern.hpp>

#include <cstddef>
#include <span>

namespace acre {

/// Number of members of each node. Members are numbered node by node, as launchers do.
struct node_members {
  layout::member_t number;

  constexpr explicit node_members(layout::member_t of_each) noexcept : number(of_each) {}
};

namespace layout {

/// True if the members of each node form equal boxes of a grid numbered by rows.
[[nodiscard]] bool is_node_balanced(std::span<const std::size_t> parts, node_members nodes);

/// Replaces zeros in `parts` by the node-balanced grid with the least surface between boxes.
/// @throws acre::error if given parts do not divide `members`, or no grid is node-balanced
void find_parts(std::span<std::size_t> parts, std::span<const std::size_t> extents,
                member_t members, node_members nodes);

}  // namespace layout
}  // namespace acre
