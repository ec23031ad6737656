// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/checkpoint.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/matrix_files/files_test.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using acre::files_test::error_of;
using acre::files_test::expect_error;

struct tally {
  double sum = 0;
  void add(double more) { sum += more; }
  friend auto acre_fields(tally& t) { return std::tie(t.sum); }
};

struct knot {
  explicit knot(std::size_t own = 0) : number(own) {}
  void tie(const acre::collection_id<knot>& knots, const acre::collection_id<tally, 2>& tallies) {
    const std::size_t size = knots.size();
    const auto to = [&](std::size_t steps) { return knots[(number + steps) % size]; };
    all = knots;
    ring = {to(1), to(size - 1)};
    ahead = {{"one", to(1)}, {"two", to(2)}};
    self = to(0);
    raw = to(3).name();
    sum = tallies[{number % 2, number % 3}];
    text.assign(number, 'x');
  }
  void hold(const acre::object_ref<knot>& other) { held.push_back(other); }
  void follow() {
    acre::invoke_ff(ring[0], &knot::hear, number);
    acre::invoke_ff(ring[1], &knot::hear, number);
    acre::invoke_ff(ahead.at("two"), &knot::hear, number);
    acre::invoke_ff(*self, &knot::hear, number);
    acre::invoke_ff(all[0], &knot::hear, number);
    acre::invoke_ff(acre::object_id<knot>(raw), &knot::hear, number);
    acre::invoke_ff(sum, &tally::add, 1.5);
    for (const auto& each : held) acre::invoke_ff(each, &knot::hear, number);
  }
  void hear(std::size_t from) { heard += (from + 1) * (number + 1); }

  std::size_t number = 0;
  std::size_t heard = 0;
  bool is_restored = false;
  std::array<acre::object_id<knot>, 2> ring;
  std::map<std::string, acre::object_id<knot>> ahead;
  std::optional<acre::object_id<knot>> self;
  acre::gid raw;
  acre::object_id<tally> sum;
  acre::collection_id<knot> all;
  std::vector<acre::object_ref<knot>> held;
  std::string text;
  friend auto acre_fields(knot& k) {
    return std::tie(k.text, k.number, k.heard, k.ring, k.ahead, k.self, k.raw, k.sum, k.all,
                    k.held);
  }
  friend void acre_after_restore(knot& k) { k.is_restored = true; }
};

using knots_type = acre::object_collection<knot>;
using tallies_type = acre::object_collection<tally, 2>;
constexpr std::size_t knots_made = 23;

knots_type make_knots(const tallies_type& tallies) {
  auto knots = acre::make_collection<knot>(knots_made, [](std::size_t i) { return i; });
  acre::invoke_all(knots, &knot::tie, knots.id(), tallies.id());
  for (std::size_t i = acre::rank(); i < knots_made; i += acre::size()) {
    if (i % 4 == 0) acre::invoke_ff(knots[i], &knot::hold, knots.ref((i + 7) % knots_made).get());
    static_cast<void>(acre::migrate(knots[i], acre::rank_t(5 * i) % acre::size()));
  }
  acre::drain();
  return knots;
}
auto make_tallies() {
  return acre::make_collection<tally>({2, 3}, [](const auto&) { return tally(); });
}

std::pair<std::size_t, double> follow_all(const knots_type& knots, const tallies_type& tallies) {
  acre::invoke_all(knots, &knot::follow);
  acre::drain();
  return {acre::invoke_reduce(knots, acre::op::bit_xor, &knot::heard),
          acre::invoke_reduce(tallies, acre::op::sum, &tally::sum)};
}

TEST(CheckpointSmoke, BringsStatesAndNamesBack) {
  const acre::files_test::folder here;
  std::pair<std::size_t, double> said;
  {
    const auto tallies = make_tallies();
    const auto knots = make_knots(tallies);
    acre::checkpoint(std::tie(knots, tallies), here / "knots");
    said = follow_all(knots, tallies);
  }
  EXPECT_EQ(here.files(), 1);
  const auto [knots, tallies] = acre::restore<knots_type, tallies_type>(here / "knots");
  EXPECT_EQ(knots.size(), knots_made);
  EXPECT_EQ(tallies.extents(), (acre::layout::coordinates<2>{2, 3}));
  knots.for_each_local([](std::size_t i, knot& k) {
    EXPECT_EQ(k.number, i);
    EXPECT_EQ(k.text.size(), i);
    EXPECT_TRUE(k.is_restored);
    EXPECT_EQ(k.held.size(), i % 4 == 0 ? 1 : 0);
  });
  EXPECT_EQ(follow_all(knots, tallies), said);
  acre::invoke_all(knots, [](knot& k) { k.held.clear(); });
  EXPECT_EQ(acre::invoke_reduce(knots, acre::op::sum, [](knot&) { return 1; }), int(knots_made));
  acre::barrier();
}

