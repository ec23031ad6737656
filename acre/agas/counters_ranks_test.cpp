// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/counter_sampler.hpp>
#include <acre/agas/counters.hpp>
#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/names.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

struct cell {
  int value = 0;
  int add(int more) { return value += more; }
  friend auto acre_fields(cell& c) { return std::tie(c.value); }
};

std::atomic<acre::rank_t> ready = 0;
std::atomic<bool> is_over = false;

struct totals {
  std::uint64_t messages = 0;
  std::map<std::string, std::uint64_t, std::less<>> counters;

  std::uint64_t operator[](std::string_view counter) const {
    return counters.find(counter)->second;
  }
};

totals all_now() {
  totals now;
  for (const auto& each : acre::read_agas_counters("/agas{locality#*/total}/count/*")) {
    now.counters[each.name.substr(each.name.find('}') + 8)] += each.value;
  }
  for (acre::rank_t r = acre::size(); r-- > 0;) {
    now.messages += acre::rpc(r, [] { return acre::counters().messages; }).get();
  }
  return now;
}

void settle_all() {
  for (int round = 0; round < 3; ++round) {
    for (acre::rank_t from = 0; from < acre::size(); ++from) {
      for (acre::rank_t to = 0; to < acre::size(); ++to) {
        acre::rpc(from, [](acre::rank_t there) { return acre::rpc(there, [] {}); }, to).get();
      }
    }
  }
}

template <class Scenario>
totals what_it_took(Scenario&& scenario) {
  settle_all();
  const totals before = all_now();
  scenario();
  settle_all();
  totals after = all_now();
  after.messages -= before.messages;
  for (auto& [name, value] : after.counters) value -= before[name];
  return after;
}

template <class Scenario>
totals cost_of(Scenario&& scenario) {
  const std::uint64_t nothing = what_it_took([] {}).messages;
  totals cost = what_it_took(scenario);
  cost.messages -= nothing;
  return cost;
}

template <class Test>
void on_rank_0(Test&& test) {
  acre::barrier();
  acre::rpc_ff(0, [] { ++ready; });
  if (acre::rank() != 0) {
    while (!is_over) acre::progress();
  } else {
    while (ready != acre::size()) acre::progress();
    ready = 0;
    test();
    for (acre::rank_t r = 1; r < acre::size(); ++r) acre::rpc_ff(r, [] { is_over = true; });
  }
  acre::drain();
  is_over = false;
  acre::barrier();
}

#if ACRE_COUNTERS

void expect_cost(const totals& cost, std::uint64_t messages,
                 std::initializer_list<std::pair<std::string_view, std::uint64_t>> counters,
                 std::source_location where = std::source_location::current()) {
  const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), "cost");
  EXPECT_EQ(cost.messages, messages);
  for (const auto& [name, count] : counters) EXPECT_EQ(cost[name], count) << name;
}

template <class Test>
void with_cell(acre::rank_t ranks, Test&& test) {
  on_rank_0([&] {
    if (acre::size() < ranks) return;
    const auto object = acre::create_id<cell>(1).get();
    test(object);
    acre::destroy(object).get();
  });
}

TEST(AgasCounters, CountACallByARightHintAsOneMessageAndItsAnswer) {
  on_rank_0([] {
    const auto object = acre::create_id<cell>(acre::size() - 1).get();
    const totals cost = cost_of([&] { acre::invoke(object, &cell::add, 1).get(); });
    expect_cost(cost, 2U,
                {{"resolve_gid", 1U},
                 {"resolve_gid/here", acre::size() == 1 ? 1U : 0U},
                 {"resolve_gid/home", acre::size() == 1 ? 0U : 1U},
                 {"route", 0U},
                 {"calls/delivered", 1U},
                 {"calls/forwards", 0U}});
    acre::destroy(object).get();
  });
}

TEST(AgasCounters, CountACallWithoutAHintAndOneWithAStaleHint) {
  with_cell(3, [](const acre::object_id<cell>& object) {
    const auto call = [&] { acre::invoke(object, &cell::add, 1).get(); };
    acre::rpc(1, [](auto o) { return acre::migrate(o, 2); }, object).get();
    const totals missed = cost_of(call);
    expect_cost(missed, 2U + 1U + 1U,
                {{"cache/misses", 1U},
                 {"cache/insertions", 1U},
                 {"route", 1U},
                 {"hints/sent", 1U},
                 {"calls/forwards", 1U}});
    const totals hit = cost_of(call);
    expect_cost(
        hit, 2U,
        {{"cache/hits", 1U}, {"cache/misses", 0U}, {"resolve_gid/hint", 1U}, {"route", 0U}});
    acre::rpc(2, [](auto o) { return acre::migrate(o, 1); }, object).get();
    const totals stale = cost_of(call);
    expect_cost(stale, 2U + 1U + 1U,
                {{"resolve_gid/hint", 1U},
                 {"route", 1U},
                 {"cache/update_entry", 1U},
                 {"hints/sent", 1U},
                 {"calls/delivered", 1U}});
  });
}

