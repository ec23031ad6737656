// SPDX-License-Identifier: BSD-3-Clause
// Pointers to a base that lists its classes.
#include <acre/base/failure_of_test.hpp>
#include <acre/global/wire/round_trip_test.hpp>
#include <acre/global/wire/serialization.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace gallery {

struct circle;
struct square;
struct group;
struct angular;

struct shape {
  shape() = default;
  shape(const shape&) = default;
  virtual ~shape() = default;
  [[nodiscard]] virtual double area() const = 0;
  friend std::tuple<circle*, angular*, square*, group*> acre_classes(const shape&) { return {}; }
};

struct circle final : shape {
  double radius = 1;
  [[nodiscard]] double area() const override { return 3 * radius * radius; }
  friend auto acre_fields(circle& c) { return std::tie(c.radius); }
};

struct angular : shape {};

struct named {
  virtual ~named() = default;
  std::string name = "unnamed";
};

struct square final : named, angular {
  explicit square(double length) : side(length) {}
  [[nodiscard]] double area() const override { return side * side; }
  friend std::pair<double, std::string> acre_save(const square& s) { return {s.side, s.name}; }
  friend square acre_load(std::type_identity<square>, std::pair<double, std::string> saved) {
    square made(saved.first);
    made.name = std::move(saved.second);
    return made;
  }
  double side;
};

struct group final : shape {
  std::vector<std::unique_ptr<shape>> members;
  [[nodiscard]] double area() const override {
    double sum = 0;
    for (const auto& each : members) sum += each->area();
    return sum;
  }
  friend auto acre_fields(group& g) { return std::tie(g.members); }
};

struct unlisted final : shape {
  [[nodiscard]] double area() const override { return 0; }
};

struct unknown_base {
  virtual ~unknown_base() = default;
};

}  // namespace gallery

namespace {

using acre::deserialize;
using acre::serialize;
using acre::base_test::failure_of;
using gallery::shape;

static_assert(acre::serializable<std::unique_ptr<shape>>);
static_assert(acre::serializable<std::shared_ptr<const shape>>);
static_assert(acre::serializable<std::unique_ptr<gallery::angular>>);
static_assert(!acre::serializable<std::unique_ptr<gallery::unknown_base>>);

std::unique_ptr<shape> of_two() {
  auto both = std::make_unique<gallery::group>();
  both->members.push_back(std::make_unique<gallery::circle>());
  both->members.push_back(nullptr);
  both->members[1] = std::make_unique<gallery::square>(2);
  return both;
}

TEST(ClassOwner, SendsEachObjectAsItsOwnClass) {
  const auto sent = of_two();
  const auto come = deserialize<std::unique_ptr<shape>>(serialize(sent));
  EXPECT_EQ(come->area(), 7);
  const auto& members = dynamic_cast<const gallery::group&>(*come).members;
  EXPECT_EQ(dynamic_cast<const gallery::square&>(*members[1]).name, "unnamed");
  EXPECT_EQ(deserialize<std::unique_ptr<shape>>(serialize(std::unique_ptr<shape>())), nullptr);
}

TEST(ClassOwner, IsReadByPointersToBasesBetween) {
  const std::unique_ptr<gallery::angular> sent = std::make_unique<gallery::square>(3);
  const auto bytes = serialize(sent);
  EXPECT_EQ(deserialize<std::unique_ptr<gallery::angular>>(bytes)->area(), 9);
  EXPECT_EQ(deserialize<std::shared_ptr<const shape>>(bytes)->area(), 9);
  const auto round = serialize(std::unique_ptr<shape>(new gallery::circle));
  EXPECT_THROW(static_cast<void>(deserialize<std::unique_ptr<gallery::angular>>(round)),
               acre::error);
}

TEST(ClassOwner, RefusesClassesThatTheBaseDoesNotList) {
  const std::unique_ptr<shape> sent = std::make_unique<gallery::unlisted>();
  const std::string failure = failure_of([&] { static_cast<void>(serialize(sent)); });
  EXPECT_NE(failure.find("a gallery::unlisted cannot be sent as a gallery::shape"),
            std::string::npos)
      << failure;
}

TEST(ClassOwner, RefusesNumbersWithoutAClass) {
  auto bytes = serialize(of_two());
  for (const int number : {2, 5, 255}) {
    bytes[0] = std::byte(number);
    EXPECT_THROW(static_cast<void>(deserialize<std::unique_ptr<shape>>(bytes)), acre::error);
  }
}

}  // namespace