TEST(Checkpoint, IsReadToWhereOneLikes) {
  const acre::files_test::folder here;
  {
    const auto tallies =
        acre::make_collection<tally>(9, [](std::size_t i) { return tally{1.0 * double(i)}; });
    if (acre::rank() == 0) acre::destroy(tallies[4]).get();
    acre::checkpoint(tallies, here / "tallies");
  }
  const acre::rank_t last = acre::size() - 1;
  const auto all = acre::restore<acre::object_collection<tally>>(here / "tallies",
                                                                 [=](std::size_t) { return last; });
  EXPECT_EQ(all.local_members().size(), acre::rank() == last ? 8 : 0);
  EXPECT_EQ(acre::invoke_reduce(all, acre::op::sum, &tally::sum), 32);
  EXPECT_THROW(acre::invoke(all[4], &tally::sum).get(), acre::error);
  acre::barrier();
}

struct pair_of_names {
  acre::object_id<tally> one;
  double weight = 0;
};
struct holder {
  std::vector<pair_of_names> hidden;
  acre::object_id<tally> seen;
  friend auto acre_fields(holder& h) { return std::tie(h.hidden, h.seen); }
};

TEST(Checkpoint, RefusesNamesThatWouldMeanNothing) {
  const acre::files_test::folder here;
  const auto tallies = acre::make_collection<tally>(2);
  const auto holders = acre::make_collection<holder>(2);
  const auto store = [&] { acre::checkpoint(std::tie(holders, tallies), here / "holders"); };
  store();
  acre::invoke_all(holders, [](holder& h, acre::object_id<tally> t) { h.seen = t; }, tallies[1]);
  store();
  expect_error(error_of([&] { acre::checkpoint(holders, here / "alone"); }),
               "which is not in the same checkpoint");
  acre::invoke_all(
      holders, [](holder& h, acre::object_id<tally> t) { h.hidden.push_back({t, 1}); }, tallies[1]);
  expect_error(error_of(store), "is sent as its bytes, and holds the name of object");
  EXPECT_EQ(here.files(), 1);
}

struct adder;
struct doubler;
struct rule {
  virtual ~rule() = default;
  virtual void apply(double value) const = 0;
  friend std::tuple<adder*, doubler*> acre_classes(const rule&) { return {}; }
};
struct adder final : rule {
  acre::object_id<tally> to;
  void apply(double value) const override { acre::invoke_ff(to, &tally::add, value); }
  friend auto acre_fields(adder& a) { return std::tie(a.to); }
};
struct doubler final : rule {
  std::unique_ptr<rule> inner;
  void apply(double value) const override { inner->apply(2 * value); }
  friend auto acre_fields(doubler& d) { return std::tie(d.inner); }
};
struct follower {
  std::unique_ptr<rule> follows;
  void set(const acre::object_id<tally>& to, bool doubles) {
    auto adds = std::make_unique<adder>();
    adds->to = to;
    follows = std::move(adds);
    if (!doubles) return;
    auto twice = std::make_unique<doubler>();
    twice->inner = std::move(follows);
    follows = std::move(twice);
  }
  void apply(double value) const { follows->apply(value); }
  friend auto acre_fields(follower& f) { return std::tie(f.follows); }
};

