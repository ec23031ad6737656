// SPDX-License-Identifier: BSD-3-Clause
// Classes with substitutes, shared_ptrs, and types that cannot be sent or read.
#include <acre/base/error.hpp>
#include <acre/global/wire/round_trip_test.hpp>
#include <acre/global/wire/serialization.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace workshop {

class angle {
 public:
  explicit angle(double degrees) : degrees_(degrees) {
    if (!(degrees >= 0 && degrees < 360)) throw std::out_of_range("no angle");
  }
  friend bool operator==(const angle&, const angle&) = default;
  friend auto operator<=>(const angle&, const angle&) = default;

 private:
  friend double acre_save(const angle& a) { return a.degrees_; }
  friend angle acre_load(std::type_identity<angle>, double degrees) { return angle(degrees); }
  double degrees_;
};

struct direction : angle {
  using angle::angle;
  int quality = 0;
};

class document {
 public:
  explicit document(std::string text, std::vector<angle> turns = {})
      : text_(std::move(text)), turns_(std::move(turns)), length_(text_.size()) {}
  friend bool operator==(const document&, const document&) = default;

 private:
  friend auto acre_save(const document& d) { return std::pair(d.text_, d.turns_); }
  friend document acre_load(std::type_identity<document>,
                            std::pair<std::string, std::vector<angle>>&& saved) {
    return document(std::move(saved.first), std::move(saved.second));
  }
  std::string text_;
  std::vector<angle> turns_;
  std::size_t length_;
};

class foreign {
 public:
  explicit foreign(int value) : value_(value) {}
  [[nodiscard]] const int& value() const { return value_; }
  friend bool operator==(const foreign&, const foreign&) = default;

 private:
  int value_;
};
const int& acre_save(const foreign& f) { return f.value(); }
foreign acre_load(std::type_identity<foreign>, int value) { return foreign(value); }

struct half_done {
  std::string text;
  friend const std::string& acre_save(const half_done& h) { return h.text; }
};

struct holder {
  std::optional<angle> where;
  std::vector<document> papers;
  std::shared_ptr<const holder> next;
  friend auto acre_fields(holder& h) { return std::tie(h.where, h.papers, h.next); }
  friend bool operator==(const holder& a, const holder& b) {
    return a.where == b.where && a.papers == b.papers &&
           (a.next == nullptr) == (b.next == nullptr) && (a.next == nullptr || *a.next == *b.next);
  }
};

struct link {
  std::shared_ptr<link> next;
  friend auto acre_fields(link& l) { return std::tie(l.next); }
};

struct shape {
  virtual ~shape() = default;
};

}  // namespace workshop

