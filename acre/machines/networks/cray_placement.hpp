// SPDX-License-Identifier: BSD-3-Clause
// Where the nodes of a Cray XC stand: "c11-2c0s15n3" is node 3 of the blade in
// slot 15 of chassis 0 of the cabinet in column 11 of row 2.
//
// Two cabinets of a row (columns 0 and 1, 2 and 3, …) are a group of a dragonfly,
// of three chassis each, sixteen blades a chassis, four nodes a blade. The network
// is the smallest such dragonfly with all nodes of the table. Links carry what
// Aries's do: 10 GB/s to a node, 5.25 between blades of a chassis, 3 times that
// between chassis; between two groups, what sites choose, four cables of 4.7 are
// assumed.
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace acre::machines {

struct cray_place {
  std::uint32_t column;
  std::uint32_t row;
  std::uint32_t chassis;  ///< of the cabinet: 0 … 2
  std::uint32_t slot;     ///< 0 … 15
  std::uint32_t node;     ///< 0 … 3
};

/// Nothing when the text is no such place.
[[nodiscard]] std::optional<cray_place> as_cray_place(std::string_view text);

/// Reads a table of nodes: lines with a place, and with the node's name ("nid00012") or number.
/// So do `xtprocadmin` and files of two columns have them; a heading that begins with NID is left
/// out. A line with nothing but a place names the node by it.
/// @throws acre::error that names the line: no place, a place or a name that comes twice
[[nodiscard]] described_network read_cray_table(const source_text& file);

}  // namespace acre::machines