TEST(Checkpoint, BringsBackMembersOfClassesWithABase) {
  using followers_type = acre::object_collection<follower>;
  using plain_tallies = acre::object_collection<tally>;
  const acre::files_test::folder here;
  {
    const auto tallies = acre::make_collection<tally>(5);
    const auto followers = acre::make_collection<follower>(5);
    if (acre::rank() == 0) {
      for (std::size_t i = 0; i < 5; ++i) {
        acre::invoke(followers[i], &follower::set, tallies[(i + 1) % 5], i % 2 == 1).get();
      }
    }
    acre::barrier();
    acre::checkpoint(std::tie(followers, tallies), here / "rules");
  }
  const auto [followers, tallies] = acre::restore<followers_type, plain_tallies>(here / "rules");
  for (std::size_t i = acre::rank(); i < 5; i += acre::size()) {
    acre::migrate(followers[i], acre::rank_t(i + 1) % acre::size()).get();
  }
  acre::invoke_all(followers, &follower::apply, 10.0);
  acre::drain();
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(acre::invoke(tallies[(i + 1) % 5], &tally::sum).get(), i % 2 == 1 ? 20 : 10);
  }
  acre::barrier();
}

struct choosy {
  int content = 0;
  friend int acre_save(const choosy& c) { return c.content; }
  friend choosy acre_load(std::type_identity<choosy>, int read) {
    if (read == 2) throw std::runtime_error("no two");
    return {read};
  }
};

TEST(Checkpoint, SaysWhatIsWrongWithAFile) {
  using collection = acre::object_collection<tally>;
  const acre::files_test::folder here;
  const auto read = [&](const char* name) {
    return error_of([&] { static_cast<void>(acre::restore<collection>(here / name)); });
  };
  {
    const auto tallies = acre::make_collection<tally>(5);
    acre::checkpoint(tallies, here / "good");
  }
  EXPECT_EQ(read("good"), "no error");
  acre::files_test::expect_damage_noticed(here, read, "bad is damaged: the checksum of member");
  acre::files_test::damage(here, acre::files_test::read_file(here / "good").size() - 5 * 24 - 20);
  expect_error(read("bad"), "bad is damaged: the checksum of member");
  expect_error(error_of([&] {
                 static_cast<void>(acre::restore<acre::object_collection<holder>>(here / "good"));
               }),
               "tally, and not");
  expect_error(error_of([&] { static_cast<void>(acre::restore<tallies_type>(here / "good")); }),
               "tally in 2-d");
  const auto some = acre::make_collection<choosy>(4, [](std::size_t i) { return choosy{int(i)}; });
  acre::checkpoint(some, here / "choosy");
  expect_error(error_of([&] {
                 static_cast<void>(acre::restore<acre::object_collection<choosy>>(here / "choosy"));
               }),
               "cannot be read: no two");
}

TEST(Checkpoint, LeavesTheOldFileWhereItCannotBeWritten) {
  const acre::files_test::folder here;
  const auto tallies = acre::make_collection<tally>(5);
  acre::checkpoint(tallies, here / "old");
  const std::string old = acre::files_test::read_file(here / "old");
  const auto more = acre::make_collection<tally>(5000);
  {
    const acre::files_test::full_disk full(4096);
    expect_error(error_of([&] { acre::checkpoint(more, here / "old"); }), "cannot write");
  }
  acre::barrier();
  EXPECT_EQ(acre::files_test::read_file(here / "old"), old);
  EXPECT_EQ(here.files(), 1);
}

struct touchy {
  static inline int alive = 0;
  touchy() { ++alive; }
  touchy(const touchy&) { ++alive; }
  ~touchy() { --alive; }
  int content = 1;
  friend auto acre_fields(touchy& t) { return std::tie(t.content); }
  friend void acre_after_restore(touchy&) {
    if (acre::rank() == acre::size() - 1) throw std::runtime_error("not here");
  }
};

TEST(Checkpoint, FailsOnAllRanksWhereAHookThrows) {
  const acre::files_test::folder here;
  {
    const auto tallies = acre::make_collection<tally>(3);
    const auto all = acre::make_collection<touchy>(9);
    acre::checkpoint(std::tie(tallies, all), here / "touchy");
  }
  const auto restore = [&] {
    static_cast<void>(
        acre::restore<acre::object_collection<tally>, acre::object_collection<touchy>>(here /
                                                                                       "touchy"));
  };
  expect_error(error_of(restore), "not here (rank " + std::to_string(acre::size() - 1) + ")");
  EXPECT_EQ(touchy::alive, 0);
  const auto tallies = acre::make_collection<tally>(1);
  expect_error(error_of([&] { acre::checkpoint(tallies, ""); }), "the file name is empty");
}

}  // namespace
