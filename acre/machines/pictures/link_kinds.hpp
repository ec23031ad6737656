// SPDX-License-Identifier: BSD-3-Clause
// Links sorted by their kind: the dimensions of a torus, the levels of a tree, the
// blades, chassis and groups of a dragonfly.
//
// The kind is what the link's name says without the numbers that tell links of one
// kind apart: "(3,0,1) +y" is of kind "y", "level 1 switch 3 up 0" of "level 1 switch up".
#pragma once

#include <acre/topology/network.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace acre::machines {

/// What a name of network::link_name() says of the kind.
[[nodiscard]] std::string kind_of_link(std::string_view link_name);

/// Whether there is such a link: a mesh numbers links across its borders, but has none.
[[nodiscard]] bool is_there(const topology::network& network, topology::link_t link);

struct link_kind {
  std::string name;
  std::vector<topology::link_t> links;
};

/// All kinds, in the order of their first links, without links that are not there. O(links).
[[nodiscard]] std::vector<link_kind> link_kinds(const topology::network& network);

}  // namespace acre::machines
