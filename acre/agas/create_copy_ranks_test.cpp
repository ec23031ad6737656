// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/create_copy.hpp>
#include <acre/agas/other_rank_test.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using acre::testing::other;

using acre::base_test::failure_of;

std::atomic<int> alive = 0;

struct shape {
  virtual ~shape() = default;
  [[nodiscard]] virtual double area() const = 0;
};

class polygon final : public shape {
 public:
  polygon() { ++alive; }
  polygon(polygon&& other) noexcept : sides_(std::move(other.sides_)), next_(other.next_) {
    ++alive;
  }
  ~polygon() override { --alive; }
  [[nodiscard]] double area() const override { return double(sides_.size()); }
  void add(double side) { sides_.push_back(side); }
  void follow(const acre::object_ref<shape>& next) { next_ = next; }
  [[nodiscard]] acre::object_ref<shape> next() const { return next_; }
  friend auto acre_fields(polygon& p) { return std::tie(p.sides_, p.next_); }

 private:
  std::vector<double> sides_;
  acre::object_ref<shape> next_;
};

struct fixed final : shape {
  [[nodiscard]] double area() const override { return 1; }
  std::atomic<int> calls = 0;
};

struct refusing {
  acre::object_ref<shape> link;
  bool fails_there = false;
  void set(const acre::object_ref<shape>& to, bool there) {
    link = to;
    fails_there = there;
  }
  friend std::pair<acre::object_ref<shape>, bool> acre_save(const refusing& r) {
    if (!r.fails_there) throw std::runtime_error("cannot be written");
    return {r.link, r.fails_there};
  }
  friend refusing acre_load(std::type_identity<refusing>,
                            std::pair<acre::object_ref<shape>, bool>) {
    throw std::runtime_error("cannot be read");
  }
};

int all_alive() {
  acre::drain();
  return acre::world().allreduce(alive.load());
}

TEST(CreateCopySmoke, CopiesTheStateBetweenTwoCalls) {
  {
    const auto made = acre::create<polygon>(other(1)).get();
    const acre::object_ref<shape> base = made;
    std::vector<acre::object_ref<shape>> copies;
    for (unsigned i = 0; i < 10; ++i) {
      acre::invoke_ff(made, &polygon::add, 1.0);
      static_cast<void>(acre::migrate(made, other(i)));
      auto copy = acre::create_copy(base, other(2 * i));
      acre::invoke_ff(made, &polygon::add, 1.0);
      copies.push_back(copy.get());
      EXPECT_EQ(copies.back().name().home(), other(2 * i));
    }
    copies.push_back(acre::create_copy(base).get());
    EXPECT_EQ(copies.back().name().home(), acre::rank());
    for (unsigned i = 0; i < 10; ++i) {
      EXPECT_EQ(acre::invoke(copies[i], &shape::area).get(), 2 * i + 1);
      EXPECT_FALSE(copies[i] == base);
    }
    EXPECT_EQ(acre::invoke(copies.back(), &shape::area).get(), 20);
    EXPECT_EQ(all_alive(), int(12 * acre::size()));
    acre::barrier();
  }
  EXPECT_EQ(all_alive(), 0);
}

TEST(CreateCopy, SharesTheObjectsThatTheStateRefersTo) {
  {
    const auto first = acre::create<polygon>(other(1)).get();
    acre::invoke_ff(first, &polygon::follow, acre::create<polygon>(other(2)).get());
    const auto second = acre::create_copy(first, other(3)).get();
    EXPECT_EQ(acre::invoke(first, &polygon::next).get(),
              acre::invoke(second, &polygon::next).get());
    EXPECT_EQ(all_alive(), int(3 * acre::size()));
    acre::barrier();
  }
  EXPECT_EQ(all_alive(), 0);
}

TEST(CreateCopy, ReportsWhatCannotBeCopied) {
  const acre::object_ref<shape> stays = acre::create<fixed>(other(1)).get();
  EXPECT_NE(failure_of([&] {
              static_cast<void>(acre::create_copy(stays).get());
            }).find("cannot be copied: it cannot be sent"),
            std::string::npos);
  const auto made = acre::create<polygon>(other(1)).get();
  EXPECT_NE(failure_of([&] {
              static_cast<void>(acre::create_copy(made, acre::size()).get());
            }).find("cannot be copied to rank " + std::to_string(acre::size())),
            std::string::npos);
  const auto odd = acre::create<refusing>(other(1)).get();
  for (const bool there : {false, true}) {
    acre::invoke_ff(odd, &refusing::set, made, there);
    EXPECT_NE(failure_of([&] {
                static_cast<void>(acre::create_copy(odd, other(2)).get());
              }).find(there ? "cannot be read" : "cannot be written"),
              std::string::npos);
  }
  acre::drain();
  const std::vector<acre::gid> mine{made.name()};
  for (const std::vector<acre::gid>& of_rank : acre::world().allgatherv(std::span(mine))) {
    const std::uint64_t held = acre::world().allreduce(acre::agas::credit_held(of_rank[0]));
    EXPECT_EQ(held, acre::world().allreduce(acre::agas::issued_credit(of_rank[0])));
  }
}

}  // namespace
