// SPDX-License-Identifier: BSD-3-Clause
// Partition of hashes: each team member owns an equal range. Containers with equal team and hash
// function have equal owners.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/runtime/world.hpp>

#include <cstdint>

namespace acre::global {

struct owned_hash {
  rank_t owner;
  std::uint64_t fraction;  ///< of 2^64
};

/// Part number and remainder of hash × parts / 2^64.
[[nodiscard]] inline owned_hash locate(std::uint64_t hash, std::uint64_t parts) noexcept {
  const base::scaled place = base::scale(hash, parts);
  return {.owner = static_cast<rank_t>(place.whole), .fraction = place.fraction};
}

}  // namespace acre::global
