// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/object_ref.hpp>
#include <acre/agas/other_rank_test.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using acre::testing::other;

std::atomic<int> alive = 0;

struct node {
  node() { ++alive; }
  node(node&& other) noexcept : links(std::move(other.links)), calls(other.calls) { ++alive; }
  node(const node&) = delete;
  ~node() { --alive; }
  void link(const acre::object_ref<node>& to) { links.push_back(to); }
  void unlink() { links.clear(); }
  int called() { return ++calls; }
  acre::object_ref<node> last() { return links.back(); }

  std::vector<acre::object_ref<node>> links;
  int calls = 0;
  friend std::pair<std::vector<acre::object_ref<node>>, int> acre_save(const node& n) {
    return {n.links, n.calls};
  }
  friend node acre_load(std::type_identity<node>,
                        std::pair<std::vector<acre::object_ref<node>>, int> state) {
    node made;
    made.links = std::move(state.first);
    made.calls = state.second;
    return made;
  }
};

// References are excluded: their bytes hold credit for one reader.
static_assert(acre::collectable<acre::object_id<node>> && acre::storable<acre::object_id<node>>);
static_assert(!acre::collectable<acre::object_ref<node>> &&
              !acre::storable<acre::object_ref<node>>);
static_assert(!acre::collectable<std::vector<acre::object_ref<node>>> && !acre::collectable<node>);
static_assert(acre::serializable<std::vector<acre::object_ref<node>>>);

int all_alive() {
  acre::drain();
  return acre::world().allreduce(alive.load());
}

TEST(ObjectRefSmoke, EndsWithTheLastReference) {
  {
    acre::object_ref<node> made = acre::create<node>(other(1)).get();
    EXPECT_EQ(all_alive(), static_cast<int>(acre::size()));
    const acre::object_ref<node> copy = made;
    made = {};
    EXPECT_EQ(acre::invoke(copy, &node::called).get(), 1);
    EXPECT_EQ(all_alive(), static_cast<int>(acre::size()));
    acre::barrier();
  }
  EXPECT_EQ(all_alive(), 0);
}

TEST(ObjectRef, EndsAfterThePinThatOutlivesTheLastReference) {
  {
    const acre::pinned<node> here(acre::create_here<node>().id());
    EXPECT_EQ(all_alive(), static_cast<int>(acre::size()));
    here->unlink();
  }
  EXPECT_EQ(all_alive(), 0);
}

TEST(ObjectRefSmoke, LivesWhileACallIsUnderWay) {
  for (int i = 0; i < 50; ++i) {
    const acre::object_ref<node> made = acre::create<node>(other(1)).get();
    acre::invoke_ff(made, &node::called);
    static_cast<void>(acre::migrate(made, other(2)));
    acre::invoke_ff(made, [](node& n) { EXPECT_EQ(n.calls, 1); });
  }
  EXPECT_EQ(all_alive(), 0);
}

TEST(ObjectRefSmoke, LivesWhileAnotherObjectRefersToIt) {
  acre::object_ref<node> first = acre::create<node>(other(1)).get();
  {
    acre::object_ref<node> before = first;
    for (unsigned i = 0; i < 20; ++i) {
      const auto next = acre::create<node>(other(i)).get();
      acre::invoke_ff(before, &node::link, next);
      before = next;
    }
  }
  EXPECT_EQ(all_alive(), static_cast<int>(21 * acre::size()));
  const auto second = acre::invoke(first, &node::last).get();
  acre::migrate(second, other(3)).get();
  EXPECT_EQ(acre::invoke(second, &node::called).get(), 1);
  first = {};
  EXPECT_EQ(all_alive(), static_cast<int>(20 * acre::size()));
}

TEST(ObjectRef, ConservesCreditWhateverHappens) {
  std::mt19937 generator(17 + acre::rank());
  const auto random = [&] { return static_cast<unsigned>(generator()); };
  constexpr unsigned count = 12;
  std::vector<acre::object_ref<node>> mine;
  for (unsigned i = 0; i < count; ++i) mine.push_back(acre::create<node>(other(i)).get());
  const std::vector<acre::object_ref<node>> kept = mine;
  for (int step = 0; step < 300; ++step) {
    auto& a = mine[random() % count];
    auto& b = mine[random() % count];
    if (!a || !b) continue;
    switch (random() % 8) {
      case 0:
        acre::invoke_ff(a, &node::link, b);
        break;
      case 1:
        acre::invoke_ff(a, &node::unlink);
        break;
      case 2:
        static_cast<void>(acre::migrate(a, random() % acre::size()));
        break;
      case 3:
        acre::rpc_ff(
            other(random()),
            [](const acre::object_ref<node>& r) { acre::invoke_ff(r, &node::called); }, a);
        break;
      case 4:
        a = b;
        break;
      case 5:
        static_cast<void>(acre::invoke(a, &node::called));
        break;
      default:
        acre::invoke_ff(a, &node::called);
    }
    if (step % 50 == 0) a = {};
  }
  acre::drain();
  std::vector<acre::gid> names;
  for (const auto& each : kept) names.push_back(each.name());
  for (const std::vector<acre::gid>& of_rank : acre::world().allgatherv(std::span(names))) {
    for (const acre::gid& each : of_rank) {
      const std::uint64_t held = acre::world().allreduce(acre::agas::credit_held(each));
      EXPECT_EQ(held, acre::world().allreduce(acre::agas::issued_credit(each))) << each;
    }
  }
  for (const auto& each : kept) acre::invoke_ff(each, &node::unlink);
  acre::drain();
}

