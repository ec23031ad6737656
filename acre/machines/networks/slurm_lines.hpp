// SPDX-License-Identifier: BSD-3-Clause
// Splits topology.conf into lines of NAME=VALUE, continued by a backslash.
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
  std::vector<slurm_attribute> attributes;
};

/// @throws acre::error with the malformed line
[[nodiscard]] std::vector<slurm_line> slurm_lines(const source_text& file);

[[noreturn]] void fail_slurm_attribute(const source_text& file, const slurm_line& line,
                                       const std::string& name);

[[nodiscard]] described_network network_of_switches(const source_text& file,
                                                    std::span<const slurm_line> lines);
[[nodiscard]] described_network network_of_blocks(const source_text& file,
                                                  std::span<const slurm_line> lines);
[[nodiscard]] described_network network_of_rings(const source_text& file,
                                                 std::span<const slurm_line> lines);
/// Torus of named nodes, the first coordinate fastest.
[[nodiscard]] described_network network_of_grid(const source_text& file, std::size_t line,
                                                std::span<const std::uint32_t> extents,
                                                std::vector<std::string> names);

}  // namespace acre::machines
