// SPDX-License-Identifier: BSD-3-Clause
// Objects of this rank with waiting parcels, in the order in which object_watch.hpp checks them.
#pragma once

#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/detail/parcel.hpp>

#include <atomic>
#include <cstdint>

namespace acre::agas {

/// False only if object_space::watched is empty. Written under the lock of the space; unlocked
/// readers may see it late, and poll.
extern constinit std::atomic<bool> has_watched;

inline constexpr std::int64_t first_look = 10'000'000;

/// Called with the lock of the space held.
void watch(hosted_object& object, const parcel_header& waits);

[[nodiscard]] bool is_likely_cycle(const hosted_object& object, const parcel_header& waits);

}  // namespace acre::agas