struct choosy {
  acre::object_ref<node> link;
  friend acre::object_ref<node> acre_save(const choosy& c) { return c.link; }
  friend choosy acre_load(std::type_identity<choosy>, acre::object_ref<node> to) {
    if (acre::rank() == 1) throw std::runtime_error("cannot be made here");
    return {std::move(to)};
  }
};

TEST(ObjectRef, ConservesCreditWhenAnObjectCannotBeMadeWhereItGoes) {
  acre::gid name;
  acre::object_ref<node> link;
  acre::object_ref<choosy> object;
  if (acre::rank() == 0 && acre::size() > 1) {
    link = acre::create_here<node>();
    name = link.name();
    object = acre::create_here<choosy>(choosy{link});
    EXPECT_THROW(acre::migrate(object, 1).get(), acre::error);
    EXPECT_TRUE(acre::invoke(object, [](choosy& c) { return bool(c.link); }).get());
  }
  acre::drain();
  name = acre::world().broadcast(name, 0);
  const std::uint64_t held = acre::world().allreduce(acre::agas::credit_held(name));
  EXPECT_EQ(held, acre::world().allreduce(acre::agas::issued_credit(name)));
}

std::atomic<bool> is_touched = false;

struct slow {
  int touches = 0;
  void touch() {
    ++touches;
    is_touched = true;
  }
  static constexpr auto acre_concurrent = std::tuple(&slow::touch);
  friend int acre_save(const slow& s) {
    const int saved = s.touches;
    for (int i = 0; i < 10'000 && !is_touched; ++i) acre::progress();
    return saved;
  }
  friend slow acre_load(std::type_identity<slow>, int saved) { return {saved}; }
};

TEST(ObjectRef, LetsNothingRunWhileItIsSaved) {
  acre::object_ref<slow> object;
  if (acre::rank() == 0) {
    object = acre::create_here<slow>();
    static_cast<void>(acre::migrate(object, acre::size() - 1));
    acre::rpc_ff(
        other(1), [](const acre::object_ref<slow>& s) { acre::invoke_ff(s, &slow::touch); },
        object);
  }
  acre::drain();
  if (acre::rank() == 0) {
    EXPECT_EQ(acre::invoke(object, &slow::touches).get(), 1);
  }
  acre::barrier();
}

struct hooked {
  int moves = 0;
  friend bool acre_before_move(hooked& h, acre::rank_t) { return ++h.moves != 3; }
  friend void acre_after_move(hooked& h) {
    ++h.moves;
    throw std::runtime_error("after the move");
  }
  friend auto acre_fields(hooked& h) { return std::tie(h.moves); }
};

TEST(ObjectRef, IsThereWhenTheHookAfterAMoveThrows) {
  const acre::runtime::failures_held held;
  acre::barrier();
  const auto made = acre::create_here<hooked>();
  const bool moves = acre::size() > 1;
  acre::migrate(made, other(1)).get();
  EXPECT_EQ(acre::invoke(made, &hooked::moves).get(), moves ? 2 : 0);
  if (moves) {
    EXPECT_THROW(acre::migrate(made, acre::rank()).get(), acre::error);
    EXPECT_EQ(acre::invoke(made, &hooked::moves).get(), 3);
  }
  acre::drain();
  EXPECT_EQ(acre::runtime::pop_lost_failure() != nullptr, moves);
  acre::barrier();
}

struct unsendable {
  friend int acre_save(const unsendable&) { throw std::runtime_error("cannot be written"); }
  friend unsendable acre_load(std::type_identity<unsendable>, int) { return {}; }
};

TEST(ObjectRef, KeepsItsCreditWhenWhatIsSentWithItCannotBeWritten) {
  {
    const auto target = acre::create<node>(other(1)).get();
    const auto passenger = acre::create<node>(other(2)).get();
    const auto with_passenger = [](node&, const acre::object_ref<node>&, const unsendable&) {};
    const auto alone = [](node&, const unsendable&) {};
    for (int i = 0; i < 3; ++i) {
      EXPECT_THROW(acre::invoke_ff(target, with_passenger, passenger, unsendable()),
                   std::runtime_error);
      EXPECT_THROW(acre::invoke_ff(target, alone, unsendable()), std::runtime_error);
      EXPECT_THROW(acre::invoke(target, with_passenger, passenger, unsendable()).get(),
                   std::runtime_error);
    }
    EXPECT_EQ(acre::invoke(passenger, &node::called).get(), 1);
  }
  EXPECT_EQ(all_alive(), 0);
  acre::barrier();
}

TEST(ObjectRef, EndsAllWhenNobodyRefersToThem) { EXPECT_EQ(all_alive(), 0); }

TEST(ObjectRef, KeepsItsObjectUntilAMoveHasEnded) {
  for (int i = 0; i < 3; ++i) {
    auto mine = acre::create<node>(other(1)).get();
    acre::migrate(mine, other(2)).get();
    acre::invoke(mine, &node::called).get();
    acre::rpc(
        other(3),
        [](acre::object_id<node> id, acre::rank_t there) { return acre::migrate(id, there); },
        mine.id(), other(3))
        .get();
    acre::rpc_ff(other(2), [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
    auto arrival = acre::migrate(mine, acre::rank());
    mine = {};
    EXPECT_NO_THROW(arrival.get());
  }
  EXPECT_EQ(all_alive(), 0);
  acre::barrier();
}

TEST(ObjectRef, NamesTheCallThatHasNoObject) {
  const auto problem_of = [](acre::future<> failed) -> std::string {
    try {
      failed.get();
    } catch (const acre::error& failure) {
      return failure.what();
    }
    return "no error";
  };
  const auto gone = acre::create_id<node>(other(1)).get();
  acre::destroy(gone).get();
  EXPECT_NE(problem_of(acre::migrate(gone, 0)).find("migrate: "), std::string::npos);
  EXPECT_NE(problem_of(acre::destroy(gone)).find("destroy: "), std::string::npos);
  EXPECT_NE(problem_of(acre::migrate(acre::object_ref<node>(), 0)).find("migrate: this handle"),
            std::string::npos);
  acre::barrier();
}

struct named {
  char text = 'n';
  [[nodiscard]] char letter() const { return text; }
};
struct shape {
  virtual ~shape() = default;
  [[nodiscard]] virtual double area() const = 0;
  [[nodiscard]] double twice() const { return 2 * area(); }
};
struct square : named, shape {
  explicit square(double length = 1) : side(length) { text = 's'; }
  [[nodiscard]] double area() const override { return side * side; }
  void grow(double by) { side += by; }
  double side;
  friend auto acre_fields(square& s) { return std::tie(s.side, s.text); }
};
struct coloured final : square {
  explicit coloured(double length = 1) : square(length) {}
  int colour = 7;
  friend auto acre_fields(coloured& c) { return std::tie(c.side, c.colour, c.text); }
};

TEST(ObjectRef, ToABaseCallsTheObjectAsOne) {
  std::vector<acre::object_ref<shape>> shapes;
  const acre::object_ref<coloured> most = acre::create<coloured>(other(1), 3.0).get();
  const acre::object_ref<square> middle = most;
  shapes.emplace_back(middle);
  shapes.emplace_back(acre::create_here<square>(2.0));
  for (acre::rank_t to = 0; to < acre::size(); ++to) {
    EXPECT_EQ(acre::invoke(shapes[0], &shape::area).get(), 9);
    EXPECT_EQ(acre::invoke(shapes[0], &shape::twice).get(), 18);
    EXPECT_EQ(acre::invoke(shapes[1], [](const shape& s) { return s.area(); }).get(), 4);
    for (const auto& each : shapes) acre::migrate(each, to).get();
    const auto area = [](const acre::object_ref<shape>& of) {
      return acre::invoke(of, &shape::area);
    };
    EXPECT_EQ(acre::rpc(other(1), area, shapes[0]).get(), 9);
  }
  EXPECT_TRUE(shapes[0] == middle);
  const acre::object_ref<named> letters = most;
  EXPECT_EQ(acre::invoke(letters, &named::letter).get(), 's');
  const acre::object_id<named> id = middle.id();
  EXPECT_EQ(acre::invoke(id, &named::letter).get(), 's');
  acre::invoke_ff(middle, &square::grow, 1.0);
  EXPECT_EQ(acre::invoke(most, &square::area).get(), 16);
  EXPECT_EQ(acre::invoke(most, &coloured::colour).get(), 7);
  EXPECT_EQ(acre::object_ref<square>(shapes[0].untyped()), middle);
  EXPECT_THROW(acre::object_ref<coloured>(shapes[1].untyped()), acre::error);
  acre::barrier();
}

}  // namespace
