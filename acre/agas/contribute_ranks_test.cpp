// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/collection.hpp>
#include <acre/agas/contribute.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using acre::base_test::failure_of;

struct monitor {
  std::vector<double> results = std::vector<double>(40);
  std::vector<std::string> texts;
  void take(const std::pair<std::uint64_t, double>& result) {
    results[result.first] += result.second;
  }
  void take_text(const std::string& text) { texts.push_back(text); }
  friend auto acre_fields(monitor& m) { return std::tie(m.results, m.texts); }
};

struct worker {
  std::size_t number = 0;
  std::vector<double> heard = std::vector<double>(40);
  worker() = default;
  explicit worker(std::size_t own) : number(own) {}

  void step(std::uint64_t round, const acre::collection_id<worker>& all,
            const acre::object_id<monitor>& to) {
    const auto add = [](const auto& a, const auto& b) {
      return std::pair<std::uint64_t, double>(a.first, a.second + b.second);
    };
    const std::pair<std::uint64_t, double> mine(round, double(number + round));
    acre::contribute(all, round, mine, add, to, &monitor::take);
  }
  void hear(double sum) { heard[0] += sum; }
  void tell_all(const acre::collection_id<worker>& all) {
    acre::contribute(all, 100, 1.0, acre::op::sum, all, &worker::hear);
  }
  template <class Section>
  void tell(const Section& some, std::uint64_t round, const acre::object_id<monitor>& to) {
    const auto append = [](const std::string& a, const std::string& b) { return a + b; };
    acre::contribute(some, round, std::to_string(number) + " ", append, to, &monitor::take_text);
  }
  void contribute_one(const acre::collection_id<worker>& all, const acre::object_id<monitor>& to) {
    acre::contribute(all, 7, std::string("x"), acre::op::max, to, &monitor::take_text);
  }
  void contribute_number(const acre::collection_id<worker>& all,
                         const acre::object_id<monitor>& to) {
    acre::contribute(all, 7, std::pair<std::uint64_t, double>(0, 1), acre::op::max, to,
                     &monitor::take);
  }
  friend auto acre_fields(worker& w) { return std::tie(w.number, w.heard); }
};

const auto by_number = [](std::size_t i) { return i; };

acre::object_ref<monitor> shared_monitor() {
  acre::object_ref<monitor> made;
  if (acre::rank() == 0) made = acre::create_here<monitor>();
  const auto name = acre::world().broadcast(made.id(), 0);
  return acre::rank() == 0 ? made
                           : acre::object_ref<monitor>(acre::agas::refer_to(name.name()).get());
}

TEST(ContributeSmoke, CombinesTheValuesOfAllMembersWhileTheyMove) {
  constexpr std::size_t extent = 17;
  constexpr std::uint64_t rounds = 40;
  const auto to = shared_monitor();
  {
    const auto all = acre::make_collection<worker>(extent, by_number);
    for (std::uint64_t i = 0; i < rounds; ++i) {
      const std::uint64_t round = (7 * i) % rounds;
      for (std::size_t m = acre::rank(); m < extent; m += acre::size()) {
        acre::invoke_ff(all[m], &worker::step, round, all.id(), to.id());
        if ((i + m) % 3 == 0) {
          static_cast<void>(acre::migrate(all[m], acre::rank_t(m + i) % acre::size()));
        }
      }
    }
    acre::drain();
    const auto results = acre::invoke(to, &monitor::results).get();
    for (std::uint64_t round = 0; round < rounds; ++round) {
      EXPECT_EQ(results[round], double(extent * (extent - 1) / 2 + extent * round)) << round;
    }
  }
  acre::barrier();
}

TEST(ContributeSmoke, BringsTheResultToAllMembers) {
  const auto all = acre::make_collection<worker>(2 * acre::size() + 1, by_number);
  acre::invoke_all(all, &worker::tell_all, all.id());
  acre::drain();
  const double extent = double(all.size());
  const auto heard = [](const worker& w) { return w.heard[0]; };
  EXPECT_EQ(acre::invoke_reduce(all, acre::op::min, heard), extent);
  EXPECT_EQ(acre::invoke_reduce(all, acre::op::max, heard), extent);
}