TEST(AgasCounters, CountAsAMissOnlyACallWhoseObjectHasLeftItsHome) {
  with_cell(3, [](const acre::object_id<cell>& object) {
    constexpr unsigned calls = 5;
    const auto call = [&] { acre::invoke(object, &cell::add, 1).get(); };
    const auto call_all = [&] {
      for (unsigned i = 0; i < calls; ++i) call();
    };
    expect_cost(cost_of(call_all), 2 * calls,
                {{"cache/get_entry", calls}, {"cache/hits", 0U}, {"cache/misses", 0U}});
    acre::rpc(1, [](auto o) { return acre::migrate(o, 2); }, object).get();
    const std::uint64_t mine = acre::read_agas_counter("/agas/count/cache/misses");
    expect_cost(cost_of(call_all), 2 * calls + 1U + 1U,
                {{"cache/get_entry", calls}, {"cache/hits", calls - 1}, {"cache/misses", 1U}});
    EXPECT_EQ(acre::read_agas_counter("/agas/count/cache/misses"), mine + 1);
  });
}

TEST(AgasCounters, ReportByAHintAllMissesSinceTheLastOne) {
  with_cell(4, [](const acre::object_id<cell>& object) {
    acre::rpc(1, [](auto o) { return acre::migrate(o, 2); }, object).get();
    const auto forget = [&] { acre::agas::space().forget_hint_of(object.name()); };
    const totals cost = cost_of([&] {
      for (unsigned i = 0; i < 9; ++i) {
        acre::invoke(object, &cell::add, 1).get();
        acre::progress();
        forget();
      }
    });
    EXPECT_EQ(cost["route"], 9U);
    EXPECT_EQ(cost["hints/sent"], 2U);
    EXPECT_EQ(cost["cache/misses"], 9U);
  });
}

TEST(AgasCounters, CountAMoveAsThreeMessagesAndTheRequestAndItsAnswer) {
  with_cell(4, [](const acre::object_id<cell>& object) {
    acre::migrate(object, 2).get();
    acre::invoke(object, &cell::add, 1).get();
    const totals cost = cost_of([&] { acre::migrate(object, 3).get(); });
    expect_cost(cost, 3U + 2U,
                {{"begin_migration", 1U},
                 {"end_migration", 1U},
                 {"migration/asked", 1U},
                 {"route", 0U},
                 {"calls/delivered", 0U}});
  });
}

TEST(AgasCounters, CountAMoveFromItsHomeAndBackAsTwoMessagesAndTheRequestAndItsAnswer) {
  with_cell(3, [](const acre::object_id<cell>& object) {
    const totals leaves = cost_of([&] { acre::migrate(object, 2).get(); });
    EXPECT_EQ(leaves.messages, 2U + 2U);
    acre::invoke(object, &cell::add, 1).get();
    const totals comes = cost_of([&] { acre::migrate(object, 1).get(); });
    expect_cost(comes, 2U + 2U, {{"calls/kept", 0U}});
  });
}

std::optional<acre::promise<void>> end_of_call;
acre::future<void> run_until_told(cell&) {
  end_of_call.emplace();
  return end_of_call->get_future();
}

TEST(AgasCounters, CountNothingForCallsThatWaitAndGoAlong) {
  with_cell(3, [](const acre::object_id<cell>& object) {
    constexpr unsigned calls = 20;
    const totals cost = cost_of([&] {
      auto runs = acre::invoke(object, run_until_told);
      auto moved = acre::migrate(object, 2);
      std::vector<acre::future<int>> answers;
      for (unsigned i = 0; i < calls; ++i) answers.push_back(acre::invoke(object, &cell::add, 1));
      acre::rpc(1, [] { end_of_call->set_value(); }).get();
      runs.get();
      moved.get();
      for (unsigned i = 0; i < calls; ++i) EXPECT_EQ(answers[i].get(), int(i) + 1);
    });
    expect_cost(
        cost, 2 * calls + 2U + 2U + 4U,
        {{"calls/moved_along", calls}, {"calls/forwards", 0U}, {"hints/sent", 0U}, {"route", 0U}});
  });
}

