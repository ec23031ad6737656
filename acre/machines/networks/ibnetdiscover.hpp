// SPDX-License-Identifier: BSD-3-Clause
// Reads an InfiniBand fabric from `ibnetdiscover`, as a graph of adapters and switches
// (docs/topology.md).
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// @throws acre::error with the line: an unknown peer or speed, a duplicate, unconnected nodes
[[nodiscard]] described_network read_ibnetdiscover(const source_text& file);

}  // namespace acre::machines
