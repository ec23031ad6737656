// SPDX-License-Identifier: BSD-3-Clause
// Members that call different collectives get an error instead of waiting for ever.
//
//     failure-apart pairs STEP   rank 0 and the others differ: every STEP-th pair
//     failure-apart ended        rank 0 ends its job, the others call all collectives
//
// Each on a team of its own; "ended" also on all ranks.
#include <acre/acre.hpp>
#include <acre/container/every_container_test.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

using acre::team;

struct collective {
  const char* name;
  bool waits_for_all;
  void (*call)(const team& members);
};

std::vector<long> many() { return std::vector<long>(20'000, 7); }
acre::rank_t last(const team& members) { return members.size() - 1; }

const collective of_teams[] = {
    {"barrier", true, [](const team& t) { t.barrier(); }},
    {"barrier_async", true, [](const team& t) { t.barrier_async().get(); }},
    {"broadcast", false, [](const team& t) { static_cast<void>(t.broadcast(1, 0)); }},
    {"broadcast_of_last", false, [](const team& t) { static_cast<void>(t.broadcast(1, last(t))); }},
    {"broadcast_text", false,
     [](const team& t) { static_cast<void>(t.broadcast(std::string("a"), 0)); }},
    {"broadcast_many", false,
     [](const team& t) {
       auto values = many();
       t.broadcast(std::span(values), 0);
     }},
    {"reduce", false, [](const team& t) { t.reduce(1, 0); }},
    {"reduce_to_last", false, [](const team& t) { t.reduce(1, last(t)); }},
    {"allreduce", true, [](const team& t) { static_cast<void>(t.allreduce(1)); }},
    {"allreduce_many", true,
     [](const team& t) {
       auto values = many();
       t.allreduce(std::span(values));
     }},
    {"allreduce_async", true, [](const team& t) { static_cast<void>(t.allreduce_async(1).get()); }},
    {"inclusive_scan", false, [](const team& t) { static_cast<void>(t.inclusive_scan(1)); }},
    {"exclusive_scan", false, [](const team& t) { static_cast<void>(t.exclusive_scan(1L)); }},
    {"gather", false, [](const team& t) { static_cast<void>(t.gather(1, 0)); }},
    {"gather_texts", false,
     [](const team& t) { static_cast<void>(t.gather(std::string("a"), last(t))); }},
    {"allgather", true, [](const team& t) { static_cast<void>(t.allgather(1)); }},
    {"allgather_many", true,
     [](const team& t) {
       const auto values = many();
       static_cast<void>(t.allgather(std::span(values)));
     }},
    {"allgather_texts", true,
     [](const team& t) { static_cast<void>(t.allgather(std::string("a"))); }},
    {"alltoall", true,
     [](const team& t) {
       const std::vector<int> values(t.size());
       static_cast<void>(t.alltoall(std::span(values)));
     }},
    {"alltoallv", true,
     [](const team& t) {
       static_cast<void>(t.alltoallv(std::vector<std::string>(t.size(), "a")));
     }},
    {"split", true, [](const team& t) { static_cast<void>(t.split(0)); }},
};

const std::vector<collective> all = [] {
  std::vector<collective> made(std::begin(of_teams), std::end(of_teams));
  acre::container::for_each_container([&]<class Container>(const Container& each) {
    made.push_back({each.name, true,
                    [](const team& t) { static_cast<void>(Container{}.template make<int>(t)); }});
  });
  return made;
}();
const std::size_t count = all.size();

/// Calls take tenths of a second.
constexpr unsigned watchdog_seconds = 60;

std::string failure_of(const collective& each, const team& members) {
  ::alarm(watchdog_seconds);
  try {
    each.call(members);
    // Runs deferred work of destructors.
    acre::progress();
  } catch (const acre::error& failure) {
    return failure.what();
  }
  return {};
}

int complaints = 0;

void complain(const std::string& about, const std::string& failure) {
  ++complaints;
  std::fprintf(stderr, "rank %u: %s: %s\n", acre::rank(), about.c_str(),
               failure.empty() ? "no error" : failure.c_str());
}

void make_pairs(std::size_t step) {
  for (std::size_t number = 0; number < count * count; number += step) {
    const collective& first = all[number / count];
    const collective& second = all[number % count];
    const team members = acre::world().split(0);
    if (std::getenv("ACRE_TEST_VERBOSE") != nullptr && acre::rank() == 0) {
      std::fprintf(stderr, "%s, %s\n", first.name, second.name);
    }
    const std::string failure = failure_of(acre::rank() == 0 ? first : second, members);
    const bool is_one = &first == &second;
    // Over a network variants may use equal messages.
    const std::string_view name = first.name;
    const std::string_view other = second.name;
    const bool may_fit =
        name == other.substr(0, name.size()) || other == name.substr(0, other.size());
    const bool must_fail = !may_fit && second.waits_for_all && acre::rank() != 0;
    if ((must_fail && failure.empty()) || (is_one && !failure.empty())) {
      complain(std::string(first.name) + " on rank 0, " + second.name + " on the others", failure);
    }
    acre::barrier();
  }
}

void be_left_by_rank_0() {
  std::vector<team> teams;
  for (std::size_t i = 0; i < count; ++i) teams.push_back(acre::world().split(0));
  if (acre::rank() == 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string failure = failure_of(all[i], teams[i]);
    const bool is_named = failure.find("rank 0 has already finalised its job") != std::string::npos;
    if ((!failure.empty() && !is_named) || (failure.empty() && all[i].waits_for_all)) {
      complain(all[i].name, failure);
    }
  }
  const std::string failure = failure_of(all[0], acre::world());
  if (failure.find("rank 0 has already finalised its job") == std::string::npos)
    complain("world", failure);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode != "ended" && (mode != "pairs" || argc != 3)) {
    std::fprintf(stderr, "usage: failure-apart pairs STEP | ended\n");
    return 2;
  }
  {
    const acre::job job;
    if (mode == "pairs") make_pairs(std::strtoul(argv[2], nullptr, 10));
    if (mode == "ended") be_left_by_rank_0();
    ::alarm(watchdog_seconds);
  }
  return complaints == 0 ? 0 : 1;
}
