// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>
#include <acre/base/failure_of_test.hpp>

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using acre::dist_object;
using acre::rank_t;
using acre::base_test::failure_of;

rank_t next_rank() { return (acre::rank() + 1) % acre::size(); }

void be_late(unsigned seed) {
  std::minstd_rand random(seed * 7919 + acre::rank() + 1);
  for (auto turns = random() % 300; turns != 0; --turns) acre::progress();
}

TEST(DistObject, SmokeIsTheTargetsOwn) {
  dist_object<int> number(acre::world(), static_cast<int>(acre::rank()) * 10);
  EXPECT_EQ(*number, static_cast<int>(acre::rank()) * 10);
  for (rank_t r = 0; r < acre::size(); ++r) {
    const int got =
        acre::rpc(
            r, [](dist_object<int>& there, int more) { return *there + more; }, number, 5)
            .get();
    EXPECT_EQ(got, static_cast<int>(r) * 10 + 5);
    EXPECT_EQ(number.fetch(r).get(), static_cast<int>(r) * 10);
  }
  EXPECT_EQ(number.members(), acre::world());
  EXPECT_EQ(number.name(), acre::world().broadcast(number.name(), 0));
  acre::barrier();
}

class distributed_map {
 public:
  acre::future<> insert(const std::string& key, const std::string& value) {
    return acre::rpc(
        home_of(key),
        [](dist_object<part>& mine, std::string&& its_key, std::string&& its_value) {
          mine->insert_or_assign(std::move(its_key), std::move(its_value));
        },
        parts_, key, value);
  }
  acre::future<std::optional<std::string>> find(const std::string& key) const {
    return acre::rpc(
        home_of(key),
        [](dist_object<part>& mine, const std::string& wanted) -> std::optional<std::string> {
          const auto found = mine->find(wanted);
          if (found == mine->end()) return std::nullopt;
          return found->second;
        },
        parts_, key);
  }
  [[nodiscard]] std::size_t local_size() const { return parts_->size(); }

 private:
  using part = std::unordered_map<std::string, std::string>;
  static rank_t home_of(const std::string& key) {
    return static_cast<rank_t>(std::hash<std::string>{}(key) % acre::size());
  }
  dist_object<part> parts_;
};

TEST(DistObject, SmokeMakesAHashMapOfAFewLines) {
  constexpr int each = 50;
  distributed_map map;
  const auto key_of = [](rank_t rank, int i) {
    return std::to_string(rank) + " " + std::to_string(i);
  };
  std::vector<acre::future<>> inserts;
  for (int i = 0; i < each; ++i) inserts.push_back(map.insert(key_of(acre::rank(), i), "v"));
  acre::when_all(std::move(inserts)).get();
  acre::barrier();
  for (int i = 0; i < each; ++i) EXPECT_EQ(map.find(key_of(next_rank(), i)).get(), "v");
  EXPECT_EQ(map.find("nobody's").get(), std::nullopt);
  EXPECT_EQ(acre::world().allreduce(map.local_size()), acre::size() * std::size_t{each});
  acre::barrier();
}

TEST(DistObject, MakesCallsWaitThatComeFirst) {
  for (unsigned round = 0; round < 20; ++round) {
    be_late(round);
    dist_object<std::vector<int>> log(acre::world());
    std::vector<acre::future<>> calls;
    for (int i = 0; i < 10; ++i) {
      calls.push_back(acre::rpc(
          next_rank(), [](dist_object<std::vector<int>>& there, int x) { there->push_back(x); },
          log, i));
    }
    acre::when_all(std::move(calls)).get();
    acre::barrier();
    std::vector<int> expected(10);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(*log, expected);
    acre::barrier();
  }
}

int plain_calls = 0;

TEST(DistObject, ACallThatWaitsHoldsNothingElseBack) {
  plain_calls = 0;
  acre::barrier();
  acre::future<int> waits;
  std::optional<dist_object<int>> late;
  if (acre::rank() == 0) {
    while (plain_calls != static_cast<int>(acre::size()) - 1) acre::progress();
    late.emplace(acre::world(), 7);
  } else {
    late.emplace(acre::world(), 0);
    waits = acre::rpc(0, [](dist_object<int>& there) { return *there; }, *late);
    acre::rpc(0, [] { ++plain_calls; }).get();
    EXPECT_EQ(waits.get(), 7);
  }
  acre::barrier();
}

