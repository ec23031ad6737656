// SPDX-License-Identifier: BSD-3-Clause
// Tags of a member: hashes of its part (global/wire/owned_hash.hpp), each once.
#pragma once

#include <acre/base/split_mix.hpp>
#include <acre/runtime/world.hpp>

#include <atomic>
#include <bit>
#include <cstdint>

namespace acre::container {

struct tag_hash {
  using is_avalanching = void;

  [[nodiscard]] constexpr std::uint64_t operator()(std::uint64_t tag) const noexcept { return tag; }
};

class own_tags {
 public:
  own_tags(rank_t member, rank_t members) noexcept
      : first_(first_hash_of(member, members)),
        mask_((std::uint64_t{1} << (members == 1 ? 63 : 64 - std::bit_width(members - 1U))) - 1) {}

  /// A tag that no call returned before. Any thread.
  [[nodiscard]] std::uint64_t next() noexcept {
    // The factor is odd, so that products modulo a power of two differ.
    return first_ + ((made_.fetch_add(1, std::memory_order_relaxed) * golden_gamma) & mask_);
  }

 private:
  /// Least hash of a member: member * 2^64 / members, rounded up.
  [[nodiscard]] static std::uint64_t first_hash_of(std::uint64_t member,
                                                   std::uint64_t members) noexcept {
    const std::uint64_t quotient = ~std::uint64_t{0} / members;
    const std::uint64_t rest = ~std::uint64_t{0} - quotient * members + 1;
    return member * quotient + (member * rest + members - 1) / members;
  }

  std::uint64_t first_;
  std::uint64_t mask_;  ///< bits of all tags of a member, at least half of its hashes
  std::atomic<std::uint64_t> made_{0};
};

}  // namespace acre::container
