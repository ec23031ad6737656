// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/other_rank_test.hpp>
#include <acre/agas/this_object.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/global/future/task.hpp>
#include <acre/global/memory/wait_until.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using acre::testing::other;

using acre::base_test::failure_of;

std::atomic<int> alive = 0;

class ring_node;

struct listed {
  virtual ~listed() = default;
};

class ring_node : public listed {
 public:
  ring_node() { ++alive; }
  ring_node(ring_node&& other) noexcept
      : next_(std::move(other.next_)), moved_(other.moved_), asked_(other.asked_) {
    ++alive;
  }
  ~ring_node() override { --alive; }

  [[nodiscard]] acre::gid name() const { return acre::this_id<ring_node>().name(); }
  [[nodiscard]] acre::object_ref<ring_node> own() { return acre::this_ref<ring_node>(); }
  [[nodiscard]] acre::object_id<listed> own_as_base() { return acre::this_id<listed>(); }
  [[nodiscard]] acre::object_id<acre::gid> own_as_other() { return acre::this_id<acre::gid>(); }
  void join(const acre::object_ref<ring_node>& next) {
    next_ = next;
    acre::invoke_ff(next, &ring_node::meet, acre::this_ref<ring_node>());
  }
  void meet(const acre::object_ref<ring_node>& before) { next_ = before; }
  void leave() { next_ = {}; }
  acre::task<acre::gid> name_later() {
    const acre::gid first = name();
    co_await acre::rpc((acre::rank() + 1) % acre::size(), [] {});
    co_return first == name() ? first : acre::gid();
  }
  [[nodiscard]] acre::gid moved_as() const { return moved_; }
  [[nodiscard]] acre::gid asked_as() const { return asked_; }

  friend bool acre_before_move(ring_node& n, acre::rank_t) {
    n.asked_ = n.name();
    return true;
  }
  friend void acre_after_move(ring_node& n) { n.moved_ = n.own().name(); }
  friend auto acre_fields(ring_node& n) { return std::tie(n.next_, n.moved_, n.asked_); }

 private:
  acre::object_ref<ring_node> next_;
  acre::gid moved_;
  acre::gid asked_;
};

int all_alive() {
  acre::drain();
  return acre::world().allreduce(alive.load());
}

TEST(ThisObjectSmoke, IsNamedInItsFunctionsWhereverItIs) {
  {
    const auto made = acre::create<ring_node>(other(1)).get();
    for (unsigned i = 0; i < 3; ++i) {
      EXPECT_EQ(acre::invoke(made, &ring_node::name).get(), made.name());
      EXPECT_EQ(acre::invoke(made, &ring_node::own).get(), made);
      const acre::object_id<listed> as_base = made.id();
      EXPECT_EQ(acre::invoke(made, &ring_node::own_as_base).get(), as_base);
      EXPECT_EQ(acre::invoke(made, &ring_node::name_later).get(), made.name());
      acre::migrate(made, other(i)).get();
    }
    EXPECT_EQ(acre::invoke(made, &ring_node::asked_as).get(),
              acre::size() > 1 ? made.name() : acre::gid());
    EXPECT_EQ(acre::invoke(made, &ring_node::moved_as).get(),
              acre::size() > 1 ? made.name() : acre::gid());
    acre::barrier();
  }
  EXPECT_EQ(all_alive(), 0);
}

TEST(ThisObjectSmoke, LivesByTheReferenceThatItsFunctionGives) {
  {
    auto first = acre::create<ring_node>(other(1)).get();
    const auto second = acre::create<ring_node>(other(2)).get();
    acre::migrate(first, other(3)).get();
    acre::invoke_ff(first, &ring_node::join, second);
    const acre::object_id<ring_node> name = first.id();
    first = {};
    EXPECT_EQ(all_alive(), int(2 * acre::size()));
    acre::invoke(name, &ring_node::leave).get();
    acre::invoke(second, &ring_node::leave).get();
  }
  EXPECT_EQ(all_alive(), 0);
}

TEST(ThisObject, ConservesCreditWhileItMovesAndReferencesEnd) {
  std::vector<acre::gid> names;
  std::vector<acre::object_ref<ring_node>> links;
  for (unsigned round = 0; round < 30; ++round) {
    auto made = acre::create<ring_node>(other(round)).get();
    links.push_back(acre::create_here<ring_node>());
    static_cast<void>(acre::migrate(made, other(round + 1)));
    acre::invoke_ff(made, &ring_node::join, links.back());
    static_cast<void>(acre::migrate(made, other(round + 2)));
    acre::invoke_ff(made, [](ring_node& n) { static_cast<void>(n.own()); });
    names.push_back(made.name());
  }
  acre::drain();
  for (const std::vector<acre::gid>& of_rank : acre::world().allgatherv(std::span(names))) {
    for (const acre::gid& each : of_rank) {
      const std::uint64_t held = acre::world().allreduce(acre::agas::credit_held(each));
      EXPECT_EQ(held, acre::world().allreduce(acre::agas::issued_credit(each))) << each;
    }
  }
  for (const auto& each : links) acre::invoke_ff(each, &ring_node::leave);
  links.clear();
  EXPECT_EQ(all_alive(), 0);
}

struct lonely {
  int number = 0;
  std::string try_to_refer();
  friend auto acre_fields(lonely& l) { return std::tie(l.number); }
};
acre::object_ref<lonely> last;

std::string lonely::try_to_refer() {
  const acre::gid own = acre::this_id<lonely>().name();
  acre::rpc(
      own.home(),
      [](acre::gid name) {
        last = {};
        acre::wait_until([&] { return acre::agas::issued_credit(name) == 0; });
      },
      own)
      .get();
  return failure_of([] { static_cast<void>(acre::this_ref<lonely>()); });
}

TEST(ThisObject, IsNotRevivedByItsOwnReference) {
  for (unsigned i = 0; i < 2; ++i) {
    last = acre::create_here<lonely>();
    acre::migrate(last, other(i)).get();
    auto failure = acre::invoke(last.id(), &lonely::try_to_refer);
    EXPECT_NE(failure.get().find("its last reference has been dropped"), std::string::npos);
    acre::drain();
  }
}

TEST(ThisObject, IsRefusedOutsideOfFunctionsOfItsType) {
  EXPECT_NE(failure_of([] {
              static_cast<void>(acre::this_id<ring_node>());
            }).find("runs no function of an object"),
            std::string::npos);
  const auto made = acre::create_id<ring_node>(other(1)).get();
  EXPECT_NE(
      failure_of([&] { acre::invoke(made, &ring_node::own).get(); }).find("created by create_id()"),
      std::string::npos);
  EXPECT_NE(failure_of([&] {
              acre::invoke(made, &ring_node::own_as_other).get();
            }).find("ring_node, not a acre::gid"),
            std::string::npos);
  const auto in_rpc = acre::invoke(made, [](ring_node&) {
    return acre::rpc(acre::rank(), [] {
      return failure_of([] { static_cast<void>(acre::this_id<ring_node>()); });
    });
  });
  EXPECT_NE(const_cast<acre::future<std::string>&>(in_rpc).get().find("no function of an object"),
            std::string::npos);
  acre::destroy(made).get();
  acre::barrier();
}

}  // namespace
