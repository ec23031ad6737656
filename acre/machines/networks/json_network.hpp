// SPDX-License-Identifier: BSD-3-Clause
// Reads Acre's machine description in JSON, a named network or a graph:
//
//   {"network": "torus:8x8x6", "nodes": "n[001-384]"}
//
//   {"nodes": "n[0-3]", "switches": ["s0", "s1"],
//    "links": [{"from": "n[0-1]", "to": "s0", "bandwidth": 12.5}],
//    "allocation": [{"nodes": "n[0-2]", "slots": 24}, {"nodes": "n3", "slots": 12}]}
//
// A link joins each of `from` with each of `to`, by default with one cable of 10 GB/s.
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// @throws acre::error with the line: an unknown key or end of a link, a wrong number of names
[[nodiscard]] described_network read_json_network(const source_text& file);

}  // namespace acre::machines
