// SPDX-License-Identifier: BSD-3-Clause
// Result of a mesh, equal for any placement of its nodes; computed by one process.
#pragma once

#include <acre/base/bits.hpp>

#include <apps/amr/serial_mesh.hpp>

#include <bit>
#include <cstdint>

namespace acre::amr {

struct outcome {
  totals all;
  std::uint64_t fingerprint = 0;
  friend bool operator==(const outcome&, const outcome&) = default;
};

inline outcome serial_outcome(const problem& given, std::uint32_t steps) {
  serial_mesh mesh(given);
  mesh.advance(steps);
  outcome of{mesh.measure(), 0};
  for (const auto& [key, each] : mesh.nodes()) {
    std::uint64_t of_node = key;
    for (const double cell : each.cells()) {
      of_node = mix_bits(of_node ^ std::bit_cast<std::uint64_t>(cell));
    }
    of.fingerprint += mix_bits(of_node);
  }
  return of;
}

}  // namespace acre::amr