void call_next(const acre::object_id<cell>& object, std::uint32_t number) {
  const acre::agas::held_lock hold(acre::agas::space().lock);
  acre::agas::space().streams[object.name()].next = number;
}

TEST(AgasCounters, CountNothingForCallsThatHaveComeTooEarlyAndGoAlong) {
  with_cell(3, [](const acre::object_id<cell>& object) {
    acre::invoke(object, &cell::add, 1).get();
    const totals cost = cost_of([&] {
      call_next(object, 3);
      auto early = acre::invoke(object, &cell::add, 3);
      call_next(object, 1);
      acre::migrate(object, 2).get();
      EXPECT_FALSE(early.is_ready());
      EXPECT_EQ(acre::invoke(object, &cell::add, 2).get(), 3);
      EXPECT_EQ(early.get(), 6);
      call_next(object, 4);
    });
    expect_cost(cost, 2U + 2U + 4U + 2U,
                {{"calls/early", 1U},
                 {"calls/moved_along", 1U},
                 {"calls/forwards", 1U},
                 {"hints/sent", 1U}});
  });
}

std::atomic<bool> may_arrive = false;

struct latecomer {
  int value = 0;
  int add(int more) { return value += more; }
  friend int acre_save(const latecomer& l) { return l.value; }
  friend latecomer acre_load(std::type_identity<latecomer>, int saved) {
    while (!may_arrive) acre::progress();
    may_arrive = false;
    return {saved};
  }
};

TEST(AgasCounters, CountACallThatHasOvertakenItsObjectOnceAtHome) {
  on_rank_0([] {
    if (acre::size() < 3) return;
    const auto object = acre::create_id<latecomer>(1).get();
    const totals cost = cost_of([&] {
      auto moved = acre::migrate(object, 2);
      auto answer = acre::invoke(object, &latecomer::add, 1);
      for (int i = 0; i < 100; ++i) acre::rpc(1, [] {}).get();
      EXPECT_FALSE(answer.is_ready());
      acre::rpc_ff(2, [] { may_arrive = true; });
      moved.get();
      EXPECT_EQ(answer.get(), 1);
    });
    expect_cost(cost, 200U + 4U + 1U + 2U + 3U + 1U, {{"calls/kept", 1U}, {"calls/forwards", 3U}});
    acre::destroy(object).get();
  });
}

TEST(AgasCounters, CountAHintForTheFirstOfEightCallsByTheSameDetour) {
  with_cell(3, [](const acre::object_id<cell>& object) {
    acre::rpc(1, [](auto o) { return acre::migrate(o, 2); }, object).get();
    const totals cost = cost_of([&] {
      for (int i = 0; i < 20; ++i) acre::invoke_ff(object, &cell::add, 1);
      EXPECT_EQ(acre::invoke(object, &cell::add, 1).get(), 21);
    });
    expect_cost(cost, 21U + 21U + 3U + 1U, {{"calls/forwards", 21U}, {"hints/sent", 3U}});
  });
}

TEST(AgasCounters, CountThreeMessagesForTheEndOfWhatIsAwayFromItsHome) {
  on_rank_0([] {
    if (acre::size() < 3) return;
    auto object = acre::create<cell>(1).get();
    acre::migrate(object, 2).get();
    settle_all();
    const totals cost = cost_of([&] { object = {}; });
    expect_cost(cost, 3U, {{"unbind_gid", 1U}});
  });
}

std::string name_that_lies_elsewhere() {
  std::string name = "/counted/";
  while (acre::size() > 1 && acre::rank_of_name(name) == acre::rank()) name += '.';
  return name;
}

