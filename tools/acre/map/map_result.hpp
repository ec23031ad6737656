// SPDX-License-Identifier: BSD-3-Clause
// The problem, all mappings and the chosen one of `acre map`.
#pragma once

#include "machine_source.hpp"
#include <acre/mapping/automatic.hpp>

#include <span>

namespace acre::tool {

/// Holds references.
struct map_result {
  const mapping::problem& given;
  const described_machine& machine;
  std::span<const mapping::candidate> all;  ///< best first
  const mapping::candidate& chosen;
  std::span<const std::uint32_t> inside;  ///< cores per level; empty: nodes are undivided
};

}  // namespace acre::tool
