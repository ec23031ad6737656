// SPDX-License-Identifier: BSD-3-Clause
// Set-up, end and queries of a GASNet program.
#include "../at_exit.hpp"
#include "barrier.hpp"
#include "failure.hpp"
#include "messages.hpp"
#include "polling.hpp"
#include "state.hpp"
#include <acre/base/environment.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/job_hooks.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <optional>
#include <pthread.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

namespace acre::gasnet {

constinit segments all_segments;

[[gnu::used]] extern constexpr char built_as[] = "$GASNetConfig: " GASNET_CONFIG_STRING " $";

namespace {

/// Empty if a C++ program started the job itself.
std::optional<job>& own_job() {
  static auto& made = *new std::optional<job>;
  return made;
}
bool initialized = false;
constexpr const char* too_early = "gasnet_init() must be called before";
gasnet_node_t this_node = 0;
gasnet_node_t all_nodes = 0;
std::uintptr_t least_free = 0;
std::vector<gasnet_seginfo_t> infos;
std::vector<std::uintptr_t> to_add;

bool is_running() { return initialized && acre::size() != 0 && !runtime::job_is_abandoned(); }

std::uintptr_t free_for_segment() {
  constexpr std::size_t reserve = std::size_t{1} << 20;
  const std::size_t free = runtime::segment_free().private_part;
  return free > 2 * reserve ? (free - reserve) / GASNET_PAGESIZE * GASNET_PAGESIZE : 0;
}

/// In a fork() child all nodes count as remote; Acre's calls refuse remote access there.
void leave_segments_to_parent() {
  for (rank_t r = 0; r < all_segments.nodes; ++r) {
    if (place(r, infos[r].addr).is_here()) to_add[r] += runtime::reached::elsewhere;
  }
}

void make_segments(std::uintptr_t bytes) {
  const team& everyone = acre::world();
  auto* const box =
      static_cast<std::byte*>(runtime::allocate_private(GASNET_PAGESIZE + bytes, GASNET_PAGESIZE));
  new (box) barrier_boxes{};
  infos = everyone.allgather(gasnet_seginfo_t{box + GASNET_PAGESIZE, bytes});
  const auto bases = everyone.allgather(reinterpret_cast<std::uintptr_t>(runtime::world.segment));
  to_add.resize(runtime::world.size);
  for (rank_t r = 0; r < runtime::world.size; ++r) {
    const std::byte* const here = runtime::direct_address(std::uint64_t{r} << offset_bits);
    to_add[r] =
        (here != nullptr ? reinterpret_cast<std::uintptr_t>(here) : runtime::reached::elsewhere) -
        bases[r];
  }
  all_segments = {.to_add = to_add.data(), .infos = infos.data(), .nodes = runtime::world.size};
  // Fast nodes may send requests already; user handlers run only after this wait.
  split_barrier& attached = the_barriers().attached;
  attached.notify({.kind = barrier_value::anonymous, .id = 0});
  runtime::wait_until([&] { return attached.advance(); }, "gasnet_attach",
                      runtime::may_run::internal);
  attached.close();
}

/// True in the first thread that tries to end the process.
bool is_the_one_that_ends() {
  static constinit std::atomic<bool> is_ending{false};
  static constinit thread_local bool this_thread = false;
  if (!this_thread) this_thread = !is_ending.exchange(true, std::memory_order_acq_rel);
  return this_thread;
}

// Written by the thread in gasnet_exit, which releases both by `has_left`.
constinit int status_to_exit_with = 0;
constinit std::atomic<bool> has_left{false};

/// Since glibc 2.41, and after musl 1.2.5, exit() of one thread waits for that of another.
bool is_exit_serialised() {
#ifdef __GLIBC__
  int major = 0;
  int minor = 0;
  const bool is_known = std::sscanf(::gnu_get_libc_version(), "%d.%d", &major, &minor) == 2;
  return is_known && std::pair(major, minor) >= std::pair(2, 41);
#else
  return true;
#endif
}

/// Called, perhaps in exit(), while another thread ends the process.
[[noreturn]] void exit_as_the_other_thread() {
  if (!is_exit_serialised()) stay_for_ever();
  leave_calls();
  while (!has_left.load(std::memory_order_acquire)) ::usleep(1000);
#ifdef __GLIBC__
  std::exit(status_to_exit_with);
#else
  // exit() of musl must not be called again.
  std::fflush(nullptr);
  std::_Exit(status_to_exit_with);
#endif
}

void leave() {
  initialized = false;
  own_job().reset();
  all_segments = {};
}

bool all_come_to(split_barrier& barrier, std::chrono::milliseconds timeout) {
  if (all_segments.nodes == 0) return true;
  // Already open if a handler ends the job during this wait.
  if (!barrier.is_open()) barrier.notify({.kind = barrier_value::anonymous, .id = 0});
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  bool all = false;
  runtime::wait_until(
      [&] { return (all = barrier.advance()) || std::chrono::steady_clock::now() > deadline; },
      "gasnet_exit");
  return all;
}
bool all_end(std::chrono::milliseconds timeout) {
  return all_come_to(the_barriers().ending, timeout);
}

/// Stops the threads of all nodes; none leaves earlier, as a thread may wait for any node.
bool all_stop() {
  return stop_others() && all_come_to(the_barriers().stopped, std::chrono::seconds(2));
}

/// Ends the process if an orderly end takes too long: gasnet_exit() in a signal handler may have
/// interrupted a call whose lock this thread holds. Timer and signal exist in advance, as arming is
/// async-signal-safe.
class last_resort {
 public:
  static void prepare() noexcept {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = number();
    event.sigev_value.sival_ptr = &timer;
    is_ready = ::timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
  }