TEST(AgasCounters, CountTwoMessagesForEachUseOfAName) {
  on_rank_0([] {
    const std::string name = name_that_lies_elsewhere();
    const std::uint64_t others = acre::size() == 1 ? 0 : 1;
    const auto object = acre::create_here<cell>();
    const totals bound = cost_of([&] { acre::register_name(name, object).get(); });
    expect_cost(bound, 2U, {{"bind", 1U}});
    const totals found = cost_of([&] { EXPECT_EQ(acre::resolve<cell>(name).get(), object); });
    expect_cost(found, 2U, {{"resolve", 1U}});
    const totals awaited =
        cost_of([&] { EXPECT_TRUE(acre::resolve_when_registered<cell>(name).get()); });
    expect_cost(awaited, 2U, {{"on_symbol_namespace_event", 1U}});
    const totals listed = cost_of([&] { EXPECT_EQ(acre::names_with_prefix(name).size(), 1U); });
    expect_cost(listed, 2U * acre::size(), {{"iterate_names", acre::size()}});
    const totals gone = cost_of([&] { EXPECT_TRUE(acre::unregister_name(name).get()); });
    expect_cost(gone, 2U + others,
                {{"unbind", 1U},
                 {"credit/batches", others},
                 {"decrement_credit", others},
                 {"unbind_gid", 0U}});
  });
}

TEST(AgasCounters, CountOneMessageForTheCreditOfManyObjects) {
  on_rank_0([] {
    constexpr unsigned count = 20;
    std::vector<acre::object_ref<cell>> objects;
    const totals made = cost_of([&] {
      for (unsigned i = 0; i < count; ++i) {
        objects.push_back(acre::create<cell>(acre::size() - 1).get());
      }
    });
    EXPECT_EQ(made["allocate"], count);
    EXPECT_EQ(made["bind_gid"], count);
    settle_all();
    const totals dropped = cost_of([&] { objects.clear(); });
    expect_cost(dropped, acre::size() == 1 ? 0U : 1U,
                {{"credit/batches", acre::size() == 1 ? 0U : 1U},
                 {"decrement_credit", count},
                 {"decrement_credit/batches", 1U},
                 {"unbind_gid", count}});
  });
}

TEST(AgasCounters, CountCreditThatIsIssuedAgain) {
  on_rank_0([] {
    auto object = acre::create_here<cell>();
    const totals cost = cost_of([&] {
      for (int i = 0; i < 30; ++i) {
        acre::rpc(acre::size() - 1, [](const acre::object_ref<cell>&) {}, object).get();
      }
    });
    EXPECT_GE(cost["increment_credit"], acre::size() == 1 ? 0U : 1U);
    EXPECT_LE(cost["increment_credit"], 2U);
  });
}

TEST(AgasCounters, CountWhatTheCacheForgets) {
  with_cell(3, [](const acre::object_id<cell>& object) {
    acre::migrate(object, 2).get();
    acre::invoke(object, &cell::add, 1).get();
    const std::uint64_t entries = acre::read_agas_counter("/agas/count/cache/entries");
    EXPECT_GE(entries, 1U);
    const totals cost = cost_of([&] { acre::migrate(object, 0).get(); });
    EXPECT_EQ(cost["cache/erase_entry"], 1U);
    EXPECT_EQ(acre::read_agas_counter("/agas/count/cache/entries"), entries - 1);
  });
}

TEST(AgasCounters, SumUpWhatBelongsTogether) {
  on_rank_0([] {
    const totals now = all_now();
    EXPECT_EQ(now["resolve_gid"], now["resolve_gid/here"] + now["resolve_gid/note"] +
                                      now["resolve_gid/directory"] + now["resolve_gid/hint"] +
                                      now["resolve_gid/home"]);
    EXPECT_GE(now["cache/get_entry"], now["cache/hits"] + now["cache/misses"]);
    EXPECT_LE(now["cache/misses"], now["route"]);
    EXPECT_GE(now["begin_migration"], now["end_migration"]);
  });
}

TEST(AgasCounters, TakeTimesWhereTheyAreWanted) {
  on_rank_0([] {
    const auto object = acre::create_id_here<cell>();
    const std::string time = "/agas/time/resolve_gid";
    const std::uint64_t before = acre::read_agas_counter(time);
    acre::invoke(object, &cell::add, 1).get();
    EXPECT_EQ(acre::read_agas_counter(time), before);
    acre::start_agas_times();
    for (int i = 0; i < 10; ++i) acre::invoke(object, &cell::add, 1).get();
    EXPECT_GT(acre::read_agas_counter(time), before);
    acre::stop_agas_times();
    acre::destroy(object).get();
  });
}

