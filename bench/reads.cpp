// SPDX-License-Identifier: BSD-3-Clause
// Finds at another node by a get and by a message, in turn: microseconds per call of rank 0, the
// least of several rounds.
//
//     ACRE_RANKS_PER_NODE=1 acre run -n 2 bench-reads [calls]
//
// "idle": the owner waits in a barrier. "busy": it computes, so that its helper thread serves
// messages, and gets of software.
#include <acre/acre.hpp>

#include <bench/phases.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace acre::guarantees;
using namespace acre::bench;

constexpr int rounds = 7;
constexpr std::array ways{acre::read_way::get, acre::read_way::message};

std::string lines;

template <class Find>
void measure_both(const std::string& name, acre::global_ptr<std::uint64_t> end, std::uint64_t calls,
                  bool is_busy, Find&& find) {
  std::array<double, 2> least{std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::max()};
  for (int round = 0; round < 2 * rounds; ++round) {
    const auto way = static_cast<std::size_t>(round % 2);
    acre::set_read_way(ways[way]);
    acre::barrier();
    if (acre::rank() == 0) {
      const stopwatch watch;
      for (std::uint64_t i = 0; i < calls; ++i) find(i);
      least[way] = std::min(least[way], 1e6 * watch.seconds() / static_cast<double>(calls));
      acre::put(end, static_cast<std::uint64_t>(round + 1));
    } else if (is_busy && acre::rank() == acre::size() - 1) {
      volatile const std::uint64_t* flag = end.local();
      while (*flag != static_cast<std::uint64_t>(round + 1)) {
      }
    }
    acre::barrier();
  }
  if (acre::rank() == acre::size() - 1) *end.local() = 0;
  acre::set_read_way(acre::read_way::automatic);
  std::array<char, 128> line{};
  std::snprintf(line.data(), line.size(), ", \"%s%s\": [%.2f, %.2f]", name.c_str(),
                is_busy ? ", busy" : ", idle", least[0], least[1]);
  lines += line.data();
}

template <class Container>
std::vector<std::uint64_t> keys_of_last(const Container& all, std::uint64_t first,
                                        std::size_t count) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t key = first; keys.size() < count; ++key) {
    if (all.owner(key).number() == acre::size() - 1) keys.push_back(key);
  }
  return keys;
}

template <std::size_t Bytes>
void measure_map(acre::global_ptr<std::uint64_t> end, std::uint64_t calls, bool is_busy) {
  constexpr std::size_t entries = 1000;
  acre::hash_map<std::uint64_t, std::array<std::uint64_t, Bytes / 8>> map(
      acre::world(), 2 * entries * acre::size());
  const auto present = keys_of_last(map, 0, entries);
  const auto absent = keys_of_last(map, present.back() + 1, entries);
  if (acre::rank() == 0) {
    for (const std::uint64_t key : present) map.insert(key, {key});
  }
  const std::string size = std::to_string(Bytes) + " bytes";
  measure_both("find " + size, end, calls, is_busy,
               [&](auto i) { keep((*map.find(present[i % entries], only<find>))[0]); });
  measure_both("absent " + size, end, calls, is_busy,
               [&](auto i) { keep(map.contains(absent[i % entries], only<find>)); });
}

void measure_filter(double rate, acre::global_ptr<std::uint64_t> end, std::uint64_t calls,
                    bool is_busy) {
  acre::bloom_filter<std::uint64_t> seen(acre::world(), 10'000 * acre::size(), rate);
  const auto items = keys_of_last(seen, 0, 1000);
  measure_both("filter of " + std::to_string(seen.block_bits()) + " bits", end, calls, is_busy,
               [&](auto i) { keep(seen.find(items[i % 1000])); });
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  const std::uint64_t calls = calls_wanted(argc, argv, 10'000, 1'000);
  acre::global_ptr<std::uint64_t> end;
  if (acre::rank() == acre::size() - 1) end = acre::make_global<std::uint64_t>(0);
  end = acre::world().broadcast(end, acre::size() - 1);
  for (const bool is_busy : {false, true}) {
    measure_filter(1e-2, end, calls, is_busy);
    measure_filter(1e-6, end, calls, is_busy);
    measure_map<8>(end, calls, is_busy);
    measure_map<256>(end, calls, is_busy);
    measure_map<1024>(end, calls, is_busy);
    measure_map<4096>(end, calls, is_busy);
    measure_map<16'384>(end, calls, is_busy);
    measure_map<32'768>(end, calls, is_busy);
  }
  if (acre::rank() == 0) {
    std::printf("{\"ranks\": %u, \"conduit\": \"%s\", \"unit\": \"us: get, message\"%s}\n",
                acre::size(), std::string(acre::conduit_name()).c_str(), lines.c_str());
  }
  acre::barrier();
  if (acre::rank() == acre::size() - 1) acre::destroy_global(end);
  return 0;
}
