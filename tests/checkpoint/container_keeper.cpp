// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of a multimap, as keeper.cpp.
#include <acre/acre.hpp>
#include <acre/algorithm/elements.hpp>
#include <acre/container/hash/hash_checkpoint.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unistd.h>
#include <utility>

namespace {

bool dies_in_round_3 = false;
bool is_saving = false;

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

struct note {
  int round = 0;
  std::string text;

  friend std::tuple<int, std::string> acre_save(const note& n) {
    if (is_saving && dies_in_round_3 && n.round == 3) die();
    return {n.round, n.text};
  }
  friend note acre_load(std::type_identity<note>, std::tuple<int, std::string> from) {
    return {std::get<0>(from), std::get<1>(std::move(from))};
  }
};
using notes = acre::hash_multimap<std::string, note>;
constexpr int keys = 200;

void fill(notes& all, int round) {
  for (int i = static_cast<int>(acre::rank()); i < keys; i += static_cast<int>(acre::size())) {
    for (int j = 0; j <= i % 5; ++j) {
      all.insert(std::to_string(i), {round, std::string(static_cast<std::size_t>(10 * i), 'x')});
    }
  }
}

void write_rounds(const std::string& path, int last, bool dies_soon) {
  notes all(acre::world(), 2 * keys);
  for (int round = 1; last == 0 || round <= last; ++round) {
    all.clear();
    fill(all, round);
    is_saving = true;
    acre::barrier();
    acre::checkpoint(all, path);
    is_saving = false;
    if (dies_soon && round == 1) {
      std::thread([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        die();
      }).detach();
    }
  }
}

void read(const std::string& path) {
  notes all(acre::world(), 10);
  acre::restore(all, path);
  const int round = acre::transform_reduce_on_all(
      all, 0, acre::op::max, [](const auto& each) { return each.second.round; });
  const bool is_whole = acre::all_of_on_all(all, [round](const auto& each) {
    return each.second.round == round && each.second.text.size() == 10 * std::stoul(each.first);
  });
  const auto values = static_cast<unsigned long>(all.size());
  const auto found = static_cast<unsigned long>(all.key_count());
  if (acre::rank() == 0 && is_whole) {
    std::printf("round %d: %lu values of %lu keys\n", round, values, found);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string what = argv[1];
  const acre::job job;
  const bool is_victim = argc > 3 && acre::rank() == static_cast<acre::rank_t>(std::atoi(argv[3]));
  if (what == "write") write_rounds(argv[2], 1, false);
  if (what == "read") read(argv[2]);
  dies_in_round_3 = is_victim && what == "die-saving";
  if (what.starts_with("die")) write_rounds(argv[2], 0, is_victim && what == "die-soon");
}
