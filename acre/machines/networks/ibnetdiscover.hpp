// SPDX-License-Identifier: BSD-3-Clause
// Reads an InfiniBand fabric from `ibnetdiscover`, as a graph of nodes (adapters) and switches.
//
// A node is named by the host in its adapter's description ("node07 HCA-1"); adapters of one host
// are one node with several cables. An adapter without a host, or with a duplicate description, is
// a node named by its GUID, with a warning. Aggregation units are skipped. Bandwidth is width times
// speed ("4xEDR": 12.5 GB/s).
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// @throws acre::error with the line: an unknown peer or speed, a duplicate, unconnected nodes
[[nodiscard]] described_network read_ibnetdiscover(const source_text& file);

}  // namespace acre::machines
