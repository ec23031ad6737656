// SPDX-License-Identifier: BSD-3-Clause
// Forward declarations, types and constants of the fabric module.
#pragma once

#include <cstddef>
#include <cstdint>

namespace acre::fabric {

/// A process of the job, 0 … size-1.
using rank_t = std::uint32_t;

using word = std::uint64_t;

/// Number of a region, equal on all ranks.
using region_key = std::uint32_t;
inline constexpr region_key segment_region = 0;
/// Region of static data and segment, if ranks share static data.
inline constexpr region_key window_region = 1;
inline constexpr std::size_t region_count = 2;

class box;
class conduit;

/// Zero bytes at the `spare` of a put (direct_line.hpp).
inline constexpr std::size_t spare_zeros = 256;

}  // namespace acre::fabric
