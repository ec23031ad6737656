// SPDX-License-Identifier: BSD-3-Clause
#include "collectives.hpp"

#include "failure.hpp"
#include "families.hpp"
#include "operations.hpp"

namespace acre::shmem {
namespace {

template <class F>
int over(const char* routine, shmem_team_t team, F&& collective) {
  if (team == SHMEM_TEAM_INVALID || !team->members) {
    require_session(routine);
    return -1;
  }
  or_fail(routine, [&] { collective(group(*team->members)); });
  return 0;
}

}  // namespace

namespace routine {
namespace {

template <class Element>
int broadcast(shmem_team_t team, void* dest, const void* from, std::size_t nelems, int root) {
  return over("shmem_broadcast", team, [&](const group& all) {
    all.broadcast(dest, from, nelems * sizeof(Element), static_cast<rank_t>(root), true);
  });
}
template <class Element>
int collect(shmem_team_t team, void* dest, const void* from, std::size_t nelems) {
  return over("shmem_collect", team,
              [&](const group& all) { all.collect(dest, from, nelems * sizeof(Element)); });
}
template <class Element>
int fcollect(shmem_team_t team, void* dest, const void* from, std::size_t nelems) {
  return over("shmem_fcollect", team,
              [&](const group& all) { all.fcollect(dest, from, nelems * sizeof(Element)); });
}
template <class Element>
int alltoall(shmem_team_t team, void* dest, const void* from, std::size_t nelems) {
  return over("shmem_alltoall", team,
              [&](const group& all) { all.alltoall(dest, from, nelems * sizeof(Element)); });
}
template <class Element>
int alltoalls(shmem_team_t team, void* dest, const void* from, std::ptrdiff_t dst,
              std::ptrdiff_t sst, std::size_t nelems) {
  return over("shmem_alltoalls", team, [&](const group& all) {
    all.alltoalls(dest, from, dst, sst, sizeof(Element), nelems);
  });
}

}  // namespace
}  // namespace routine
}  // namespace acre::shmem

using namespace acre::shmem;

#define ACRE_SHMEM_REDUCE(NAME, TYPE, OP)                                                       \
  ACRE_SHMEM_DEFINE(int, NAME##_##OP##_reduce,                                                  \
                    (shmem_team_t team, TYPE * dest, const TYPE* from, size_t nreduce)) {       \
    ACRE_SHMEM_CHECK_AS(NAME##_##OP##_reduce, reduce, TYPE, (team, dest, from, nreduce))        \
    return over("shmem_" #OP "_reduce", team,                                                   \
                [&](const group& all) { all.reduce(dest, from, nreduce, reduce::op_##OP{}); }); \
  }

extern "C" {

ACRE_SHMEM_DEFINE(void, barrier_all, (void)) {
  ACRE_SHMEM_CHECK(barrier_all, its.alike(acre::world()))
  or_fail("shmem_barrier_all", [] { acre::barrier(); });
}
ACRE_SHMEM_DEFINE(void, sync_all, (void)) {
  ACRE_SHMEM_CHECK(sync_all, its.alike(acre::world()))
  or_fail("shmem_sync_all", [] { acre::barrier(); });
}
ACRE_SHMEM_DEFINE(int, team_sync, (shmem_team_t team)) {
  ACRE_SHMEM_CHECK(team_sync, its.alike(its.members(team)))
  return over("shmem_team_sync", team, [](const group& all) { all.barrier(); });
}

ACRE_SHMEM_COLLECTIVES(ACRE_SHMEM_DEFINE_ONE)
ACRE_SHMEM_REDUCTIONS(ACRE_SHMEM_REDUCE)
}
