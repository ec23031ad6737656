// SPDX-License-Identifier: BSD-3-Clause
// Teams of ranks that all know, without asking each other, that they make one now: the active
// sets of C interfaces.
#pragma once

#include <acre/global/team/team.hpp>

#include <cstdint>
#include <vector>

namespace acre::global {

/// A team of these world ranks, which all know that they make it now, with a number that they
/// know too. For those whose sets of ranks say themselves who is in them.
[[nodiscard]] team team_of_members(std::vector<rank_t> world_ranks, std::uint32_t number);

/// The number of the team of `size` ranks that are 2^log_stride apart: the same whoever asks, and
/// given to no other team with the same first member.
[[nodiscard]] constexpr std::uint32_t number_of_known_team(unsigned log_stride,
                                                           rank_t size) noexcept {
  constexpr std::uint32_t known = std::uint32_t{1} << 27;
  return known | log_stride << 21 | size;
}

}  // namespace acre::global