struct immobile {
  explicit immobile(int value) : held(value) {}
  immobile(const immobile&) = delete;
  immobile& operator=(const immobile&) = delete;
  std::mutex lock;
  int held;
};

TEST(DistObject, HoldsWhatCanNeitherBeCopiedNorMoved) {
  dist_object<immobile> object(acre::world(), static_cast<int>(acre::rank()));
  const auto ask = [](dist_object<immobile>& there) {
    const std::lock_guard hold(there->lock);
    return there->held;
  };
  EXPECT_EQ(acre::rpc(next_rank(), ask, object).get(), static_cast<int>(next_rank()));
  dist_object<immobile> moved(std::move(object));
  EXPECT_FALSE(object);
  EXPECT_EQ(acre::rpc(next_rank(), ask, moved).get(), static_cast<int>(next_rank()));
  EXPECT_NE(failure_of([&] {
              static_cast<void>(acre::rpc(0, ask, object).get());
            }).find("the object does not exist"),
            std::string::npos);
  acre::barrier();
}

TEST(DistObject, TakesSeveralObjectsAndOtherArguments) {
  be_late(1);
  dist_object<int> number(acre::world(), static_cast<int>(acre::rank()));
  be_late(2);
  dist_object<std::string> word(std::string("of ") + std::to_string(acre::rank()));
  const std::vector<int> values{1, 2, 3};
  const int captured = static_cast<int>(acre::size());
  auto got = acre::rpc(
      next_rank(),
      [captured](std::span<const int> first, dist_object<int>& there, std::string_view text,
                 const dist_object<std::string>& named, dist_object<int>& again) {
        EXPECT_EQ(&there, &again);
        *there += 100;
        return std::string(text) + *named + " " +
               std::to_string(std::accumulate(first.begin(), first.end(), captured));
      },
      std::span(values), number, "word ", word, number);
  acre::future<std::string> result = acre::rpc(
      next_rank(), [](dist_object<std::string>& named, std::string own) { return own + *named; },
      word, "an owned one ");
  EXPECT_EQ(got.get(),
            "word of " + std::to_string(next_rank()) + " " + std::to_string(6 + acre::size()));
  EXPECT_EQ(result.get(), "an owned one of " + std::to_string(next_rank()));
  acre::barrier();
  EXPECT_EQ(*number, static_cast<int>(acre::rank()) + 100);
}

TEST(DistObject, SplitTeamsHaveTheirOwn) {
  const acre::team half =
      acre::world().split(static_cast<int>(acre::rank() % 2), -static_cast<int>(acre::rank()));
  be_late(3);
  dist_object<rank_t> mine(half, acre::rank());
  dist_object<rank_t> of_all(acre::world(), acre::rank() + 1000);
  EXPECT_NE(mine.name(), of_all.name());
  for (rank_t member = 0; member < half.size(); ++member) {
    EXPECT_EQ(mine.fetch(member).get(), half.world_rank(member));
    EXPECT_EQ(of_all.fetch(half.world_rank(member)).get(), half.world_rank(member) + 1000);
  }
  EXPECT_THROW(static_cast<void>(mine.fetch(half.size())), acre::error);
  if (acre::size() > 1) {
    auto to_a_nonmember = acre::rpc(next_rank(), [](dist_object<rank_t>& x) { return *x; }, mine);
    const rank_t distance = next_rank() % 2 == acre::rank() % 2 ? 0 : 1;
    if (distance == 0) {
      EXPECT_EQ(to_a_nonmember.get(), next_rank());
    } else {
      EXPECT_NE(
          failure_of([&] { static_cast<void>(to_a_nonmember.get()); }).find("not in the team"),
          std::string::npos);
    }
  }
  acre::barrier();
}

