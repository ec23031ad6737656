// SPDX-License-Identifier: BSD-3-Clause
// Blocking routines of OpenSHMEM whose peer is lost.
#include "loss.hpp"

#include <cstddef>
#include <shmem.h>
#include <string>
#include <vector>

namespace {

using acre::faults::lossy_routine;

constexpr std::size_t most = 20'000;
long word = 0;  // symmetric
long* block = nullptr;
long here[most];

void prepare() {
  shmem_init();
  block = static_cast<long*>(shmem_malloc(2 * most * sizeof(long)));
}

const lossy_routine memory[] = {
    {"p",
     [] {
       shmem_long_p(&word, 1, 1);
       shmem_quiet();
     }},
    {"g", [] { here[0] = shmem_long_g(&word, 1); }},
    {"put", [] { shmem_long_put(block, here, most, 1); }},
    {"put_small",
     [] {
       shmem_long_put(block, here, 1, 1);
       shmem_quiet();
     }},
    {"get", [] { shmem_long_get(here, block, most, 1); }},
    {"put_nbi",
     [] {
       shmem_long_put_nbi(block, here, most, 1);
       shmem_quiet();
     }},
    {"get_nbi",
     [] {
       shmem_long_get_nbi(here, block, most, 1);
       shmem_quiet();
     }},
    {"iput", [] { shmem_long_iput(block, here, 2, 1, 100, 1); }},
    {"iget", [] { shmem_long_iget(here, block, 1, 2, 100, 1); }},
    {"put_signal",
     [] {
       static std::uint64_t signal = 0;
       shmem_long_put_signal(block, here, most, &signal, 1, SHMEM_SIGNAL_SET, 1);
       shmem_quiet();
     }},
    {"fence",
     [] {
       shmem_long_atomic_inc(&word, 1);
       shmem_fence();
     }},
};

const lossy_routine atomics[] = {
    {"fetch", [] { here[0] = shmem_long_atomic_fetch(&word, 1); }},
    {"fetch_add", [] { here[0] = shmem_long_atomic_fetch_add(&word, 1, 1); }},
    {"compare_swap", [] { here[0] = shmem_long_atomic_compare_swap(&word, 0, 1, 1); }},
    {"swap", [] { here[0] = shmem_long_atomic_swap(&word, 1, 1); }},
    {"set",
     [] {
       shmem_long_atomic_set(&word, 1, 1);
       shmem_quiet();
     }},
    {"fetch_add_nbi",
     [] {
       shmem_long_atomic_fetch_add_nbi(here, &word, 1, 1);
       shmem_quiet();
     }},
};

const lossy_routine together[] = {
    {"barrier_all", [] { shmem_barrier_all(); }},
    {"sync_all", [] { shmem_sync_all(); }},
    {"broadcast", [] { shmem_long_broadcast(SHMEM_TEAM_WORLD, block + most, block, 100, 1); }},
    {"fcollect", [] { shmem_long_fcollect(SHMEM_TEAM_WORLD, block + most, block, 100); }},
    {"collect", [] { shmem_long_collect(SHMEM_TEAM_WORLD, block + most, block, 100); }},
    {"alltoall", [] { shmem_long_alltoall(SHMEM_TEAM_WORLD, block + most, block, 100); }},
    {"sum_reduce", [] { shmem_long_sum_reduce(SHMEM_TEAM_WORLD, block + most, block, 100); }},
    {"malloc", [] { shmem_free(shmem_malloc(100)); }},
    {"wait_until", [] { shmem_long_wait_until(&word, SHMEM_CMP_EQ, 77); }},
    {"set_lock",
     [] {
       // The address of a lock selects the PE with its queue.
       static long locks[16];
       for (long& each : locks) {
         shmem_set_lock(&each);
         shmem_clear_lock(&each);
       }
     }},
    {"team_split",
     [] {
       shmem_team_t made = SHMEM_TEAM_INVALID;
       shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, nullptr, 0, &made);
       shmem_team_destroy(made);
     }},
    {"finalize", [] { shmem_finalize(); }},
};

class ShmemLosses : public testing::TestWithParam<lossy_routine> {};

TEST_P(ShmemLosses, EndTheJobAndHangNobody) { acre::faults::expect_ends(GetParam(), prepare); }

constexpr auto name_of = [](const auto& each) { return std::string(each.param.name); };
INSTANTIATE_TEST_SUITE_P(Memory, ShmemLosses, testing::ValuesIn(memory), name_of);
INSTANTIATE_TEST_SUITE_P(Atomics, ShmemLosses, testing::ValuesIn(atomics), name_of);
INSTANTIATE_TEST_SUITE_P(Together, ShmemLosses, testing::ValuesIn(together), name_of);

}  // namespace