  explicit last_resort(int status) noexcept {
    if (!is_ready) return;
    exit_status = status;
    struct sigaction action{};
    action.sa_sigaction = &end_process;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigaction(number(), &action, &of_the_program_);
    sigset_t only;
    ::sigemptyset(&only);
    ::sigaddset(&only, number());
    ::pthread_sigmask(SIG_UNBLOCK, &only, &blocked_by_the_program_);
    set(longest);
  }
  ~last_resort() {
    if (!is_ready) return;
    set({});
    ::pthread_sigmask(SIG_SETMASK, &blocked_by_the_program_, nullptr);
    ::sigaction(number(), &of_the_program_, nullptr);
  }
  last_resort(const last_resort&) = delete;
  last_resort& operator=(const last_resort&) = delete;

 private:
  static constexpr timespec longest{8, 0};  // all_end() and all_stop() take up to 4.5 s
  static int number() noexcept { return SIGRTMAX - 2; }

  static void set(timespec after) noexcept {
    const itimerspec once{.it_interval = {}, .it_value = after};
    ::timer_settime(timer, 0, &once, nullptr);
  }
  static void end_process(int, siginfo_t* what, void*) noexcept {
    if (what->si_code != SI_TIMER || what->si_value.sival_ptr != &timer) return;
    static constexpr std::string_view why =
        "acre: gasnet_exit: the process did not finalise within 8 seconds and ends now; a signal "
        "handler may have interrupted another call\n";
    static_cast<void>(!::write(STDERR_FILENO, why.data(), why.size()));
    ::_exit(exit_status);
  }

