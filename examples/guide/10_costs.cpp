// SPDX-License-Identifier: BSD-3-Clause
// Costs of operations on the last rank's memory, in letters.
#include <acre/acre.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

constexpr std::size_t times = 100;

// The average cost of a call for the calling rank, as a line of text.
template <class F>
std::string cost_of(const std::string& what, F&& operation) {
  const acre::operation_counts before = acre::counters();
  for (std::size_t i = 0; i < times; ++i) operation(i);
  const acre::operation_counts spent = acre::counters() - before;
  std::string letters;
  const auto add = [&](std::uint64_t total, const char* letter) {
    const std::uint64_t rounded = (total + times / 2) / times;
    if (rounded != 0) letters += "  " + std::to_string(rounded) + ' ' + letter;
  };
  add(spent.reads, "R");
  add(spent.writes, "W");
  add(spent.atomics, "A");
  add(spent.messages, "M");
  if (letters.empty()) letters = "  l";  // only this rank's own memory
  return what + std::string(22 - what.size(), ' ') + letters + '\n';
}

int main() {
  using namespace acre::guarantees;
  const acre::job job;
  acre::array<long> numbers(acre::world(), acre::size());
  acre::hash_map<long, long> map(acre::world(), 1 << 16);
  acre::bloom_filter<long> filter(acre::world(), 1 << 16, 0.01);
  const acre::rank_t last = acre::size() - 1;
  std::vector<long> keys;  // owned by the last rank
  for (long key = 0; keys.size() < times; ++key) {
    if (map.owner(key).number() == last) keys.push_back(key);
  }

  std::string said;
  if (acre::rank() == 0) {
    said += cost_of("put", [&](std::size_t) { acre::put(numbers.pointer(last), 1L); });
    said +=
        cost_of("get", [&](std::size_t) { static_cast<void>(acre::get(numbers.pointer(last))); });
    said += cost_of("fetch_add", [&](std::size_t) { acre::fetch_add(numbers.pointer(last), 1L); });
    said += cost_of("rpc", [&](std::size_t) { acre::rpc(last, [] {}).get(); });
    said += cost_of("map.insert", [&](std::size_t i) { map.insert(keys[i], 1); });
    said += cost_of("map.insert, again", [&](std::size_t i) { map.insert(keys[i], 2); });
    said += cost_of("map.fetch_add", [&](std::size_t i) { map.fetch_add(keys[i], 1); });
    said += cost_of("map.find", [&](std::size_t i) { static_cast<void>(map.find(keys[i])); });
    said += cost_of("filter.insert", [&](std::size_t i) { filter.insert(keys[i]); });
    said += cost_of("filter.find", [&](std::size_t i) { static_cast<void>(filter.find(keys[i])); });
  }
  acre::barrier();  // from here to the next barrier, all ranks only find …
  if (acre::rank() == 0) {
    said += cost_of("map.find, only<find>",
                    [&](std::size_t i) { static_cast<void>(map.find(keys[i], only<find>)); });
  }
  acre::barrier();  // … and from here on, each rank uses only its own part
  if (acre::rank() == last) {
    said +=
        cost_of("map.fetch_add, local", [&](std::size_t i) { map.fetch_add(keys[i], 1, local); });
  }
  for (const std::string& each : acre::world().gather(said, 0)) std::printf("%s", each.c_str());
}
