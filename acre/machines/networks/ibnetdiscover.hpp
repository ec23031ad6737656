// SPDX-License-Identifier: BSD-3-Clause
// What `ibnetdiscover` prints of an InfiniBand fabric: each switch and each host
// adapter, and for each of their ports what it is joined to.
//
// Adapters become nodes, switches and routers switches of a graph. A node is
// called by the first word of its adapter's description ("node07 HCA-1",
// "node07 mlx5_0"); adapters with the name of one host are one node with several
// cables. That is decided of each adapter: one whose description names no host
// ("MT4119 ConnectX5 Mellanox Technologies", "localhost mlx5_0"), or which is
// described word for word as another one, is a node called by its GUID. Both are
// said in warnings. The aggregation units inside of switches are left out. A cable
// carries what its width and speed come to ("4xEDR": 12.5 GB/s); groups are those
// of the switches.
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// @throws acre::error that names the line: a port that leads to what the file does not describe,
/// a device that comes twice, an unknown speed, nodes that nothing joins
[[nodiscard]] described_network read_ibnetdiscover(const source_text& file);

}  // namespace acre::machines
