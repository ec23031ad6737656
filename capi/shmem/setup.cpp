// SPDX-License-Identifier: BSD-3-Clause
// Set-up, end and queries of an OpenSHMEM program.
#include "../at_exit.hpp"
#include "../uncaught_error.hpp"
#include "access.hpp"
#include "checks.hpp"
#include "context.hpp"
#include "failure.hpp"
#include "heap_block.hpp"
#include "memory_fault.hpp"
#include "profiling.hpp"
#include "session.hpp"
#include <acre/base/environment.hpp>
#include <acre/base/version.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/job_hooks.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/static_data.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <pthread.h>
#include <string>
#include <utility>

// Requested before main(), as a job may start there.
[[maybe_unused]] static const bool is_wanted = [] {
  try {
    return acre::runtime::share_static_data() && acre::shmem::explain_memory_faults();
  } catch (const acre::error& failure) {
    acre::shmem::fail("start of the program", failure.problem_and_advice());
  }
}();

acre_shmem_team acre_shmem_team_world;
acre_shmem_team acre_shmem_team_shared;

namespace acre::shmem {

session the_session;

namespace {

std::optional<job>& own_job() {
  static auto& made = *new std::optional<job>;
  return made;
}

void read_settings() {
  for (const char* name : {"SYMMETRIC_SIZE", "VERSION", "INFO", "DEBUG"}) {
    if (const char* old = std::getenv((std::string("SMA_") + name).c_str())) {
      ::setenv((std::string("SHMEM_") + name).c_str(), old, 0);
    }
  }
  if (const auto size = environment_size("SHMEM_SYMMETRIC_SIZE")) {
    constexpr std::size_t least = std::size_t{1} << 20;
    ::setenv("ACRE_SEGMENT_SIZE", std::to_string(std::max(*size, least)).c_str(), 0);
  }
}

void print_settings() {
  if (rank() != 0) return;
  if (std::getenv("SHMEM_VERSION") != nullptr) {
    std::printf("Acre %s, OpenSHMEM %d.%d\n", ACRE_VERSION, SHMEM_MAJOR_VERSION,
                SHMEM_MINOR_VERSION);
  }
  if (std::getenv("SHMEM_INFO") != nullptr) {
    std::printf(
        "SHMEM_SYMMETRIC_SIZE  bytes of each PE's symmetric heap, e.g. 512M or 2G: now %s\n"
        "SHMEM_DEBUG           reports routines that return an error\n"
        "SHMEM_INFO            prints this\n"
        "SHMEM_VERSION         prints the versions of Acre and of OpenSHMEM\n"
        "ACRE_...              see the list in Acre's README\n",
        format_size(runtime::segment_free().symmetric).c_str());
  }
  std::fflush(stdout);
}

/// False in a fork() child, or after an exception ended a C++ job.
bool is_running() { return the_session.now == stage::running && !runtime::job_is_abandoned(); }

void leave_session_to_parent() {
  if (the_session.now == stage::running) the_session.now = stage::in_child;
}

void finish() {
  if (!is_running()) return;
  or_fail("shmem_finalize", [] {
    // Any thread may end the program, as other PEs wait for this one.
    if (has_checks) arguments::of_any_thread("shmem_finalize").alike(acre::world());
    barrier();
    for (acre_shmem_team* each : {&acre_shmem_team_world, &acre_shmem_team_shared}) {
      destroy_contexts(each);
      each->members.reset();
    }
    forget_heap_blocks();
    own_job().reset();
    the_session.now = stage::finalized;
  });
}

[[noreturn]] void abort_all(int status, const std::string& why) {
  std::fflush(nullptr);
  abort_job(status, why);
}

/// Return from main() without shmem_finalize finishes; a non-zero exit does not wait for other PEs.
void at_exit(int status) {
  if (!is_running()) return;
  if (status != 0) abort_all(status, "exit(" + std::to_string(status) + ") without shmem_finalize");
  finish();
}

constexpr char name_of_interface[] = "OpenSHMEM";

int start(const char* routine, int requested) {
  if (the_session.now == stage::in_child) fail_outside_session(routine);
  if (the_session.now != stage::running) {
    the_session.now = stage::starting;
    or_fail(routine, [] {
      read_settings();
      if (size() == 0) own_job().emplace();
      if (runtime::world.window == nullptr)
        throw error("shmem_init", "static data of the program could not be shared");
      acre_shmem_team_world.members = acre::world();
      acre_shmem_team_shared.members = acre::node();
      barrier();
    });
    end_job_on_uncaught_error<name_of_interface>();
    the_session.now = stage::running;
    the_session.main_thread = std::this_thread::get_id();
    call_at_exit<at_exit>();
    ::pthread_atfork(nullptr, nullptr, leave_session_to_parent);
    print_settings();
  } else if (has_checks) {
    fail(routine, "called again, but a program is initialised only once");
  }
  return the_session.thread_level = requested;
}

}  // namespace
}  // namespace acre::shmem

