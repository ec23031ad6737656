// SPDX-License-Identifier: BSD-3-Clause
// Counter on which its owner may sleep.
#pragma once

#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/team/team.hpp>

#include <cstdint>

namespace acre::global {

inline constexpr std::uint64_t left_bit = std::uint64_t{1} << 63;

/// Complete after quiet(). Cost: A.
void add_and_wake(const team& members, rank_t member, global_ptr<std::uint64_t> count,
                  std::uint64_t amount);
/// Wakes the owner; across nodes the message itself wakes it.
void wake_owner(const team& members, rank_t member, global_ptr<std::uint64_t> count);
/// Sets left_bit. For destructors: ignores failures.
void say_that_one_has_left(const team& members, rank_t member,
                           global_ptr<std::uint64_t> count) noexcept;
[[noreturn]] void throw_has_left(const char* call, const char* who);

}  // namespace acre::global
