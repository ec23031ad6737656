// SPDX-License-Identifier: BSD-3-Clause
// Collections: objects of one type, addressed by index on every rank (chare arrays in Charm++).
//
//     auto cells = acre::make_collection<cell>({40, 30}, [](auto at) { return at[0] * at[1]; });
//     acre::invoke_ff(cells[{3, 4}], &cell::add, 1.0);      // one member
//     acre::invoke_all(cells, &cell::step, 0.1);            // all; collective
//     double sum = acre::invoke_reduce(cells, acre::op::sum, &cell::mass);
//
// Creation and destruction are collective; calls are not. Names are computed, and survive moves.
#pragma once

#include <acre/agas/balance.hpp>
#include <acre/agas/invoke_all.hpp>
#include <acre/agas/make_collection.hpp>
#include <acre/agas/object_collection.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {
namespace agas {

/// Position on a Z-order curve (Morton, 1966).
template <std::size_t N>
[[nodiscard]] constexpr std::uint64_t place_on_curve(const member_index<N>& index) noexcept {
  if constexpr (N == 1) {
    return index;
  } else {
    std::uint64_t place = 0;
    for (std::size_t bit = 64 / N; bit-- > 0;) {
      for (const std::size_t each : index) place = place << 1 | (each >> bit & 1);
    }
    return place;
  }
}

}  // namespace agas

/// Balances members as balance(); `place` is the member's number, or its position on a Z-order
/// curve. Collective.
/// @param load  std::invoke(load, member), in any unit; if it throws on any rank, no object moves
template <class T, std::size_t N, balancer How, std::invocable<T&> Load>
balance_report balance(const object_collection<T, N>& members, const How& how, Load&& load) {
  std::vector<object_load<T>> mine;
  const auto call =
      global::common_call("balance", site())
          .with_identity("the collection", agas::collection_access::state(members).identity())
          .with_identity("the balancer", global::number_of_operation(typeid(How)));
  global::succeed_together(world(), call, [&] {
    for (const local_member<T, N>& each : members.local_members()) {
      const pinned<T> object(each.object);
      if (!object) continue;  // has left or is about to: not balanced now
      mine.push_back({each.object, static_cast<double>(std::invoke(load, *object)),
                      agas::place_on_curve<N>(each.index)});
    }
  });
  return balance(mine, how);
}

}  // namespace acre
