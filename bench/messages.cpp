// SPDX-License-Identifier: BSD-3-Clause
// Round trips and floods of RPCs with a span between two ranks: best nanoseconds per call, as JSON.
#include <acre/acre.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using bytes_view = acre::message_view<char>;

template <class Body>
double nanoseconds(unsigned calls, Body&& body) {
  double best = 1e300;
  for (int run = 0; run < 15; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    best = std::min(best, spent.count() / calls);
  }
  return best;
}

constexpr auto take = [](bytes_view) {};

void await_target(acre::rank_t target) {
  acre::rpc(target, [] {}).wait();
}

double round_trip(acre::rank_t peer, const std::vector<char>& data, unsigned calls) {
  acre::barrier();
  double best = 0;
  if (acre::rank() == 0) {
    best = nanoseconds(calls, [&] {
      for (unsigned i = 0; i < calls; ++i)
        acre::rpc(peer, take, acre::make_message_view(data)).wait();
    });
  }
  acre::barrier();
  return best;
}

void flood(acre::rank_t peer, const std::vector<char>& data, unsigned calls) {
  for (unsigned i = 0; i < calls; ++i) acre::rpc_ff(peer, take, acre::make_message_view(data));
  await_target(peer);
}

double one_way(acre::rank_t peer, const std::vector<char>& data, unsigned calls) {
  acre::barrier();
  double best = 0;
  if (acre::rank() == 0) best = nanoseconds(calls, [&] { flood(peer, data, calls); });
  acre::barrier();
  return best;
}

double both_ways(acre::rank_t peer, const std::vector<char>& data, unsigned calls) {
  acre::barrier();
  return nanoseconds(calls, [&] {
    flood(peer, data, calls);
    acre::barrier();
  });
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  const unsigned calls = argc > 1 ? static_cast<unsigned>(std::stoi(argv[1])) : 20'000;
  const acre::rank_t peer = 1 - acre::rank();
  std::string line;
  const auto note = [&](const char* name, std::size_t bytes, double ns) {
    line +=
        ", \"" + std::string(name) + "_" + std::to_string(bytes) + "_ns\": " + std::to_string(ns);
  };
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{512}, std::size_t{8192}, std::size_t{32768}}) {
    const std::vector<char> data(bytes);
    note("rpc_round_trip", bytes, round_trip(peer, data, calls / 10));
    note("rpc_one_way", bytes, one_way(peer, data, calls));
    note("rpc_both_ways", bytes, both_ways(peer, data, calls));
  }
  if (acre::rank() == 0) {
    std::printf("{\"conduit\": \"%s\"%s}\n", acre::conduit_name().c_str(), line.c_str());
  }
}
