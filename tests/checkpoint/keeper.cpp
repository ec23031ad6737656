// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of a ring of moved objects, also when a rank dies.
//
//     checkpoint-keeper write FILE          writes round 1
//     checkpoint-keeper read FILE           walks the ring, prints "round R: N members"
//     checkpoint-keeper die-soon FILE RANK  writes until RANK dies
//     checkpoint-keeper die-saving FILE RANK  RANK dies while writing round 3
//     checkpoint-keeper lose FILE           removes the folder, throws "the cause"
#include <acre/objects.hpp>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

bool dies_in_round_3 = false;

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

struct bead {
  std::size_t number = 0;
  int round = 1;
  acre::object_id<bead> next;
  std::vector<int> weight;

  void set_round(int now) {
    round = now;
    weight.assign(weight.size(), now);
  }
  void thread_on(const acre::collection_id<bead>& all) {
    next = all[(number + 1) % all.size()];
    weight.assign(100 * (number % 10), 1);
  }
  void follow(const std::vector<std::size_t>& before, const acre::object_id<bead>& first) {
    std::vector<std::size_t> so_far = before;
    so_far.push_back(number);
    if (next != first) return acre::invoke_ff(next, &bead::follow, so_far, first);
    bool is_whole = true;
    for (std::size_t i = 0; i < so_far.size(); ++i) is_whole = is_whole && so_far[i] == i;
    if (is_whole) std::printf("round %d: %zu members\n", round, so_far.size());
  }
  [[nodiscard]] int is_of(int wanted) const {
    for (const int each : weight) {
      if (each != wanted) return 0;
    }
    return round == wanted && weight.size() == 100 * (number % 10) ? 1 : 0;
  }

  using state = std::tuple<std::size_t, int, acre::object_id<bead>, std::vector<int>>;
  friend state acre_save(const bead& b) {
    if (dies_in_round_3 && b.round == 3 && b.number % 2 == 1) die();
    return {b.number, b.round, b.next, b.weight};
  }
  friend bead acre_load(std::type_identity<bead>, state from) {
    return std::apply([](auto&... each) { return bead{std::move(each)...}; }, from);
  }
};

using ring = acre::object_collection<bead>;

ring make_ring() {
  auto beads = acre::make_collection<bead>(50, [](std::size_t i) { return bead{i, 1, {}, {}}; });
  acre::invoke_all(beads, &bead::thread_on, beads.id());
  for (std::size_t i = acre::rank(); i < beads.size(); i += acre::size()) {
    static_cast<void>(acre::migrate(beads[i], acre::rank_t(i / 3) % acre::size()));
  }
  acre::drain();
  return beads;
}

void read(const std::string& path) {
  const auto beads = acre::restore<ring>(path);
  const int round = acre::invoke(beads[0], &bead::round).get();
  const int right = acre::invoke_reduce(beads, acre::op::sum, &bead::is_of, round);
  if (acre::rank() == 0 && right == 50) {
    acre::invoke_ff(beads[0], &bead::follow, std::vector<std::size_t>(), beads[0]);
  }
  acre::drain();
}

void die_in_a_moment() {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    die();
  }).detach();
}

void write_for_ever(const std::string& path, bool dies_soon) {
  const auto beads = make_ring();
  for (int round = 1;; ++round) {
    acre::invoke_all(beads, &bead::set_round, round);
    acre::checkpoint(beads, path);
    if (dies_soon && round == 1) die_in_a_moment();
  }
}

/// Prevents reports in this folder.
void fail_with_folder(const std::string& path) {
  if (acre::rank() != 0) return;
  std::filesystem::remove_all(std::filesystem::path(path).parent_path());
  acre::rpc_ff(0, [] { throw std::runtime_error("the cause"); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string what = argv[1];
  const acre::job job;
  const bool is_victim = argc > 3 && acre::rank() == static_cast<acre::rank_t>(std::atoi(argv[3]));
  if (what == "write") acre::checkpoint(make_ring(), argv[2]);
  if (what == "read") read(argv[2]);
  if (what == "lose") fail_with_folder(argv[2]);
  dies_in_round_3 = is_victim && what == "die-saving";
  if (what.starts_with("die")) write_for_ever(argv[2], is_victim && what == "die-soon");
}
