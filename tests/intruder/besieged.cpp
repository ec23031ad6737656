// SPDX-License-Identifier: BSD-3-Clause
// A job that communicates until FOLDER/end exists, and checks its results. It writes `ready` and,
// for attacks on another job, its `keys`.
//
//     intruder-besieged FOLDER
#include <acre/acre.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/runtime/network_line.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  throw acre::error("besieged", std::string("wrong: ") + what);
}

void give_keys_away(const std::filesystem::path& file) {
  std::ofstream keys(file);
  keys << std::hex;
  for (const std::uint64_t each : acre::runtime::network_line.keys) keys << each << '\n';
}

}  // namespace

int main(int, char** argv) {
  const acre::job job;
  const std::filesystem::path folder(argv[1]);
  const auto next = (acre::rank() + 1) % acre::size();
  acre::dist_object<acre::global_ptr<std::uint64_t>> blocks(acre::world(),
                                                            acre::allocate<std::uint64_t>(1024));
  const acre::global_ptr<std::uint64_t> there = blocks.fetch(next).get();
  acre::hash_map<std::uint64_t, std::uint64_t> map(acre::world(), 4096);
  // Memory not written any more, to detect an attacker's changes.
  std::vector<std::uint64_t> untouched(512, 0x5a5a5a5a5a5a5a5aU);
  acre::put(there + 512, std::span<const std::uint64_t>(untouched));
  acre::barrier();
  if (acre::rank() == 0) {
    give_keys_away(folder / "keys");
    std::ofstream(folder / "ready") << "ready\n";
  }
  bool goes_on = true;
  for (std::uint64_t round = 1; goes_on; ++round) {
    acre::put(there, round);
    require(acre::get(there) == round, "a put");
    require(
        acre::rpc(next, [](std::uint64_t x) { return x + 1; }, round).get() == round + 1, "a call");
    map.insert(round % 1024 * acre::size() + acre::rank(), round);
    std::vector<std::uint64_t> back(512);
    acre::get(there + 512, std::span(back));
    require(back == untouched, "what nobody has written to");
    const bool is_over = std::filesystem::exists(folder / "end");
    goes_on = acre::world().allreduce(is_over ? 0 : 1, acre::op::min) != 0;
  }
  acre::barrier();
  return 0;
}
