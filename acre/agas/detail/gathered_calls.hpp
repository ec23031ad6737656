// SPDX-License-Identifier: BSD-3-Clause
// Batches calls to objects on other nodes: a network message costs as much as many calls of 80
// bytes. With ACRE_OBJECT_BATCH=4K, a batch is sent at 4 KiB, at the next call after 1 ms, or when
// this rank polls or waits.
#pragma once

#include <acre/agas/detail/parcel.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>

namespace acre::agas {

/// Maximum size of a batch; 0: no batches.
extern constinit std::size_t most_gathered_bytes;

/// Adds a parcel to a batch; runs no user code.
/// @return false if it must be sent alone
[[nodiscard]] bool gather(rank_t target, parcel_bytes parcel);

[[nodiscard]] inline bool gathers() noexcept { return most_gathered_bytes != 0; }

void gather_calls(std::size_t bytes) noexcept;

void start_gathering();
void stop_gathering() noexcept;

}  // namespace acre::agas
