// SPDX-License-Identifier: BSD-3-Clause
// Moves of elements that equalise their numbers.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

#include <cstdint>
#include <typeinfo>
#include <vector>

namespace acre::container {

/// Numbers of elements that move from `member` to each; empty if no member's move.
[[nodiscard]] std::vector<std::uint64_t> moves_from(std::uint64_t member,
                                                    const std::vector<std::uint64_t>& counts);

/// moves_from() this member. Collective. Cost: 1 allgather.
/// @throws acre::error on all members if they make different calls
[[nodiscard]] std::vector<std::uint64_t> moves_from_here(const team& members, std::uint64_t count,
                                                         const std::type_info& type,
                                                         const site& where);

[[noreturn]] void throw_changed_bag();

}  // namespace acre::container