TEST(Contribute, CombinesThoseOfASectionInOrder) {
  const auto to = shared_monitor();
  const auto all = acre::make_collection<worker>(
      12, [](std::size_t i) { return acre::rank_t(i) % acre::size(); }, by_number);
  const auto even = acre::section(all, 0, 12, 2);
  const auto few = acre::section(all, std::vector<std::size_t>{3, 11});
  acre::invoke_all(even, &worker::tell<decltype(even)>, even, std::uint64_t{1}, to.id());
  acre::invoke_all(few, &worker::tell<decltype(few)>, few, std::uint64_t{1}, to.id());
  acre::drain();
  auto texts = acre::invoke(to, &monitor::texts).get();
  std::ranges::sort(texts);
  EXPECT_EQ(texts, (std::vector<std::string>{"0 2 4 6 8 10 ", "3 11 "}));
  acre::barrier();
  const auto below = [&](std::size_t from, std::size_t end) {
    return acre::section(all, [from, end](std::size_t i) { return from <= i && i < end; });
  };
  for (const auto& some : {below(0, 2), below(9, 11)}) {
    acre::invoke_all(some, &worker::tell<std::remove_cvref_t<decltype(some)>>, some,
                     std::uint64_t{3}, to.id());
  }
  const auto first = acre::section(all, [](std::size_t i) { return i == 0; });
  const auto last = acre::section(all, [](std::size_t i) { return i == 11; });
  acre::invoke_all(first, &worker::tell<decltype(first)>, first, std::uint64_t{3}, to.id());
  acre::invoke_all(last, &worker::tell<decltype(last)>, last, std::uint64_t{3}, to.id());
  acre::drain();
  texts = acre::invoke(to, &monitor::texts).get();
  std::ranges::sort(texts);
  EXPECT_EQ(texts,
            (std::vector<std::string>{"0 ", "0 1 ", "0 2 4 6 8 10 ", "11 ", "3 11 ", "9 10 "}));
  if (acre::rank() == 0) {
    EXPECT_NE(failure_of([&] {
                acre::invoke(all[1], &worker::tell<decltype(even)>, even, std::uint64_t{2}, to.id())
                    .get();
              }).find("is no member of this section"),
              std::string::npos);
  }
  acre::barrier();
}

std::string lost_failure() {
  const std::exception_ptr failure = acre::runtime::pop_lost_failure();
  if (failure == nullptr) return {};
  return failure_of([&] { std::rethrow_exception(failure); });
}

TEST(Contribute, ReportsRepeatedAndDifferentValuesAtTheHome) {
  const acre::runtime::failures_held held;
  const auto to = shared_monitor();
  acre::rank_t home = 0;
  {
    const auto all = acre::make_collection<worker>(3 * acre::size(), by_number);
    home = all[0].name().home();
    for (int i = 0; i < 2; ++i) {
      if (acre::rank() == 0) {
        acre::invoke(all[0], &worker::contribute_one, all.id(), to.id()).get();
      }
    }
    acre::drain();
    EXPECT_EQ(lost_failure().find("member 0 contributes twice to reduction 7") != std::string::npos,
              acre::rank() == home);
    acre::barrier();
    if (acre::rank() == 0) {
      acre::invoke(all[1], &worker::contribute_number, all.id(), to.id()).get();
    }
    acre::drain();
    EXPECT_EQ(lost_failure().find("different types, operations or targets") != std::string::npos,
              acre::rank() == home);
    acre::barrier();
  }
  EXPECT_EQ(lost_failure().find("reduction 7 has 1 of the 3 contributions") != std::string::npos,
            acre::rank() == home);
  acre::barrier();
}

TEST(Contribute, ReportsIncompleteRoundsAtTheEndOfTheCollection) {
  const acre::runtime::failures_held held;
  const auto to = shared_monitor();
  const acre::rank_t home = [&] {
    const auto all = acre::make_collection<worker>(3 * acre::size(), by_number);
    if (acre::rank() == 0) {
      acre::invoke(all[1], &worker::contribute_one, all.id(), to.id()).get();
    }
    return all[1].name().home();
  }();
  EXPECT_EQ(lost_failure().find("reduction 7 has 1 of the 3 contributions") != std::string::npos,
            home == acre::rank());
  EXPECT_TRUE(acre::invoke(to, &monitor::texts).get().empty());
  acre::barrier();
}

TEST(Contribute, IsRefusedOutsideOfMembers) {
  const auto to = shared_monitor();
  const auto all = acre::make_collection<worker>(3, by_number);
  EXPECT_NE(failure_of([&] {
              acre::contribute(all.id(), 1, 1.0, acre::op::sum, all.id(), &worker::hear);
            }).find("runs no function of an object"),
            std::string::npos);
  const auto stranger = acre::create_here<worker>();
  EXPECT_NE(failure_of([&] {
              acre::invoke(stranger, &worker::tell_all, all.id()).get();
            }).find("is no member of this collection"),
            std::string::npos);
  acre::barrier();
}

}  // namespace
