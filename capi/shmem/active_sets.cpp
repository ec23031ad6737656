// SPDX-License-Identifier: BSD-3-Clause
// Collectives of active sets (deprecated). Each set becomes a cached team on first use; work arrays
// are ignored.
#include "checks.hpp"
#include "collectives.hpp"
#include "failure.hpp"
#include "operations.hpp"
#include "profiling.hpp"
#include "session.hpp"
#include <acre/global/team/team_of_members.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

namespace acre::shmem {
namespace {

const team& team_of(int start, int log_stride, int size) {
  static std::mutex lock;
  static auto& made = *new std::map<std::tuple<int, int, int>, team>;
  const std::lock_guard hold(lock);
  team& known = made[{start, log_stride, size}];
  if (known) return known;
  const std::string set = "PE_start " + std::to_string(start) + ", logPE_stride " +
                          std::to_string(log_stride) + " and PE_size " + std::to_string(size);
  const bool is_plausible = start >= 0 && log_stride >= 0 && log_stride <= 20 && size >= 1;
  if (!is_plausible ||
      start + (long{size - 1} << log_stride) >= static_cast<long>(runtime::world.size)) {
    throw error("active set",
                set + " are not a valid set of " + std::to_string(world.size) + " PEs");
  }
  std::vector<rank_t> members;
  members.reserve(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) members.push_back(static_cast<rank_t>(start + (i << log_stride)));
  if (!std::ranges::binary_search(members, rank())) {
    throw error("active set", set + " are a set without this PE");
  }
  return known = global::team_of_members(
             std::move(members), global::number_of_known_team(static_cast<unsigned>(log_stride),
                                                              static_cast<rank_t>(size)));
}

const team& team_of(const char* routine, int start, int log_stride, int size) {
  require_session(routine);
  return or_fail(routine, [&]() -> const team& { return team_of(start, log_stride, size); });
}

template <class F>
void over(const char* routine, int start, int log_stride, int size, F&& collective) {
  const team& members = team_of(routine, start, log_stride, size);
  or_fail(routine, [&] { collective(group(members)); });
}

}  // namespace
}  // namespace acre::shmem

using namespace acre::shmem;

#define ACRE_SHMEM_SET int start, int log_stride, int size, long *p_sync
#define ACRE_SHMEM_CHECK_SET(NAME, ...)                                                          \
  ACRE_SHMEM_CHECK(NAME, its.work_array("pSync", p_sync);                                        \
                   const acre::team& members = team_of("shmem_" #NAME, start, log_stride, size); \
                   __VA_ARGS__)

#define ACRE_SHMEM_SET_COLLECTIVES(BITS, BYTES)                                                   \
  ACRE_SHMEM_DEFINE(void, broadcast##BITS,                                                        \
                    (void* dest, const void* from, size_t nelems, int root, ACRE_SHMEM_SET)) {    \
    ACRE_SHMEM_CHECK_SET(broadcast##BITS,                                                         \
                         check::broadcast<char[BYTES]>(its, members, dest, from, nelems, root))   \
    over("shmem_broadcast" #BITS, start, log_stride, size, [&](const group& all) {                \
      all.broadcast(dest, from, nelems*(BYTES), static_cast<acre::rank_t>(root), false);          \
    });                                                                                           \
  }                                                                                               \
  ACRE_SHMEM_DEFINE(void, collect##BITS,                                                          \
                    (void* dest, const void* from, size_t nelems, ACRE_SHMEM_SET)) {              \
    ACRE_SHMEM_CHECK_SET(collect##BITS,                                                           \
                         check::collect<char[BYTES]>(its, members, dest, from, nelems))           \
    over("shmem_collect" #BITS, start, log_stride, size,                                          \
         [&](const group& all) { all.collect(dest, from, nelems*(BYTES)); });                     \
  }                                                                                               \
  ACRE_SHMEM_DEFINE(void, fcollect##BITS,                                                         \
                    (void* dest, const void* from, size_t nelems, ACRE_SHMEM_SET)) {              \
    ACRE_SHMEM_CHECK_SET(fcollect##BITS,                                                          \
                         check::fcollect<char[BYTES]>(its, members, dest, from, nelems))          \
    over("shmem_fcollect" #BITS, start, log_stride, size,                                         \
         [&](const group& all) { all.fcollect(dest, from, nelems*(BYTES)); });                    \
  }                                                                                               \
  ACRE_SHMEM_DEFINE(void, alltoall##BITS,                                                         \
                    (void* dest, const void* from, size_t nelems, ACRE_SHMEM_SET)) {              \
    ACRE_SHMEM_CHECK_SET(alltoall##BITS,                                                          \
                         check::alltoall<char[BYTES]>(its, members, dest, from, nelems))          \
    over("shmem_alltoall" #BITS, start, log_stride, size,                                         \
         [&](const group& all) { all.alltoall(dest, from, nelems*(BYTES)); });                    \
  }                                                                                               \
  ACRE_SHMEM_DEFINE(void, alltoalls##BITS,                                                        \
                    (void* dest, const void* from, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,   \
                     ACRE_SHMEM_SET)) {                                                           \
    ACRE_SHMEM_CHECK_SET(alltoalls##BITS, check::alltoalls<char[BYTES]>(its, members, dest, from, \
                                                                        dst, sst, nelems))        \
    over("shmem_alltoalls" #BITS, start, log_stride, size,                                        \
         [&](const group& all) { all.alltoalls(dest, from, dst, sst, BYTES, nelems); });          \
  }
#define ACRE_SHMEM_SET_REDUCE(NAME, TYPE, OP)                                               \
  ACRE_SHMEM_DEFINE(void, NAME##_##OP##_to_all,                                             \
                    (TYPE * dest, const TYPE* from, int nreduce, int start, int log_stride, \
                     int size, TYPE* p_work, long* p_sync)) {                               \
    ACRE_SHMEM_CHECK_SET(                                                                   \
        NAME##_##OP##_to_all, its.symmetric_word("pWrk", p_work);                           \
        check::reduce<TYPE>(its, members, dest, from, static_cast<std::size_t>(nreduce)))   \
    over("shmem_" #OP "_to_all", start, log_stride, size, [&](const group& all) {           \
      all.reduce(dest, from, static_cast<std::size_t>(nreduce), reduce::op_##OP{});         \
    });                                                                                     \
  }

extern "C" {

ACRE_SHMEM_DEFINE(void, barrier, (ACRE_SHMEM_SET)) {
  ACRE_SHMEM_CHECK_SET(barrier, its.alike(members))
  over("shmem_barrier", start, log_stride, size, [](const group& all) { all.barrier(); });
}
ACRE_SHMEM_DEFINE(void, sync, (ACRE_SHMEM_SET)) {
  ACRE_SHMEM_CHECK_SET(sync, its.alike(members))
  over("shmem_sync", start, log_stride, size, [](const group& all) { all.barrier(); });
}
ACRE_SHMEM_SET_COLLECTIVES(32, 4)
ACRE_SHMEM_SET_COLLECTIVES(64, 8)
ACRE_SHMEM_OLD_REDUCTIONS(ACRE_SHMEM_SET_REDUCE)
}
