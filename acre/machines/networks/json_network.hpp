// SPDX-License-Identifier: BSD-3-Clause
// Acre's own description of a machine, in JSON:
//
//   {"network": "torus:8x8x6", "nodes": "n[001-384]"}
//
//   {"nodes": "n[0-3]", "switches": ["s0", "s1"],
//    "links": [{"from": "n[0-1]", "to": "s0", "bandwidth": 12.5},
//              {"from": "n[2-3]", "to": "s1", "bandwidth": 12.5},
//              {"from": "s0", "to": "s1", "bandwidth": 25, "cables": 2}],
//    "allocation": [{"nodes": "n[0-2]", "slots": 24}, {"nodes": "n3", "slots": 12}]}
//
// A network in a word, or a graph: a link joins each of what is named by `from`
// with each of what is named by `to`, with one cable of 10 GB/s unless it says
// otherwise. The allocation may be left out; job_nodes.hpp reads it.
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// @throws acre::error that names the line: a key that is none, a link to what is not there, more
/// or fewer names than the network has nodes
[[nodiscard]] described_network read_json_network(const source_text& file);

}  // namespace acre::machines
