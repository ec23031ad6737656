// SPDX-License-Identifier: BSD-3-Clause
// What Slurm says of a network: the files topology.conf and topology.yaml, and
// the addresses that it gives to the tasks of a job.
//
// | line                                       | means                                     |
// |--------------------------------------------|-------------------------------------------|
// | SwitchName=s0 Nodes=n[01-16] LinkSpeed=25  | a leaf; GB/s to what is below, usual: 10  |
// | SwitchName=s4 Switches=s[0-3]              | a switch above others                     |
// | BlockName=b0 Nodes=n[01-18]                | a block of nodes                          |
// | BlockSizes=16,64                           | four blocks next to each other are one    |
// | RingName=r0 Nodes=n[01-08]                 | a ring                                    |
// | n01 s4.s0.n01                              | SLURM_TOPOLOGY_ADDR of a node             |
// | s4.s0.n01 switch.switch.node               | the same, with its pattern                |
//
// Switches and nodes below several others make a graph, all else makes a tree.
// Slurm gives LinkSpeed no unit and does not use it: here it is that of the
// cables between the switch and what its line names. Slurm takes machines whose
// parts nothing joins: here a switch above them is assumed, with a warning.
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// Reads topology.conf, of the tree, the block or the ring plugin.
/// @throws acre::error that names the line: a switch below itself, a switch named twice, a node in
/// two blocks, a switch that is not there, an attribute that is none, more than 2^20 nodes
[[nodiscard]] described_network read_slurm_topology(const source_text& file);

/// Reads topology.yaml: of its topologies the default one, of the plugins tree, block, ring or
/// torus3d.
/// @throws acre::error as above, and when several tori or rings are not joined
[[nodiscard]] described_network read_slurm_yaml(const source_text& file);

/// Reads a list of addresses, a line each: `srun sh -c 'echo $SLURM_TOPOLOGY_ADDR
/// $SLURM_TOPOLOGY_ADDR_PATTERN'` prints one. A line that comes again says nothing new.
/// @throws acre::error that names the line: an address without switches, one node in two places
[[nodiscard]] described_network read_slurm_addresses(const source_text& file);

}  // namespace acre::machines
