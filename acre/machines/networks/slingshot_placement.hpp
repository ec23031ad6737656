// SPDX-License-Identifier: BSD-3-Clause
// Dragonfly of a Cray EX (Slingshot), from node positions (docs/topology.md).
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace acre::machines {

struct slingshot_place {
  std::uint32_t cabinet;
  std::uint32_t chassis;
  std::uint32_t slot;
  std::uint32_t board;
  std::uint32_t node;
  friend auto operator<=>(const slingshot_place&, const slingshot_place&) = default;
};

/// Empty if malformed.
[[nodiscard]] std::optional<slingshot_place> as_slingshot_place(std::string_view text);

/// Reads lines with a position, the default name, and a node name ("nid001000") or number. Nodes
/// are numbered by position.
/// @throws acre::error with the line: no position, a duplicate
[[nodiscard]] described_network read_slingshot_table(const source_text& file);

}  // namespace acre::machines