TEST(DistObject, SaysThatATargetHasDestroyedItsOwn) {
  std::optional<dist_object<std::string>> brief;
  brief.emplace(acre::world(), "here");
  std::optional<dist_object<std::string>> other;
  other.emplace(acre::world(), "other");
  if (acre::rank() == 0) brief.reset();
  acre::barrier();
  if (acre::rank() != 0) {
    const std::string text = failure_of([&] { static_cast<void>(brief->fetch(0).get()); });
    EXPECT_NE(text.find("has destroyed its object"), std::string::npos) << text;
    EXPECT_NE(text.find("on rank 0"), std::string::npos) << text;
  }
  EXPECT_EQ(other->fetch(0).get(), "other");
  acre::barrier();
}

struct refuses {
  explicit refuses(bool fail) {
    for (int i = 0; i < 50; ++i) acre::progress();
    if (fail) throw std::runtime_error("no");
  }
};

TEST(DistObject, AFailedConstructionFailsCallsAndKeepsNamesAlike) {
  std::unique_ptr<dist_object<refuses>> object;
  try {
    object = std::make_unique<dist_object<refuses>>(acre::world(), acre::rank() == 0);
    EXPECT_NE(acre::rank(), 0U);
  } catch (const std::runtime_error&) {
    EXPECT_EQ(acre::rank(), 0U);
  }
  if (object) {
    auto asked = acre::rpc(0, [](dist_object<refuses>&) { return 1; }, *object);
    EXPECT_NE(failure_of([&] { static_cast<void>(asked.get()); }), "");
  }
  dist_object<int> next(acre::world(), 3);
  EXPECT_EQ(next.fetch(next_rank()).get(), 3);
  acre::barrier();
}

TEST(DistObject, SaysThatMembersMadeTheirsInAnotherOrder) {
  std::optional<dist_object<int>> number;
  std::optional<dist_object<std::string>> word;
  if (acre::rank() == 0) {
    number.emplace(acre::world(), 1);
    word.emplace(acre::world(), "one");
  } else {
    word.emplace(acre::world(), "one");
    number.emplace(acre::world(), 1);
    EXPECT_NE(failure_of([&] { static_cast<void>(number->fetch(0).get()); }).find("another type"),
              std::string::npos);
  }
  acre::barrier();
}

TEST(DistObject, FunctionsMayWaitAndReturnFutures) {
  dist_object<int> number(acre::world(), static_cast<int>(acre::rank()) + 1);
  struct around {
    static acre::future<int> sum(dist_object<int>& there, rank_t left) {
      if (left == 0) return acre::make_ready_future(*there);
      return acre::rpc(next_rank(), &around::sum, there, left - 1).then([&there](int rest) {
        return rest + *there;
      });
    }
  };
  const int all = static_cast<int>(acre::size() * (acre::size() + 1) / 2);
  EXPECT_EQ(acre::rpc(acre::rank(), &around::sum, number, acre::size() - 1).get(), all);
  EXPECT_EQ(acre::rpc(
                next_rank(),
                [](dist_object<int>& there, rank_t home) { return there.fetch(home).get() * 2; },
                number, acre::rank())
                .get(),
            static_cast<int>(acre::rank() + 1) * 2);
  acre::barrier();
}

acre::promise<int> awaited;
bool has_begun = false;
std::weak_ptr<int> watched;

TEST(DistObject, ACallUnderWayKeepsTheValue) {
  awaited = {};
  has_begun = false;
  std::optional<dist_object<std::shared_ptr<int>>> object;
  object.emplace(acre::world(), std::make_shared<int>(5));
  watched = **object;
  acre::barrier();
  auto asked = acre::rpc(
      next_rank(),
      [](dist_object<std::shared_ptr<int>>& there) {
        has_begun = true;
        return awaited.get_future().then([&there](int x) { return x + **there; });
      },
      *object);
  while (!has_begun) acre::progress();
  object.reset();
  EXPECT_FALSE(watched.expired());
  awaited.set_value(1);
  EXPECT_EQ(asked.get(), 6);
  EXPECT_TRUE(watched.expired());
  acre::barrier();
}

