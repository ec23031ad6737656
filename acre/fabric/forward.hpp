// SPDX-License-Identifier: BSD-3-Clause
// The names of this room for headers that need no more of it: what ranks and words of
// messages are called, and that there are boxes and a conduit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace acre::fabric {

/// A process of the job, 0 … size-1. It is also the process's fabric address.
using rank_t = std::uint32_t;

/// One argument of an active message.
using word = std::uint64_t;

/// The name under which a region is registered, the same on all ranks.
using region_key = std::uint32_t;
inline constexpr region_key segment_region = 0;
/// A rank's static data and its segment, where programs share the former.
inline constexpr region_key window_region = 1;
inline constexpr std::size_t region_count = 2;

class box;
class conduit;

/// How many bytes of zeros lie where a spare of a put points (direct_line.hpp).
inline constexpr std::size_t spare_zeros = 256;

}  // namespace acre::fabric