namespace {

using acre::deserialize;
using acre::serializable;
using acre::serialize;
using acre::wire_test::round_trip;

static_assert(serializable<workshop::angle> && serializable<workshop::document> &&
              serializable<workshop::holder>);
static_assert(serializable<workshop::foreign> && serializable<std::shared_ptr<workshop::document>>);
static_assert(serializable<std::shared_ptr<const std::string>>);
static_assert(!serializable<workshop::direction> && !serializable<workshop::half_done>);
static_assert(!serializable<std::shared_ptr<workshop::shape>> &&
              !serializable<std::shared_ptr<int[]>>);
static_assert(!serializable<std::unique_ptr<workshop::shape>> &&
              !serializable<std::shared_ptr<void>>);
static_assert(!serializable<std::weak_ptr<int>>);
static_assert(acre::fixed_serialized_size<workshop::angle> == sizeof(double));
static_assert(acre::fixed_serialized_size<std::pair<workshop::foreign, char>> == 5);
static_assert(acre::fixed_serialized_size<workshop::document> == acre::variable_size);
static_assert(!acre::travels_as_bytes<workshop::angle> &&
              !acre::travels_as_bytes<workshop::direction>);

TEST(SerializationHooks, MakeObjectsOfWhatTravelledInTheirPlace) {
  const workshop::angle right(90);
  EXPECT_EQ(round_trip(right), right);
  EXPECT_EQ(round_trip(workshop::foreign(7)), workshop::foreign(7));
  const workshop::document text("round and round", {right, workshop::angle(180)});
  EXPECT_EQ(round_trip(text), text);
}

TEST(SerializationHooks, WorkInContainersOfAllKinds) {
  const workshop::angle right(90);
  const workshop::angle half(180);
  const std::vector<workshop::angle> many{right, half};
  EXPECT_EQ(round_trip(many), many);
  const std::array<workshop::angle, 3> three{half, right, half};
  EXPECT_EQ(round_trip(three), three);
  const std::map<workshop::angle, std::optional<workshop::foreign>> named{
      {right, {}}, {half, workshop::foreign(2)}};
  EXPECT_EQ(round_trip(named), named);
  const std::variant<workshop::angle, workshop::document> either = workshop::document("text");
  EXPECT_EQ(round_trip(either), either);
  const std::tuple<workshop::angle, int> both(right, 1);
  EXPECT_EQ(round_trip(both), both);
}

TEST(SerializationHooks, SayWhatIsWrongWithWhatArrives) {
  const auto no_angle = serialize(361.0);
  EXPECT_THROW(static_cast<void>(deserialize<workshop::angle>(no_angle)), std::out_of_range);
}

TEST(SerializationOfSharedPointers, CopiesWhatTheyPointTo) {
  EXPECT_EQ(round_trip(std::shared_ptr<std::string>()), nullptr);
  const auto one = std::make_shared<std::string>("shared");
  EXPECT_EQ(*round_trip(one), "shared");
  const auto two = round_trip(std::pair(one, one));
  EXPECT_EQ(*two.first, *two.second);
  EXPECT_NE(two.first, two.second);
  const workshop::holder inner{.where = {}, .papers = {workshop::document("a")}, .next = {}};
  const workshop::holder outer{
      .where = workshop::angle(1),
      .papers = {workshop::document("b", {workshop::angle(2)}), workshop::document("c")},
      .next = std::make_shared<const workshop::holder>(inner)};
  EXPECT_EQ(round_trip(outer), outer);
}

TEST(SerializationOfSharedPointers, RefusesTheWayInCircles) {
  const auto ring = std::make_shared<workshop::link>();
  ring->next = std::make_shared<workshop::link>();
  ring->next->next = ring;
  EXPECT_THROW(static_cast<void>(serialize(ring)), acre::error);
  ring->next->next.reset();
  EXPECT_NE(round_trip(ring)->next, nullptr);
}

workshop::holder random_holder(std::mt19937_64& random, int depth = 0) {
  workshop::holder made;
  if (random() % 2 == 0) made.where = workshop::angle(static_cast<double>(random() % 360));
  for (auto left = random() % 3; left != 0; --left) {
    made.papers.emplace_back(std::string(random() % 9, 'x'),
                             std::vector<workshop::angle>(random() % 3, workshop::angle(5)));
  }
  if (depth < 3 && random() % 3 != 0) {
    made.next = std::make_shared<const workshop::holder>(random_holder(random, depth + 1));
  }
  return made;
}

std::uint64_t random_seed() {
  const char* fixed = std::getenv("ACRE_TEST_SEED");
  return fixed != nullptr ? std::strtoull(fixed, nullptr, 10) : std::random_device{}();
}

TEST(RandomHooks, SurviveTheRoundTripAndCutOffAreRefused) {
  const auto seed = random_seed();
  SCOPED_TRACE("replay with ACRE_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 50; ++round) {
    const workshop::holder value = random_holder(random);
    const auto bytes = serialize(value);
    ASSERT_EQ(deserialize<workshop::holder>(bytes), value);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<long>(size));
      ASSERT_THROW(static_cast<void>(deserialize<workshop::holder>(cut)), acre::error);
    }
  }
}

TEST(RandomHooks, DamagedAnywhereDoNoHarm) {
  const auto seed = random_seed();
  SCOPED_TRACE("replay with ACRE_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    auto bytes = serialize(random_holder(random));
    for (int i = 0; i < 2; ++i) {
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1U << random() % 8);
    }
    try {
      static_cast<void>(deserialize<workshop::holder>(bytes));
    } catch (const acre::error&) {
      ++refused;
    } catch (const std::out_of_range&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(RandomHooks, AnnouncingMoreThanThereIsAreRefused) {
  for (const std::uint64_t count : {std::uint64_t{2}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    const auto bytes = serialize(std::string("text"), count, workshop::angle(1));
    EXPECT_THROW(static_cast<void>(deserialize<workshop::document>(bytes)), acre::error) << count;
  }
  const std::vector<std::byte> ones(100'000, std::byte{1});
  EXPECT_THROW(static_cast<void>(deserialize<std::shared_ptr<workshop::link>>(ones)), acre::error);
}

}  // namespace
