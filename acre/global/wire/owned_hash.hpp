// SPDX-License-Identifier: BSD-3-Clause
// Whose a hash is, where a team spreads things by their hashes: each member owns an equal
// stretch of them. Containers of one team and one hash function agree on it.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/runtime/world.hpp>

#include <cstdint>

namespace acre::global {

/// A hash, once its owner is known.
struct owned_hash {
  rank_t owner;            ///< a member of the team
  std::uint64_t fraction;  ///< where it is in the owner's stretch: of 2^64
};

/// The owner is floor(hash × parts): it does not depend on how much any part holds.
[[nodiscard]] inline owned_hash locate(std::uint64_t hash, std::uint64_t parts) noexcept {
  const base::scaled place = base::scale(hash, parts);
  return {.owner = static_cast<rank_t>(place.whole), .fraction = place.fraction};
}

}  // namespace acre::global
