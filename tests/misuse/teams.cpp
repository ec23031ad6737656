// SPDX-License-Identifier: BSD-3-Clause
// Numbers in teams taken for ranks of the job, and distributed objects taken by value:
// at most 20 lines for each.
#include <acre/global/rpc/dist_object.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/member.hpp>

#include <string>

namespace {

bool members(acre::member owner) {
  // says: a member of a team is no number: compare its .number() with the team's rank()
  return owner == acre::rank();
}

void objects(acre::rank_t next, const acre::dist_object<int>& object) {
  // says: a dist_object<T> as the target's dist_object<T>&
  acre::rpc(next, [](acre::dist_object<int>) {}, object).get();
  // says: this function has another number of parameters than arguments are given here
  acre::rpc(next, [](acre::dist_object<int>&) {}, object, 1).get();
  // says: this function returns a pointer
  acre::rpc(next, [](acre::dist_object<int>& mine) { return &*mine; }, object).get();
}

}  // namespace
