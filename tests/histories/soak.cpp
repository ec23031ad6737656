// SPDX-License-Identifier: BSD-3-Clause
// acre-soak: random histories of all containers.
//
//     acre run -n 4 acre-soak --seconds 60
// acre run -n 4 acre-soak --seed 42 --only "hash_map of words"     # repeats a round
#include "trial.hpp"

#include <fmt/format.h>
#include <tools/command_line/command_line.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace histories;

struct request {
  double seconds = 0;
  std::uint64_t rounds = 0;
  std::uint64_t seed = 0;
  std::uint64_t length = 1;
  std::string only;
};

struct tally {
  std::uint64_t rounds = 0;
  std::uint64_t operations = 0;
};

std::vector<subject> all_subjects() {
  std::vector<subject> all = map_subjects();
  for (const auto& more :
       {multimap_subjects(), ordered_subjects(), array_subjects(), queue_subjects(),
        deque_subjects(), bag_subjects(), filter_subjects(), set_subjects(), distributor_subjects(),
        moving_object_subjects(), reference_subjects(), collection_subjects()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

int soak(const request& wanted) {
  std::uint64_t seed = wanted.seed;
  if (seed == 0) seed = acre::world().broadcast(std::uint64_t{std::random_device{}()}, 0);
  const std::vector<subject> subjects = all_subjects();
  std::vector<tally> done(subjects.size());
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    return acre::world().broadcast(spent.count(), 0);
  };
  if (acre::rank() == 0) {
    fmt::print("soak: seed {}, {} ranks, {}\n", seed, acre::size(), acre::conduit_name());
    std::fflush(stdout);
  }
  double reported = 0;
  std::uint64_t number = 0;
  for (;; ++number) {
    const double now = elapsed();
    if (wanted.seconds > 0 ? now >= wanted.seconds
                           : number >= std::max<std::uint64_t>(wanted.rounds, 1)) {
      break;
    }
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (!wanted.only.empty() && wanted.only != subjects[i].name) continue;
      trial round(seed + number, wanted.length);
      const std::uint64_t undecided_before = undecided;
      const bool fine = subjects[i].run(round);
      if (undecided != undecided_before) {
        fmt::print("soak: undecided within the limit of the search: --seed {} --only \"{}\"\n",
                   seed + number, subjects[i].name);
      }
      ++done[i].rounds;
      done[i].operations += acre::world().allreduce(round.recorded());
      if (fine) continue;
      if (acre::rank() == 0) {
        fmt::print(
            stderr,
            "soak: the history above has no valid order: --seed {} --only \"{}\" on {} ranks, {}\n",
            seed + number, subjects[i].name, acre::size(), acre::conduit_name());
      }
      acre::barrier();
      return 1;
    }
    if (acre::rank() == 0 && now - reported >= 60) {
      reported = now;
      fmt::print("soak: {:.0f} s, {} rounds of each\n", now, number + 1);
      std::fflush(stdout);
    }
  }
  if (acre::rank() == 0) {
    std::uint64_t operations = 0;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      fmt::print("  {:<28} {:>8} rounds {:>12} operations\n", subjects[i].name, done[i].rounds,
                 done[i].operations);
      operations += done[i].operations;
    }
    fmt::print("soak: {} operations, all explained (seeds {} to {})", operations, seed,
               seed + number - 1);
    fmt::print("{}\n", undecided == 0 ? "" : fmt::format(", but for {} undecided", undecided));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{
      "Runs randomised histories of all containers and checks them.", "acre-soak"};
  program.add("--seconds", wanted.seconds, "run for this number of seconds");
  program.add("--rounds", wanted.rounds, "run this number of rounds");
  program.add("--seed", wanted.seed, "seed the first round (default: random)");
  program.add("--length", wanted.length, "multiply the operations of rounds of objects by N");
  program.add("--only", wanted.only, "run only this kind of round");
  if (const auto why = program.parse(argc, argv)) return print_once(*why);
  const acre::job job;
  return soak(wanted);
}
