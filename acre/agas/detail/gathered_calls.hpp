// SPDX-License-Identifier: BSD-3-Clause
// Calls of objects on other nodes that go together in one message, where the program wants that.
//
// A call is some eighty bytes, and a message through a network costs as much as many of them. With
// ACRE_OBJECT_BATCH=4K this rank gathers its calls to each rank until so many bytes are there, or
// the first of them has waited for a millisecond when the next is made, or this rank makes progress
// or waits. They count as under way meanwhile. At the target each of them is a request as any
// other: what one waits for may be behind it. To neighbours a message costs hardly more than a call
// among others would. Answers come back in the same way (global/gathered_answers.hpp).
#pragma once

#include <acre/agas/detail/parcel.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>

namespace acre::agas {

/// Bytes that are gathered for one rank; 0: calls are sent one by one.
extern constinit std::size_t most_gathered_bytes;

/// Sends a parcel, which has its number, with others or after them. No code of users runs
/// meanwhile.
/// @return false: it is to be sent by itself
[[nodiscard]] bool gather(rank_t target, parcel_bytes parcel);

[[nodiscard]] inline bool gathers() noexcept { return most_gathered_bytes != 0; }

/// @param bytes  as much as a message holds where that is less
void gather_calls(std::size_t bytes) noexcept;

/// When the job starts, and when it has ended.
void start_gathering();
void stop_gathering() noexcept;

}  // namespace acre::agas
