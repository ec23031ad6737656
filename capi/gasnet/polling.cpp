#include "polling.hpp"

#include "barrier.hpp"
#include "failure.hpp"
#include <acre/runtime/progress.hpp>
#include <acre/runtime/world.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <sched.h>
#include <unistd.h>

namespace acre::gasnet {

#if defined(GASNET_PAR)
namespace {

constinit std::atomic<int> working{0};
constinit std::atomic<bool> stopped{false};
constinit thread_local int calls_of_this_thread = 0;
constinit thread_local bool stops_others = false;

}  // namespace

at_work::at_work() noexcept {
  working.fetch_add(1, std::memory_order_seq_cst);
  if (stopped.load(std::memory_order_seq_cst) && !stops_others) [[unlikely]] {
    // Those that it was called from are over as well.
    working.fetch_sub(1 + calls_of_this_thread, std::memory_order_seq_cst);
    for (;;) ::pause();
  }
  ++calls_of_this_thread;
}
at_work::~at_work() {
  --calls_of_this_thread;
  working.fetch_sub(1, std::memory_order_release);
}

bool stop_others() noexcept {
  stops_others = true;
  stopped.store(true, std::memory_order_seq_cst);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  while (working.load(std::memory_order_seq_cst) != calls_of_this_thread) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    ::sched_yield();
  }
  return true;
}
#endif

void poll(const char* call) {
  const at_work here;
  // As often as it takes for a neighbour to answer who has a core of its own.
  const unsigned vain_polls = runtime::crowded() ? 20 : 500;
  static thread_local unsigned in_vain = 0;
  the_barriers().user.help();
  const std::size_t handled = or_fail(call, [] { return acre::progress(); });
  in_vain = handled != 0 ? 0 : in_vain + 1;
  if (in_vain < vain_polls) return;
  in_vain = vain_polls / 2;
  ::sched_yield();
}

}  // namespace acre::gasnet
