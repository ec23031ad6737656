// SPDX-License-Identifier: BSD-3-Clause
// The objects of this rank at which parcels wait, in the order in which object_watch.hpp looks at
// them.
#pragma once

#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/detail/parcel.hpp>

#include <atomic>
#include <cstdint>

namespace acre::agas {

/// False only if object_space::watched is empty. Written under the lock of the space; unlocked
/// readers may see it late, and poll.
extern constinit std::atomic<bool> has_watched;

/// In nanoseconds.
inline constexpr std::int64_t first_look = 10'000'000;

/// Under the lock of the space.
void watch(hosted_object& object, const parcel_header& waits);

[[nodiscard]] bool is_likely_cycle(const hosted_object& object, const parcel_header& waits);

}  // namespace acre::agas
