// Collectives of teams.
#include "collectives.hpp"

#include "context.hpp"
#include "failure.hpp"
#include "operations.hpp"
#include "profiling.hpp"

namespace acre::shmem {
namespace {

/// @return 0, or another number for a team that this PE is not in
template <class F>
int over(const char* routine, shmem_team_t team, F&& collective) {
  if (team == SHMEM_TEAM_INVALID || !team->members) return -1;
  or_fail(routine, [&] { collective(group(*team->members)); });
  return 0;
}

}  // namespace
}  // namespace acre::shmem

using namespace acre::shmem;

// NAMEs as they stand in the names of routines; BYTES: of an element.
#define ACRE_SHMEM_COLLECTIVES(BROADCAST, COLLECT, FCOLLECT, ALLTOALL, ALLTOALLS, DEST, FROM,   \
                               BYTES)                                                           \
  ACRE_SHMEM_DEFINE(int, BROADCAST,                                                             \
                    (shmem_team_t team, DEST dest, FROM from, size_t nelems, int root)) {       \
    return over("shmem_broadcast", team, [&](const group& all) {                                \
      all.broadcast(dest, from, nelems*(BYTES), static_cast<acre::rank_t>(root), true);         \
    });                                                                                         \
  }                                                                                             \
  ACRE_SHMEM_DEFINE(int, COLLECT, (shmem_team_t team, DEST dest, FROM from, size_t nelems)) {   \
    return over("shmem_collect", team,                                                          \
                [&](const group& all) { all.collect(dest, from, nelems*(BYTES)); });            \
  }                                                                                             \
  ACRE_SHMEM_DEFINE(int, FCOLLECT, (shmem_team_t team, DEST dest, FROM from, size_t nelems)) {  \
    return over("shmem_fcollect", team,                                                         \
                [&](const group& all) { all.fcollect(dest, from, nelems*(BYTES)); });           \
  }                                                                                             \
  ACRE_SHMEM_DEFINE(int, ALLTOALL, (shmem_team_t team, DEST dest, FROM from, size_t nelems)) {  \
    return over("shmem_alltoall", team,                                                         \
                [&](const group& all) { all.alltoall(dest, from, nelems*(BYTES)); });           \
  }                                                                                             \
  ACRE_SHMEM_DEFINE(                                                                            \
      int, ALLTOALLS,                                                                           \
      (shmem_team_t team, DEST dest, FROM from, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)) { \
    return over("shmem_alltoalls", team,                                                        \
                [&](const group& all) { all.alltoalls(dest, from, dst, sst, BYTES, nelems); }); \
  }
#define ACRE_SHMEM_TYPED(NAME, TYPE, A)                                                      \
  ACRE_SHMEM_COLLECTIVES(NAME##_broadcast, NAME##_collect, NAME##_fcollect, NAME##_alltoall, \
                         NAME##_alltoalls, TYPE*, const TYPE*, sizeof(TYPE))

#define ACRE_SHMEM_REDUCE(NAME, TYPE, OP)                                                       \
  ACRE_SHMEM_DEFINE(int, NAME##_##OP##_reduce,                                                  \
                    (shmem_team_t team, TYPE * dest, const TYPE* from, size_t nreduce)) {       \
    return over("shmem_" #OP "_reduce", team,                                                   \
                [&](const group& all) { all.reduce(dest, from, nreduce, reduce::op_##OP{}); }); \
  }

extern "C" {

ACRE_SHMEM_DEFINE(void, barrier_all, (void)) {
  or_fail("shmem_barrier_all", [] { acre::barrier(); });
}
ACRE_SHMEM_DEFINE(void, sync_all, (void)) {
  or_fail("shmem_sync_all", [] { acre::barrier(); });
}
ACRE_SHMEM_DEFINE(int, team_sync, (shmem_team_t team)) {
  return over("shmem_team_sync", team, [](const group& all) { all.barrier(); });
}

ACRE_SHMEM_RMA_TYPES(ACRE_SHMEM_TYPED, )
ACRE_SHMEM_COLLECTIVES(broadcastmem, collectmem, fcollectmem, alltoallmem, alltoallsmem, void*,
                       const void*, 1)

ACRE_SHMEM_REDUCTIONS(ACRE_SHMEM_REDUCE)
}
