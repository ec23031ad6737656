// SPDX-License-Identifier: BSD-3-Clause
// Latencies between two ranks: median nanoseconds, as JSON.
#include <acre/acre.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using acre::global_ptr;
using clock_type = std::chrono::steady_clock;

constexpr int batches = 21;

template <class Operation>
double median_ns(int calls, Operation&& operation) {
  std::vector<double> times;
  for (int batch = 0; batch < batches; ++batch) {
    const auto begin = clock_type::now();
    for (int i = 0; i < calls; ++i) operation(i);
    const std::chrono::duration<double, std::nano> spent = clock_type::now() - begin;
    times.push_back(spent.count() / calls);
  }
  std::nth_element(times.begin(), times.begin() + batches / 2, times.end());
  return times[batches / 2];
}

struct result {
  std::string name;
  double nanoseconds;
};

volatile int pongs = 0;
constexpr auto ping = static_cast<acre::runtime::handler_id>(200);
constexpr auto pong = static_cast<acre::runtime::handler_id>(201);

void register_handlers() {
  using namespace acre::runtime;
  set_owner_handler(ping, [](const message& received) {
    send(received.header.source, pong, received.arguments);
  });
  set_owner_handler(pong, [](const message&) { pongs = pongs + 1; });
}

std::vector<result> measure_from_rank_zero(global_ptr<long> peer, int calls) {
  std::vector<result> results;
  const auto note = [&](const char* name, double ns) { results.push_back({name, ns}); };
  long sum = 0;
  note("put+quiet", median_ns(calls, [&](int i) {
         acre::put_nbi(peer, long{i});
         acre::quiet();
       }));
  note("put", median_ns(calls, [&](int i) { acre::put_nbi(peer, long{i}); }));
  acre::quiet();
  note("get", median_ns(calls, [&](int) { sum += acre::get(peer); }));
  note("fetch-add", median_ns(calls, [&](int) { sum += acre::fetch_add(peer, 1); }));
  note("am-round-trip", median_ns(calls / 10, [&](int i) {
         const auto word = static_cast<acre::runtime::word>(i);
         const int before = pongs;
         acre::runtime::send(peer.rank(), ping, std::span(&word, 1));
         acre::runtime::wait_until([&] { return pongs != before; }, "pong");
       }));
  note("rpc-round-trip", median_ns(calls / 10, [&](int i) {
         sum += acre::rpc(peer.rank(), [](int x) { return x + 1; }, i).get();
       }));
  if (sum == 42) std::puts("");
  return results;
}

double ping_pong_ns(global_ptr<long> mine, global_ptr<long> peer, int calls) {
  const std::atomic_ref<long> word(*mine.local());
  long round = 0;
  return median_ns(calls, [&](int) {
    ++round;
    const auto arrived = [&] { return word.load(std::memory_order_acquire) >= round; };
    if (acre::rank() == 0) {
      acre::put(peer, round);
      acre::runtime::wait_until(arrived, "ping-pong");
    } else {
      acre::runtime::wait_until(arrived, "ping-pong");
      acre::put(peer, round);
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  register_handlers();
  const acre::job job;
  const int calls = argc > 1 ? std::stoi(argv[1]) : 200'000;
  auto* block = static_cast<long*>(acre::runtime::allocate_symmetric(256));
  std::fill_n(block, 16, 0L);
  const auto offset = acre::runtime::segment_offset(block);
  const global_ptr<long> mine(acre::rank(), offset);
  const global_ptr<long> peer(1 - acre::rank(), offset);
  acre::barrier();
  std::vector<result> results;
  if (acre::rank() == 0) results = measure_from_rank_zero(peer, calls);
  acre::barrier();
  const double barrier = median_ns(calls / 10, [](int) { acre::barrier(); });
  const double ping_pong = ping_pong_ns(mine + 8, peer + 8, calls / 10);
  results.push_back({"barrier", barrier});
  results.push_back({"ping-pong-round-trip", ping_pong});
  acre::barrier();
  if (acre::rank() == 0) {
    std::printf("{\"conduit\": \"%s\"", acre::conduit_name().c_str());
    for (const auto& [name, ns] : results) std::printf(", \"%s\": %.1f", name.c_str(), ns);
    std::printf("}\n");
  }
}
