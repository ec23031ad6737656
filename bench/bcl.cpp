// SPDX-License-Identifier: BSD-3-Clause
// The operations of BCL's Figs. 9 to 11: rates of all ranks, and costs per call.
//
//     bench-bcl hash_map|queues [calls [rounds]]      calls: per rank and operation
//
// "One queue" is on rank 0; "many": one per rank, called in turn.
#include <acre/acre.hpp>

#include <bench/costs.hpp>
#include <bench/keys.hpp>
#include <bench/phases.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace acre::guarantees;
using namespace acre::bench;

class measurement {
 public:
  measurement(std::uint64_t calls, int rounds) : calls_(calls), rounds_(rounds) {}

  template <class Operation>
  void each(const std::string& name, Operation&& operation) {
    whole(name, [&] {
      for (std::uint64_t i = 0; i < calls_; ++i) operation(i);
    });
  }
  template <class Phase>
  void whole(const std::string& name, Phase&& phase) {
    costs_.measure(rates_, name, calls_, phase);
  }

  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  [[nodiscard]] int rounds() const { return rounds_; }
  void print() { acre::bench::print(rates_, calls_, costs_.text()); }

 private:
  std::uint64_t calls_;
  int rounds_;
  rates rates_;
  costs costs_;
};

void measure_map(measurement& by) {
  acre::hash_map<std::uint64_t, std::uint64_t> map(acre::world(), 2 * by.calls() * acre::size());
  const auto [mine, others] = key_sets();
  for (int round = 0; round < by.rounds(); ++round) {
    by.whole("insert, buffered", [&] {
      acre::buffered writer(map, acre::inserting);
      for (std::uint64_t i = 0; i < by.calls(); ++i) writer.insert(mine(i), i);
    });
    map.clear();
    by.each("insert", [&](auto i) { map.insert(mine(i), i); });
    by.each("find", [&](auto i) { keep(*map.find(others(i))); });
    by.each("find, only<find>", [&](auto i) { keep(*map.find(others(i), only<find>)); });
    map.clear();
  }
}

/// Moves one value per call, to all queues in turn.
template <class Queue, class... Guarantee>
void push_and_pop(measurement& by, std::vector<Queue>& queues, const std::string& kind,
                  Guarantee... guarantees) {
  const auto next = [&](std::uint64_t i) -> Queue& {
    return queues[(acre::rank() + i) % queues.size()];
  };
  const auto push_by = [&](auto guarantee, const std::string& more) {
    by.each(kind + " push" + more, [&](auto i) { next(i).push(i, guarantee); });
  };
  const auto pop_by = [&](auto guarantee, const std::string& more) {
    by.each(kind + " pop" + more, [&](auto i) { keep(*next(i).pop(guarantee)); });
  };
  (push_by(guarantees, ""), ...);
  (pop_by(guarantees, ""), ...);
  push_by(only<push>, ", only<push>");
  pop_by(only<pop>, ", only<pop>");
}

void measure_queues(measurement& by, acre::rank_t hosts, const std::string& number) {
  std::vector<acre::circular_queue<std::uint64_t>> circular;
  std::vector<acre::fast_queue<std::uint64_t>> fast;
  const std::uint64_t most = (by.calls() / hosts + 1) * acre::size();
  for (acre::rank_t host = 0; host < hosts; ++host) {
    circular.emplace_back(acre::world(), acre::hosted_by{host}, most);
    fast.emplace_back(acre::world(), acre::hosted_by{host}, most);
  }
  for (int round = 0; round < by.rounds(); ++round) {
    push_and_pop(by, circular, number + ", circular", acre::no_guarantee{});
    push_and_pop(by, fast, number + ", fast");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what != "hash_map" && what != "queues") {
    if (acre::rank() == 0)
      std::fprintf(stderr, "usage: bench-bcl hash_map|queues [calls [rounds]]\n");
    return 2;
  }
  measurement by(calls_wanted(argc - 1, argv + 1, 200'000, 1'000),
                 argc > 3 ? std::atoi(argv[3]) : 3);
  if (what == "hash_map") {
    measure_map(by);
  } else {
    measure_queues(by, 1, "one");
    measure_queues(by, acre::size(), "many");
  }
  by.print();
  return 0;
}
