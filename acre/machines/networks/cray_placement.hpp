// SPDX-License-Identifier: BSD-3-Clause
// Dragonfly of a Cray XC, from node positions (docs/topology.md).
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/name_numbers.hpp>
#include <acre/machines/networks/source_text.hpp>
#include <acre/topology/dragonfly.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// Collects nodes of a Cray XC, and makes the smallest dragonfly that contains them.
class cray_cabinets {
 public:
  explicit cray_cabinets(const source_text& file);

  /// @throws acre::error with the line: an impossible position, a duplicate
  void add(std::size_t line, const cray_place& place, const std::string& place_name,
           const std::string& node_name);

  /// @throws acre::error without nodes, or for more than 2^20 of them
  [[nodiscard]] described_network result();

 private:
  struct seat {
    std::array<std::uint32_t, 2> group;
    std::uint32_t chassis;
    std::uint32_t slot;
    std::uint32_t node;
  };
  static seat seat_of(const cray_place& place);

  const source_text* file_;
  name_numbers names_;
  name_numbers places_;
  std::vector<seat> seats_;
  std::map<std::array<std::uint32_t, 2>, std::uint32_t> groups_;
  topology::dragonfly::shape form_;
};

/// Reads lines with a position, the default name, and a node name ("nid00012") or number, as of
/// `xtprocadmin`.
/// @throws acre::error with the line: no position, a duplicate
[[nodiscard]] described_network read_cray_table(const source_text& file);

}  // namespace acre::machines
