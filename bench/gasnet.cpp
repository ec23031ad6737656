// Latencies of GASNet calls between two nodes: the round trip of an active message, puts, gets
// and the barrier, in nanoseconds. Prints a line of JSON.
#include <gasnet.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace {

volatile unsigned answers = 0;

void request(gasnet_token_t token) { gasnet_AMReplyShort0(token, 129); }
void answer(gasnet_token_t) { answers = answers + 1; }

void barrier() {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

/// The best of several runs, of one call.
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

}  // namespace

int main(int argc, char** argv) {
  gasnet_handlerentry_t handlers[] = {{128, reinterpret_cast<void (*)()>(request)},
                                      {129, reinterpret_cast<void (*)()>(answer)}};
  gasnet_init(&argc, &argv);
  gasnet_attach(handlers, 2, std::size_t{1} << 20, 0);
  const gasnet_node_t peer = 1;
  std::vector<gasnet_seginfo_t> segments(gasnet_nodes());
  gasnet_getSegmentInfo(segments.data(), static_cast<int>(segments.size()));
  void* const there = segments[peer].addr;
  const bool far = argc > 1;  // over the network everything takes longer
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
  if (gasnet_mynode() == 0) {
    fmt::print(
        "{{\"am_round_trip_ns\": {:.1f}, \"put_ns\": {:.1f}, \"get_ns\": {:.1f}, "
        "\"barrier_ns\": {:.1f}}}\n",
        round_trip, put, get, together);
  }
  barrier();
  gasnet_exit(0);
}
