// SPDX-License-Identifier: BSD-3-Clause
// Mapping by the command `acre map`, as a child process of one rank.
#pragma once

#include <acre/mapping/communication.hpp>
#include <acre/topology/allocation.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::global {

struct map_request {
  std::string topology{};            ///< file
  std::string nodes{};               ///< as --nodes; empty: `hosts`
  std::vector<std::string> hosts{};  ///< of each node
  std::vector<std::uint32_t> slots{};
  std::chrono::milliseconds time{};
};

struct mapped_by_command {
  std::vector<std::uint32_t> slots{};  ///< of each node
  std::vector<topology::slot_t> slot_of_rank{};
  double seconds = 0;
  double hop_bytes = 0;
};

/// The command is `acre` in PATH, or ACRE_TOOL, which `acre run` sets.
/// @throws acre::error with the command's own error, or if it does not end
[[nodiscard]] mapped_by_command map_by_command(const map_request& request,
                                               const mapping::communication& communication);

/// @throws acre::error unless the nodes have these slots, and all ranks different ones
void require_fit(const mapped_by_command& found, const std::vector<std::uint32_t>& slots,
                 std::size_t ranks);

/// Reads the output of `acre map --format json`.
/// @throws acre::error if a key is missing
[[nodiscard]] mapped_by_command mapped_from(const std::string& json);

}  // namespace acre::global
