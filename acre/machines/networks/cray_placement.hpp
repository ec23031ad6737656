// SPDX-License-Identifier: BSD-3-Clause
// Dragonfly of a Cray XC, from node positions (docs/topology.md).
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace acre::machines {

struct cray_place {
  std::uint32_t column;
  std::uint32_t row;
  std::uint32_t chassis;
  std::uint32_t slot;
  std::uint32_t node;
};

/// Empty if malformed.
[[nodiscard]] std::optional<cray_place> as_cray_place(std::string_view text);

/// Reads lines with a position and a node name ("nid00012") or number, as `xtprocadmin` prints
/// them. A position is also the default name.
/// @throws acre::error with the line: no position, a duplicate
[[nodiscard]] described_network read_cray_table(const source_text& file);

}  // namespace acre::machines
