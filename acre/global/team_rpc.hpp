// Calls to members of teams, by what containers say of them or by their numbers there.
//
//     acre::rpc(map.owner(key), add_edge, key).get();
//     acre::rpc(row, 0, report, sum).get();              // member 0 of the team
//
// rpc(rank, …) wants a rank of the job; these find it.
#pragma once

#include <acre/global/member.hpp>
#include <acre/global/rpc.hpp>

#include <concepts>
#include <utility>

namespace acre {

class team;

/// rpc() to a member's rank, for the same cost.
template <class F, class... Arguments>
[[nodiscard]] auto rpc(member target, F&& f, const Arguments&... arguments) {
  return rpc(target.world_rank(), std::forward<F>(f), arguments...);
}
template <class F, class... Arguments>
void rpc_ff(member target, F&& f, const Arguments&... arguments) {
  rpc_ff(target.world_rank(), std::forward<F>(f), arguments...);
}

/// rpc() to member `number` of the team.
/// @throws acre::error when there is none
template <std::same_as<team> Team, class F, class... Arguments>
[[nodiscard]] auto rpc(const Team& members, rank_t number, F&& f, const Arguments&... arguments) {
  return rpc(members[number].world_rank(), std::forward<F>(f), arguments...);
}
template <std::same_as<team> Team, class F, class... Arguments>
void rpc_ff(const Team& members, rank_t number, F&& f, const Arguments&... arguments) {
  rpc_ff(members[number].world_rank(), std::forward<F>(f), arguments...);
}

}  // namespace acre