TEST(DistObject, LivesInContainersAndComesInNumbers) {
  constexpr int number = 200;
  std::vector<dist_object<int>> all;
  std::map<int, dist_object<std::string>> named;
  for (int i = 0; i < number; ++i) {
    all.emplace_back(acre::world(), i * 2);
    if (i % 50 == 0) named.emplace(i, dist_object<std::string>(std::to_string(i)));
    if (i % 64 == 0) be_late(static_cast<unsigned>(i));
  }
  std::vector<acre::future<>> calls;
  for (auto& each : all) {
    calls.push_back(acre::rpc(next_rank(), [](dist_object<int>& there) { ++*there; }, each));
  }
  acre::when_all(std::move(calls)).get();
  acre::barrier();
  for (int i = 0; i < number; ++i) EXPECT_EQ(*all[static_cast<std::size_t>(i)], i * 2 + 1);
  EXPECT_EQ(named.at(150).fetch(next_rank()).get(), "150");
  acre::barrier();
  all.erase(all.begin() + 10, all.begin() + 20);
  acre::barrier();
  EXPECT_EQ(all[10].fetch(next_rank()).get(), 41);
  acre::barrier();
}

TEST(DistObject, OneWayCallsArriveToo) {
  be_late(5);
  dist_object<std::vector<rank_t>> heard(acre::world());
  for (rank_t r = 0; r < acre::size(); ++r) {
    acre::rpc_ff(
        r, [](dist_object<std::vector<rank_t>>& there, rank_t who) { there->push_back(who); },
        heard, acre::rank());
  }
  while (heard->size() != acre::size()) acre::progress();
  acre::barrier();
}

TEST(DistObject, PutsBringItToWhatTheTargetRuns) {
  dist_object<std::vector<long>> seen(acre::world());
  const dist_object<acre::global_ptr<long>> place(acre::world(), acre::allocate<long>(3000));
  const auto there = place.fetch(next_rank()).get();
  const auto note = [](dist_object<std::vector<long>>& mine, acre::global_ptr<const long> p) {
    mine->push_back(*p.local());
  };
  acre::put(there, 7L, acre::then_at_target(note, seen, there));
  acre::drain();
  const std::vector<long> many(3000, 8L);
  acre::put_async(there, std::span(many), acre::on_operation(acre::as_future),
                  acre::then_at_target(note, seen, there))
      .get();
  acre::drain();
  EXPECT_EQ(*seen, (std::vector<long>{7, 8}));
  acre::deallocate(*place);
}

TEST(DistObject, DrainWaitsForCallsThatWait) {
  plain_calls = 0;
  acre::barrier();
  std::optional<dist_object<int>> object;
  if (acre::rank() == 0) {
    object.emplace(acre::world(), 0);
    for (rank_t r = 0; r < acre::size(); ++r) {
      acre::rpc_ff(r, [](dist_object<int>& there) { *there += 1; }, *object);
      acre::rpc_ff(r, [] { ++plain_calls; });
    }
  } else {
    while (plain_calls == 0) acre::progress();
    object.emplace(acre::world(), 0);
    EXPECT_EQ(**object, 0) << "made, and not yet called";
  }
  acre::drain();
  EXPECT_EQ(**object, 1);
  acre::barrier();
}

TEST(DistObject, CostsOneCall) {
  dist_object<int> number(acre::world(), 1);
  acre::barrier();
  const auto before = acre::counters();
  EXPECT_EQ(number.fetch(next_rank()).get(), 1);
  const auto after = acre::counters();
  if (before.messages != after.messages) {
    EXPECT_EQ((after - before).rpcs, 1U);
  }
  acre::barrier();
}

template <class F, class... Arguments>
concept can_be_called = acre::remotely_callable<F, std::remove_cvref_t<Arguments>...>;

static_assert(can_be_called<void (*)(dist_object<int>&), dist_object<int>&>);
static_assert(can_be_called<void (*)(const dist_object<int>&), const dist_object<int>&>);
static_assert(!can_be_called<void (*)(dist_object<int>), dist_object<int>&>);
static_assert(!can_be_called<void (*)(dist_object<long>&), dist_object<int>&>);
static_assert(!acre::serializable<dist_object<int>>);
static_assert(!std::copy_constructible<dist_object<int>> && std::movable<dist_object<int>>);

}  // namespace
