// SPDX-License-Identifier: BSD-3-Clause
// Where the nodes of a Cray EX stand, which Slingshot joins: "x1000c3s7b1n0" is
// node 0 of board 1 of the blade in slot 7 of chassis 3 of cabinet 1000.
//
// Names say where a node stands, and not how it is cabled. So it is assumed, with a
// warning: a cabinet is a group of a dragonfly, the switches of a chassis are one
// router of it, which all nodes of the chassis have a link to. A node's link
// carries 25 GB/s, that between two chassis sixteen times as much (four switches
// of each, all joined), that between two cabinets four times as much.
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace acre::machines {

struct slingshot_place {
  std::uint32_t cabinet;
  std::uint32_t chassis;
  std::uint32_t slot;
  std::uint32_t board;
  std::uint32_t node;
  friend auto operator<=>(const slingshot_place&, const slingshot_place&) = default;
};

/// Nothing when the text is no such place.
[[nodiscard]] std::optional<slingshot_place> as_slingshot_place(std::string_view text);

/// Reads a table of nodes: lines with a place, and with the node's name ("nid001000") or number. A
/// line with nothing but a place names the node by it. Lines of switches, blades and controllers
/// (x1000c3r1b0) are left out, with a warning. Nodes are numbered by their places.
/// @throws acre::error that names the line: no place, a place or a name that comes twice
[[nodiscard]] described_network read_slingshot_table(const source_text& file);

}  // namespace acre::machines
