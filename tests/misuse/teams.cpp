// SPDX-License-Identifier: BSD-3-Clause
// Team members compared with ranks, and distributed objects by value: at most 20 lines per error.
#include <acre/global/rpc/dist_object.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/member.hpp>

#include <string>

namespace {

bool members(acre::member owner) {
  // expects: a member of a team is not a number: compare its .number() with the team's rank()
  return owner == acre::rank();
}

void objects(acre::rank_t next, const acre::dist_object<int>& object) {
  // expects: a dist_object<T> as the target's dist_object<T>&
  acre::rpc(next, [](acre::dist_object<int>) {}, object).get();
  // expects: the number of arguments differs from the number of parameters of this function
  acre::rpc(next, [](acre::dist_object<int>&) {}, object, 1).get();
  // expects: this function returns a pointer
  acre::rpc(next, [](acre::dist_object<int>& mine) { return &*mine; }, object).get();
}

}  // namespace
