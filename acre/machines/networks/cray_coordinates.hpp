// SPDX-License-Identifier: BSD-3-Clause
// Torus of a Cray XT, XE or XK, from its nodes' coordinates (docs/topology.md). A table of an XC
// becomes its dragonfly.
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

#include <string_view>

namespace acre::machines {

/// True for a record of xtdb2proc: "cpu=1,slot=0,…,x_coord=0,…".
[[nodiscard]] bool is_processor_record(std::string_view line);

/// True for a heading with NID, X, Y and Z, or a place or node name followed by three numbers.
[[nodiscard]] bool is_coordinate_line(std::string_view line);

/// Reads the output of `xtdb2proc`.
/// @throws acre::error with the line: an incomplete record, a missing or invalid field, a duplicate
[[nodiscard]] described_network read_processor_table(const source_text& file);

/// Reads lines with a node name or number, optionally its place, and x, y and z, last or in the
/// columns of the heading.
/// @throws acre::error with the line: a missing coordinate, a duplicate
[[nodiscard]] described_network read_coordinate_table(const source_text& file);

}  // namespace acre::machines
