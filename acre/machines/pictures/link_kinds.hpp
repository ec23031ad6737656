// SPDX-License-Identifier: BSD-3-Clause
// Groups links by name without numbers: "(3,0,1) +y" is "y", "level 1 switch 3 up 0" is "level 1
// switch up".
#pragma once

#include <acre/topology/network.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace acre::machines {

[[nodiscard]] std::string kind_of_link(std::string_view link_name);

/// False for links across a mesh's borders, which have numbers only.
[[nodiscard]] bool is_there(const topology::network& network, topology::link_t link);

struct link_kind {
  std::string name;
  std::vector<topology::link_t> links;
};

/// Kinds in order of their first links. O(links).
[[nodiscard]] std::vector<link_kind> link_kinds(const topology::network& network);

}  // namespace acre::machines
