// SPDX-License-Identifier: BSD-3-Clause
// The objects of this rank at which parcels wait, in the order in which object_watch.hpp looks at
// them.
#pragma once

#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/detail/parcel.hpp>

#include <atomic>
#include <cstdint>

namespace acre::agas {

/// Whether object_space::watched may hold an object. Any thread that adds an object, or finds none,
/// writes it under the lock of the space; a thread that reads it without the lock sees it late at
/// worst, and looks again.
extern constinit std::atomic<bool> has_watched;

/// Nanoseconds until a parcel that waits is looked at for the first time.
inline constexpr std::int64_t first_look = 10'000'000;

/// A parcel has begun to wait at the object. Under the lock of the space.
void watch(hosted_object& object, const parcel_header& waits);

/// Whether a parcel that waits may well wait for what waits for it.
[[nodiscard]] bool is_likely_cycle(const hosted_object& object, const parcel_header& waits);

}  // namespace acre::agas
