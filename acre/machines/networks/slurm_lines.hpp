// SPDX-License-Identifier: BSD-3-Clause
// The lines of topology.conf, and the kinds of machines that they describe.
//
// A line is a list of NAME=VALUE; a backslash at its end joins it with the next.
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

#include <span>
#include <string>
#include <vector>

namespace acre::machines {

struct slurm_attribute {
  std::string name;
  std::string value;
};

struct slurm_line {
  std::size_t number;
  std::vector<slurm_attribute> attributes;  ///< one at least
};

/// @throws acre::error that names the line with something else than NAME=VALUE
[[nodiscard]] std::vector<slurm_line> slurm_lines(const source_text& file);

/// @throws acre::error "'Speed' is no attribute of such a line"
[[noreturn]] void fail_slurm_attribute(const source_text& file, const slurm_line& line,
                                       const std::string& name);

/// Makes a network of switches, of blocks, and of a ring, as read_slurm_topology() does.
[[nodiscard]] described_network network_of_switches(const source_text& file,
                                                    std::span<const slurm_line> lines);
[[nodiscard]] described_network network_of_blocks(const source_text& file,
                                                  std::span<const slurm_line> lines);
[[nodiscard]] described_network network_of_rings(const source_text& file,
                                                 std::span<const slurm_line> lines);
/// A torus whose nodes are called so, the first coordinate fastest.
[[nodiscard]] described_network network_of_grid(const source_text& file, std::size_t line,
                                                std::span<const std::uint32_t> extents,
                                                std::vector<std::string> names);

}  // namespace acre::machines
