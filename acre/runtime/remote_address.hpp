// SPDX-License-Identifier: BSD-3-Clause
// Remote memory locations in the network's terms.
#pragma once

#include <acre/fabric/conduit.hpp>
#include <acre/runtime/world.hpp>

#include <cstdint>

namespace acre::runtime {

/// Location in a region of a rank.
struct remote_address {
  rank_t rank;
  fabric::region_key region;
  std::uint64_t offset;

  constexpr remote_address(rank_t its_rank, fabric::region_key its_region,
                           std::uint64_t its_offset) noexcept
      : rank(its_rank), region(its_region), offset(its_offset) {}
  /// In a segment, from global pointer bits.
  constexpr remote_address(std::uint64_t pointer_bits) noexcept
      : remote_address(static_cast<rank_t>(pointer_bits >> offset_bits), fabric::segment_region,
                       pointer_bits & offset_mask) {}
};

}  // namespace acre::runtime