using namespace acre::shmem;

extern "C" {

ACRE_SHMEM_DEFINE(void, init, (void)) { start("shmem_init", SHMEM_THREAD_SINGLE); }
ACRE_SHMEM_DEFINE(int, init_thread, (int requested, int* provided)) {
  if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE) return 1;
  *provided = start("shmem_init_thread", requested);
  return 0;
}
ACRE_SHMEM_DEFINE(void, query_thread, (int* provided)) {
  ACRE_SHMEM_CHECK(query_thread, its.local("provided", provided, sizeof *provided))
  *provided = the_session.thread_level;
}
ACRE_SHMEM_DEFINE(void, query_initialized, (int* initialized)) {
  *initialized = is_running() ? 1 : 0;
}
ACRE_SHMEM_DEFINE(void, finalize, (void)) {
  if (the_session.now == stage::in_child) return;
  require_session("shmem_finalize");
  finish();
}
ACRE_SHMEM_DEFINE(void, global_exit, (int status)) {
  abort_all(status, "shmem_global_exit(" + std::to_string(status) + ")");
}

ACRE_SHMEM_DEFINE(int, my_pe, (void)) {
  ACRE_SHMEM_CHECK(my_pe)
  return static_cast<int>(acre::runtime::world.rank);
}
ACRE_SHMEM_DEFINE(int, n_pes, (void)) {
  ACRE_SHMEM_CHECK(n_pes)
  return static_cast<int>(acre::runtime::world.size);
}

ACRE_SHMEM_DEFINE(int, pe_accessible, (int pe)) {
  ACRE_SHMEM_CHECK(pe_accessible)
  return pe >= 0 && static_cast<acre::rank_t>(pe) < acre::runtime::world.size ? 1 : 0;
}
ACRE_SHMEM_DEFINE(int, addr_accessible, (const void* addr, int pe)) {
  ACRE_SHMEM_CHECK(addr_accessible)
  if (pshmem_pe_accessible(pe) == 0) return 0;
  const std::uintptr_t offset = offset_of(addr);
  const bool is_static = offset < acre::runtime::static_data_pages().size();
  return is_static || acre::runtime::in_symmetric_heap(addr) ? 1 : 0;
}
ACRE_SHMEM_DEFINE(void*, ptr, (const void* dest, int pe)) {
  ACRE_SHMEM_CHECK(ptr)
  if (pshmem_addr_accessible(dest, pe) == 0) return nullptr;
  return mapped(const_cast<void*>(dest), pe);
}

ACRE_SHMEM_DEFINE(void, info_get_version, (int* major, int* minor)) {
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}
ACRE_SHMEM_DEFINE(void, info_get_name, (char* name)) {
  std::snprintf(name, SHMEM_MAX_NAME_LEN, "%s", SHMEM_VENDOR_STRING);
}
ACRE_SHMEM_DEFINE(void, pcontrol, (int, ...)) {}

ACRE_SHMEM_DEFINE_OLD(void, start_pes, (int)) { start("start_pes", SHMEM_THREAD_SINGLE); }
ACRE_SHMEM_DEFINE_OLD(int, _my_pe, (void)) { return pshmem_my_pe(); }
ACRE_SHMEM_DEFINE_OLD(int, _num_pes, (void)) { return pshmem_n_pes(); }

// Caches are coherent: no-ops.
ACRE_SHMEM_DEFINE(void, set_cache_inv, (void)) {}
ACRE_SHMEM_DEFINE(void, set_cache_line_inv, (void*)) {}
ACRE_SHMEM_DEFINE(void, clear_cache_inv, (void)) {}
ACRE_SHMEM_DEFINE(void, clear_cache_line_inv, (void*)) {}
ACRE_SHMEM_DEFINE(void, udcflush, (void)) {}
ACRE_SHMEM_DEFINE(void, udcflush_line, (void*)) {}
}
