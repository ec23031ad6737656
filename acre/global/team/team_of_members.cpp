// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/team_of_members.hpp>

#include <utility>

namespace acre::global {

team team_of_members(std::vector<rank_t> world_ranks, std::uint32_t number) {
  return team_maker::make(std::move(world_ranks), number);
}

}  // namespace acre::global
