// SPDX-License-Identifier: BSD-3-Clause
// GASNet latencies between two nodes in nanoseconds, as JSON.
#include <gasnet.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace {

volatile unsigned answers = 0;

void request(gasnet_token_t token) { gasnet_AMReplyShort0(token, 129); }
void answer(gasnet_token_t) { answers = answers + 1; }

// Medium requests are answered by equal replies; those of a flood are only counted.
volatile unsigned taken = 0;
std::vector<std::byte> echoed(65536);

void echo(gasnet_token_t token, void*, std::size_t bytes) {
  gasnet_AMReplyMedium0(token, 131, echoed.data(), bytes);
}
void receive_echo(gasnet_token_t, void*, std::size_t) { answers = answers + 1; }
void receive_of_flood(gasnet_token_t, void*, std::size_t) { taken = taken + 1; }

void barrier() {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

template <class Body>
double nanoseconds(unsigned calls, Body&& body) {
  double best = 1e300;
  for (int run = 0; run < 7; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < calls; ++i) body();
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    best = std::min(best, spent.count() / calls);
  }
  return best;
}

template <class Body>
double nanoseconds_of_one(Body&& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

double medium_round_trip(gasnet_node_t peer, std::size_t bytes, unsigned calls) {
  barrier();
  double best = 0;
  if (gasnet_mynode() == 0) {
    best = nanoseconds(calls, [&] {
      const unsigned before = answers;
      gasnet_AMRequestMedium0(peer, 130, echoed.data(), bytes);
      GASNET_BLOCKUNTIL(answers != before);
    });
  }
  barrier();
  return best;
}

double medium_flood(gasnet_node_t peer, std::size_t bytes, unsigned calls, bool sends,
                    bool receives) {
  double best = 1e300;
  for (int run = 0; run < 15; ++run) {
    const unsigned before = taken;
    barrier();
    best = std::min(best, nanoseconds_of_one([&] {
                            for (unsigned i = 0; sends && i < calls; ++i) {
                              gasnet_AMRequestMedium0(peer, 132, echoed.data(), bytes);
                            }
                            if (receives) GASNET_BLOCKUNTIL(taken - before == calls);
                            barrier();
                          }) / calls);
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  gasnet_handlerentry_t handlers[] = {{128, reinterpret_cast<void (*)()>(request)},
                                      {129, reinterpret_cast<void (*)()>(answer)},
                                      {130, reinterpret_cast<void (*)()>(echo)},
                                      {131, reinterpret_cast<void (*)()>(receive_echo)},
                                      {132, reinterpret_cast<void (*)()>(receive_of_flood)}};
  gasnet_init(&argc, &argv);
  gasnet_attach(handlers, 5, std::size_t{1} << 20, 0);
  const gasnet_node_t peer = 1;
  const bool is_first = gasnet_mynode() == 0;
  std::vector<gasnet_seginfo_t> segments(gasnet_nodes());
  gasnet_getSegmentInfo(segments.data(), static_cast<int>(segments.size()));
  void* const there = segments[peer].addr;
  const bool far = argc > 1;
  const unsigned calls = far ? 2000 : 100'000;
  long word = 0;

  double round_trip = 0;
  double put = 0;
  double get = 0;
  barrier();
  if (gasnet_mynode() == 0) {
    round_trip = nanoseconds(calls, [] {
      const unsigned before = answers;
      gasnet_AMRequestShort0(peer, 128);
      GASNET_BLOCKUNTIL(answers != before);
    });
    put = nanoseconds(calls, [&] { gasnet_put(peer, there, &word, sizeof word); });
    get = nanoseconds(calls, [&] { gasnet_get(&word, peer, there, sizeof word); });
  }
  barrier();
  const double together = nanoseconds(calls, barrier);
  std::string medium;
  for (const std::size_t bytes : {std::size_t{512}, std::size_t{8192}, std::size_t{32768}}) {
    if (bytes > gasnet_AMMaxMedium()) continue;
    const double there_and_back = medium_round_trip(peer, bytes, calls / 50);
    const double one_way = medium_flood(peer, bytes, calls / 10, is_first, !is_first);
    const double both_ways = medium_flood(1 - gasnet_mynode(), bytes, calls / 10, true, true);
    medium += fmt::format(
        ", \"medium_round_trip_{0}_ns\": {1:.1f}, \"medium_one_way_{0}_ns\": {2:.1f}, "
        "\"medium_both_ways_{0}_ns\": {3:.1f}",
        bytes, there_and_back, one_way, both_ways);
  }
  if (is_first) {
    fmt::print(
        "{{\"am_round_trip_ns\": {:.1f}, \"put_ns\": {:.1f}, \"get_ns\": {:.1f}, "
        "\"barrier_ns\": {:.1f}{}}}\n",
        round_trip, put, get, together, medium);
  }
  barrier();
  gasnet_exit(0);
}