TEST(AgasCounters, TakeTimesOfTheCache) {
  with_cell(3, [](const acre::object_id<cell>& object) {
    constexpr const char* operations[] = {"get_entry", "insert_entry", "update_entry",
                                          "erase_entry"};
    const auto times = [&] {
      std::vector<std::uint64_t> found;
      for (const char* each : operations) {
        found.push_back(acre::read_agas_counter(std::string("/agas/time/cache/") + each));
      }
      return found;
    };
    const auto use_all = [&] {
      for (int i = 0; i < 20; ++i) {
        for (const acre::rank_t to : {2U, 1U, 0U}) {
          acre::rpc(
              1, [](auto o, acre::rank_t there) { return acre::migrate(o, there); }, object, to)
              .get();
          acre::invoke(object, &cell::add, 1).get();
        }
      }
    };
    const auto before = times();
    use_all();
    EXPECT_EQ(times(), before);
    acre::start_agas_times();
    use_all();
    acre::stop_agas_times();
    const auto after = times();
    for (std::size_t i = 0; i < after.size(); ++i) EXPECT_GT(after[i], before[i]) << operations[i];
  });
}

#endif

TEST(AgasCounters, AreFoundByTheirNames) {
  EXPECT_EQ(acre::read_agas_counters("/agas{locality#*/total}/count/route").size(), acre::size());
  const auto mine = acre::read_agas_counters("/agas/count/route");
  ASSERT_EQ(mine.size(), 1U);
  EXPECT_EQ(mine[0].name, "/agas{locality#" + std::to_string(acre::rank()) + "/total}/count/route");
  EXPECT_EQ(acre::read_agas_counters("/agas/*").size(), acre::agas_counter_names().size());
  for (const char* wrong :
       {"/agas/count/routes", "/agas{locality#99999/total}/count/route", "/threads/count/route",
        "/agas{locality#x/total}/count/route", "/agas{locality#0/worker}/count/route",
        "/agas/count/route@all", "/agas", ""}) {
    EXPECT_THROW(static_cast<void>(acre::read_agas_counters(wrong)), acre::error) << wrong;
  }
  EXPECT_THROW(static_cast<void>(acre::read_agas_counter("/agas/*")), acre::error);
  acre::barrier();
}

TEST(AgasCounters, RefuseServicesOfHpxThatAreMissingWithTheReason) {
  const auto refusal_of = [](const std::string& name) -> std::string {
    try {
      static_cast<void>(acre::read_agas_counters(name));
    } catch (const acre::error& failure) {
      return failure.what();
    }
    return {};
  };
  for (const char* service :
       {"bind_prefix", "unbind_name", "iterate_types", "num_localities_type", "free", "localities",
        "num_localities", "num_threads", "resolve_locality", "resolved_localities"}) {
    for (const char* kind : {"/agas/count/", "/agas{locality#0/total}/time/"}) {
      EXPECT_NE(refusal_of(std::string(kind) + service).find("HPX has it, but here"),
                std::string::npos)
          << kind << service;
    }
  }
  EXPECT_NE(refusal_of("/agas/locality/count").find("primary/count"), std::string::npos);
  EXPECT_NE(refusal_of("/agas/primary/count/route").find("nearest is count/route"),
            std::string::npos);
  EXPECT_NE(refusal_of("/agas/count/cache/hit").find("nearest is count/cache/hits"),
            std::string::npos);
}

std::string contents_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(AgasSampler, WritesARowForEachRankAndSample) {
  using namespace std::chrono_literals;
  const std::string stem =
      std::filesystem::temp_directory_path() / ("agas_sampler_" + std::to_string(::getpid()));
  const std::vector<std::string> names{"/agas{locality#*/total}/count/route",
                                       "/agas/count/cache/hits"};
  for (const char* ending : {".csv", ".json"}) {
    const std::string path = stem + ending;
    acre::agas_sampler sampler(path, names, 1h);
    EXPECT_TRUE(sampler.sample_when_due());
    EXPECT_FALSE(sampler.sample_when_due());
    sampler.sample();
    const std::string text = contents_of(path);
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    if (path.ends_with(".csv")) {
      EXPECT_TRUE(text.starts_with("seconds,locality,/agas/count/route,/agas/count/cache/hits\n"));
      EXPECT_EQ(lines, 1 + 2 * acre::size());
    } else {
      EXPECT_TRUE(text.starts_with("[\n{\"seconds\": "));
      EXPECT_TRUE(text.ends_with("}\n]\n")) << text;
      EXPECT_EQ(lines, 2 + 2 * acre::size());
    }
    std::filesystem::remove(path);
  }
  EXPECT_THROW(acre::agas_sampler(stem + ".txt", names, 1h), acre::error);
  acre::barrier();
}

}  // namespace
