// SPDX-License-Identifier: BSD-3-Clause
// Reads Acre's machine description in JSON, a named network or a graph (docs/topology.md).
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// @throws acre::error with the line: an unknown key or end of a link, a wrong number of names
[[nodiscard]] described_network read_json_network(const source_text& file);

}  // namespace acre::machines
