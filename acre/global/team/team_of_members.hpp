// SPDX-License-Identifier: BSD-3-Clause
// Teams created without communication: active sets of C interfaces.
#pragma once

#include <acre/global/team/team.hpp>

#include <cstdint>
#include <vector>

namespace acre::global {

/// Makes a team of `world_ranks`, all of which call this with equal arguments. `number` is unique
/// among teams with the same first member.
[[nodiscard]] team team_of_members(std::vector<rank_t> world_ranks, std::uint32_t number);

/// Number of the team of `size` ranks at stride 2^log_stride; unique among such teams with the same
/// first member.
[[nodiscard]] constexpr std::uint32_t number_of_known_team(unsigned log_stride,
                                                           rank_t size) noexcept {
  constexpr std::uint32_t known = std::uint32_t{1} << 27;
  return known | log_stride << 21 | size;
}

}  // namespace acre::global