  static inline timer_t timer{};
  static inline bool is_ready = false;
  static inline volatile std::sig_atomic_t exit_status = 0;
  struct sigaction of_the_program_{};
  sigset_t blocked_by_the_program_{};
};

void at_exit(int status) {
  if (!is_the_one_that_ends()) exit_as_the_other_thread();
  if (!is_running()) return;
  std::fflush(nullptr);
  if (status != 0) abort_job(status, "exit(" + std::to_string(status) + ") without gasnet_exit");
  or_fail("exit", [] {
    all_end(std::chrono::hours(24 * 365));
    if (!all_stop()) abort_job(0, "exit(0) while another thread is in a call");
    leave();
  });
}

struct error_text {
  int value;
  const char* name;
  const char* description;
};
#define ACRE_GASNET_ERROR(NAME, DESCRIPTION) \
  error_text { NAME, #NAME, DESCRIPTION }
constexpr std::array error_texts{
    ACRE_GASNET_ERROR(GASNET_OK, "No error"),
    ACRE_GASNET_ERROR(GASNET_ERR_NOT_INIT,
                      "GASNet is not initialised, or the call is not allowed now"),
    ACRE_GASNET_ERROR(GASNET_ERR_RESOURCE, "Out of memory or another resource"),
    ACRE_GASNET_ERROR(GASNET_ERR_BAD_ARG, "An argument is invalid"),
    ACRE_GASNET_ERROR(GASNET_ERR_NOT_READY, "The operation is not finished"),
    ACRE_GASNET_ERROR(GASNET_ERR_BARRIER_MISMATCH,
                      "The names of the barrier differ between nodes")};

const error_text* text_of(int errval) noexcept {
  const auto* const found = std::ranges::find(error_texts, errval, &error_text::value);
  return found != error_texts.end() ? found : nullptr;
}

}  // namespace
}  // namespace acre::gasnet

using namespace acre::gasnet;

extern "C" {

int gasnet_init(int*, char***) {
  if (initialized) return GASNET_ERR_NOT_INIT;
  or_fail("gasnet_init", [] {
    if (acre::size() == 0) own_job().emplace();
    this_node = acre::runtime::world.rank;
    all_nodes = acre::runtime::world.size;
    learn_limits();
    last_resort::prepare();
    least_free = acre::world().allreduce(free_for_segment(), acre::op::min);
  });
  initialized = true;
  acre::call_at_exit<at_exit>();
  ::pthread_atfork(nullptr, nullptr, leave_segments_to_parent);
  return GASNET_OK;
}

int gasnet_attach(gasnet_handlerentry_t* table, int numentries, uintptr_t segsize, uintptr_t) {
  if (!initialized || all_segments.nodes != 0) return GASNET_ERR_NOT_INIT;
  if (segsize % GASNET_PAGESIZE != 0 || numentries < 0) return GASNET_ERR_BAD_ARG;
  if (numentries > 0 && table == nullptr) return GASNET_ERR_BAD_ARG;
  return or_fail("gasnet_attach", [&] {
    if (segsize > free_for_segment()) return GASNET_ERR_RESOURCE;
    const bool registered = register_handlers({table, static_cast<std::size_t>(numentries)});
    if (!registered) return GASNET_ERR_BAD_ARG;
    make_segments(segsize);
    return GASNET_OK;
  });
}

void gasnet_exit(int exitcode) {
  if (!is_the_one_that_ends()) exit_as_the_other_thread();
  std::fflush(nullptr);
  if (!is_running()) std::_Exit(exitcode);
  or_fail("gasnet_exit", [&] {
    std::optional<last_resort> in_time(exitcode);
    const std::string said = "gasnet_exit(" + std::to_string(exitcode) + ")";
    if (all_segments.nodes == 0 && exitcode != 0) {
      // Gives other ending nodes time to write their output.
      ::usleep(200'000);
      acre::abort_job(exitcode, said + " before gasnet_attach");
    }
    if (!all_end(std::chrono::seconds(2))) {
      acre::abort_job(exitcode, said + ", which other nodes did not call");
    }
    if (!all_stop()) acre::abort_job(exitcode, said + " while another thread is in a call");
    in_time.reset();  // leave() takes no new locks
    leave();
  });
  status_to_exit_with = exitcode;
  has_left.store(true, std::memory_order_release);
  std::exit(exitcode);
}

gasnet_node_t gasnet_mynode(void) { return all_nodes != 0 ? this_node : acre::runtime::world.rank; }
gasnet_node_t gasnet_nodes(void) { return all_nodes != 0 ? all_nodes : acre::runtime::world.size; }
char* gasnet_getenv(const char* name) { return std::getenv(name); }

uintptr_t gasnet_getMaxLocalSegmentSize(void) {
  const at_work here;
  if (!initialized) fail("gasnet_getMaxLocalSegmentSize", too_early);
  return or_fail("gasnet_getMaxLocalSegmentSize", free_for_segment);
}
uintptr_t gasnet_getMaxGlobalSegmentSize(void) {
  const at_work here;
  if (!initialized) fail("gasnet_getMaxGlobalSegmentSize", too_early);
  return least_free;
}

int gasnet_getSegmentInfo(gasnet_seginfo_t* seginfo_table, int numentries) {
  const at_work here;
  if (all_segments.nodes == 0) return GASNET_ERR_NOT_INIT;
  if (numentries < 0 || (numentries > 0 && seginfo_table == nullptr)) return GASNET_ERR_BAD_ARG;
  std::copy_n(infos.begin(),
              std::min<std::size_t>(static_cast<std::size_t>(numentries), infos.size()),
              seginfo_table);
  return GASNET_OK;
}

int gasnet_getNodeInfo(gasnet_nodeinfo_t* nodeinfo_table, int numentries) {
  const at_work here;
  if (!initialized) return GASNET_ERR_NOT_INIT;
  if (numentries < 0 || (numentries > 0 && nodeinfo_table == nullptr)) return GASNET_ERR_BAD_ARG;
  const auto most =
      std::min<gasnet_node_t>(static_cast<gasnet_node_t>(numentries), acre::runtime::world.size);
  or_fail("gasnet_getNodeInfo", [&] {
    std::vector<gasnet_node_t> first(acre::runtime::node_count(), acre::runtime::world.size);
    for (gasnet_node_t node = 0; node < most; ++node) {
      gasnet_node_t& mine = first[acre::runtime::node_of(node)];
      mine = std::min(mine, node);
      nodeinfo_table[node] = {.host = mine, .supernode = mine};
    }
  });
  return GASNET_OK;
}

const char* gasnet_ErrorName(int errval) {
  const error_text* const found = text_of(errval);
  return found != nullptr ? found->name : "*unknown*";
}
const char* gasnet_ErrorDesc(int errval) {
  const error_text* const found = text_of(errval);
  return found != nullptr ? found->description : "no description available";
}
}
