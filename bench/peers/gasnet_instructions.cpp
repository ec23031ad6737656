// SPDX-License-Identifier: BSD-3-Clause
// Instructions of a GASNet's calls between two nodes, counted as in tests/budgets until the first
// one in libfabric, in lines of JSON.
#include "../../tests/budgets/instruction_trace.hpp"

#include <algorithm>
#include <cstdio>
#include <gasnet.h>
#include <string_view>
#include <unistd.h>

namespace {

constexpr std::string_view network[] = {"libfabric"};
constexpr gasnet_handler_t handler = 200;
gasnet_node_t peer;
char* there;
long source = 7;

void ignore(gasnet_token_t) {}

// The calls may be macros.
[[gnu::noinline]] void request() { gasnet_AMRequestShort0(peer, handler); }
[[gnu::noinline]] void put() { gasnet_put_nbi(peer, there, &source, sizeof source); }
[[gnu::noinline]] void wait() { gasnet_wait_syncnbi_puts(); }

void report(const char* call, std::size_t count) {
  if (gasnet_mynode() == 0) {
    std::printf("{\"call\": \"%s\", \"where\": \"other node\", \"count\": %zu}\n", call, count);
  }
}

void barrier() {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

template <class Count>
std::size_t least_of(void (*function)(), Count count) {
  std::size_t least = ~std::size_t{0};
  for (int repeat = 0; repeat < 5; ++repeat) {
    function();
    wait();
    gasnet_AMPoll();
    least = std::min(least, count(function));
    wait();
    gasnet_AMPoll();
  }
  return least;
}

std::size_t least_of_done_put(budgets::instruction_trace& trace) {
  std::size_t least = ~std::size_t{0};
  for (int repeat = 0; repeat < 5; ++repeat) {
    put();
    // The put is complete afterwards, but this node has not noticed it.
    ::usleep(50'000);
    least = std::min(least, trace.own_steps(wait));
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  gasnet_handlerentry_t handlers[] = {{handler, reinterpret_cast<void (*)()>(&ignore)}};
  gasnet_init(&argc, &argv);
  gasnet_attach(handlers, 1, GASNET_PAGESIZE, 0);
  peer = 1 - gasnet_mynode();
  gasnet_seginfo_t segments[2];
  gasnet_getSegmentInfo(segments, 2);
  there = static_cast<char*>(segments[peer].addr);
  barrier();
  if (gasnet_mynode() == 0) {
    budgets::instruction_trace trace;
    report("gasnet_AMRequestShort0",
           least_of(request, [&](auto call) { return trace.own_steps(call); }));
    report("gasnet_put_nbi 8 B",
           least_of(put, [&](auto call) { return trace.steps_to(network, call).count; }));
    report("gasnet_wait_syncnbi_puts, one pending and done", least_of_done_put(trace));
  }
  barrier();
  std::fflush(stdout);
  gasnet_exit(0);
}
