// SPDX-License-Identifier: BSD-3-Clause
// A count in the memory of a member that may sleep until it changes.
#pragma once

#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/team/team.hpp>

#include <cstdint>

namespace acre::global {

/// In a count: a member has left by an exception, and adds nothing any more.
inline constexpr std::uint64_t left_bit = std::uint64_t{1} << 63;

/// Adds to a member's count and wakes the member. Complete after quiet(); sums do not depend on the
/// order in which they come. Cost: A.
void add_and_wake(const team& members, rank_t member, global_ptr<std::uint64_t> count,
                  std::uint64_t amount);
/// Wakes the member whose count has changed. Across nodes the message that changes it does.
void wake_owner(const team& members, rank_t member, global_ptr<std::uint64_t> count);
/// Sets left_bit in it. For destructors: where the network is lost, nobody waits for it.
void say_that_one_has_left(const team& members, rank_t member,
                           global_ptr<std::uint64_t> count) noexcept;
/// @param call  "event::wait"
[[noreturn]] void throw_has_left(const char* call, const char* who);

}  // namespace acre::global
