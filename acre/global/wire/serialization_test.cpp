// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/wire/serialization.hpp>

#include <acre/base/error.hpp>
#include <acre/global/wire/round_trip_test.hpp>

#include <gtest/gtest.h>

#include <any>
#include <array>
#include <atomic>
#include <complex>
#include <cstdlib>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace lab {

struct point {
  int x = 0;
  double y = 0;
  bool operator==(const point&) const = default;
};

struct reading {
  std::string name;
  std::vector<float> values;
  friend auto acre_fields(reading& r) { return std::tie(r.name, r.values); }
  bool operator==(const reading&) const = default;
};

class sample {
 public:
  sample() = default;
  explicit sample(std::int16_t seed) : id_(seed), weights_{1, 2, seed}, place_{seed, 0.5} {}
  bool operator==(const sample&) const = default;

 private:
  friend auto acre_fields(sample& s) { return std::tie(s.id_, s.weights_, s.place_); }
  std::int16_t id_ = 0;
  std::int32_t weights_[3] = {};
  point place_;
};

struct tree {
  int value = 0;
  std::vector<tree> children;
  std::unique_ptr<tree> next;
  friend auto acre_fields(tree& t) { return std::tie(t.value, t.children, t.next); }
  bool operator==(const tree& other) const {
    return value == other.value && children == other.children &&
           (next == nullptr) == (other.next == nullptr) &&
           (next == nullptr || *next == *other.next);
  }
};

template <class T>
struct box {
  T content{};
  friend auto acre_fields(box& b) { return std::tie(b.content); }
  bool operator==(const box&) const = default;
};

struct nothing {
  std::string not_sent;
  friend auto acre_fields(nothing&) { return std::tie(); }
};

struct careless : reading {
  std::string forgotten;
};

struct careful : reading {
  std::string added;
  friend auto acre_fields(careful& c) { return std::tie(c.name, c.values, c.added); }
  bool operator==(const careful&) const = default;
};

struct foreign {
  std::string text;
  bool operator==(const foreign&) const = default;
};
auto acre_fields(foreign& f) { return std::tie(f.text); }

struct no_default {
  explicit no_default(int v) : value(v) {}
  int value;
  bool operator==(const no_default&) const = default;
};

struct opaque {
  std::string text;
};

int triple(int x) { return 3 * x; }
int negated(int x) { return -x; }

}  // namespace lab

template <>
inline constexpr bool acre::travels_as_bytes<const lab::point*> = true;

namespace {

using acre::deserialize;
using acre::fixed_serialized_size;
using acre::make_message_view;
using acre::message_view;
using acre::reader;
using acre::serializable;
using acre::serialize;
using acre::serialized_size;
using acre::variable_size;
using acre::write_to;
using acre::wire_test::round_trip;

template <class T>
void expect_round_trip(const T& value) {
  EXPECT_EQ(round_trip(value), value);
}

static_assert(serializable<int> && serializable<lab::point> && serializable<std::complex<float>>);
static_assert(serializable<std::string> && serializable<std::vector<std::vector<std::string>>>);
static_assert(serializable<lab::reading> && serializable<lab::tree> && serializable<lab::foreign>);
static_assert(serializable<const std::string&>);
static_assert(serializable<int (*)(int)>);
static_assert(!serializable<int*> && !serializable<const char*> && !serializable<std::nullptr_t>);
static_assert(!serializable<std::vector<int*>> && !serializable<std::map<int, char*>>);
static_assert(!serializable<std::tuple<int, int&>> && !serializable<std::optional<int*>>);
static_assert(!serializable<std::variant<int, int*>> && !serializable<std::array<int*, 2>>);
static_assert(!serializable<int lab::point::*>);
static_assert(!serializable<std::reference_wrapper<int>>);
static_assert(!serializable<std::vector<int>::iterator>);
static_assert(!serializable<std::initializer_list<int>>);
static_assert(!serializable<std::function<void()>> && !serializable<std::any>);
static_assert(!serializable<std::shared_ptr<int[]>> && !serializable<std::atomic<int>>);
static_assert(!serializable<lab::opaque> && !serializable<std::vector<lab::opaque>>);
static_assert(!serializable<lab::careless> && serializable<lab::careful>);
static_assert(!serializable<std::unique_ptr<int[]>>);
static_assert(!serializable<std::span<std::string>>);
static_assert(serializable<const lab::point*>, "opted in");

static_assert(fixed_serialized_size<int> == 4);
static_assert(fixed_serialized_size<bool> == 1);
static_assert(fixed_serialized_size<lab::point> == sizeof(lab::point));
static_assert(fixed_serialized_size<std::pair<char, double>> == 9);
static_assert(fixed_serialized_size<lab::sample> == 2 + 12 + sizeof(lab::point));
static_assert(fixed_serialized_size<std::array<lab::sample, 3>> ==
              3 * fixed_serialized_size<lab::sample>);
static_assert(fixed_serialized_size<int (*)(int)> == 8);
static_assert(fixed_serialized_size<std::string> == variable_size);
static_assert(fixed_serialized_size<std::optional<std::string>> == variable_size);
static_assert(fixed_serialized_size<lab::reading> == variable_size);
static_assert(serialized_size(1, 2.0, 'c') == 13);
static_assert(serialized_size() == 0);

TEST(Serialization, KeepsTriviallyCopyableTypes) {
  expect_round_trip(42);
  expect_round_trip(true);
  expect_round_trip(false);
  expect_round_trip(std::numeric_limits<long double>::max());
  expect_round_trip(lab::point{3, 0.25});
  expect_round_trip(std::complex<double>(1, 2));
  expect_round_trip(std::array<lab::point, 2>{{{1, 2}, {3, 4}}});
  expect_round_trip(lab::no_default(7));
  expect_round_trip(std::monostate{});
}

TEST(Serialization, KeepsStringsAndContainers) {
  expect_round_trip(std::string());
  expect_round_trip(std::string("with \0 inside", 13));
  expect_round_trip(std::u32string(U"wide"));
  expect_round_trip(std::vector<int>{});
  expect_round_trip(std::vector<double>{1, 2, 3});
  expect_round_trip(std::vector<bool>{true, false, true});
  expect_round_trip(std::vector<lab::no_default>{lab::no_default(1), lab::no_default(2)});
  expect_round_trip(std::vector<std::string>{"a", "", "ccc"});
  expect_round_trip(std::vector<std::vector<lab::point>>{{}, {{1, 1}}, {{2, 2}, {3, 3}}});
  expect_round_trip(std::deque<int>{1, 2, 3});
  expect_round_trip(std::list<std::string>{"x", "y"});
  expect_round_trip(std::set<int>{3, 1, 2});
  expect_round_trip(std::multiset<int>{3, 1, 1});
  expect_round_trip(std::map<int, std::string>{{1, "one"}, {2, "two"}});
  expect_round_trip(std::map<std::int8_t, double>{{1, 1.5}, {2, 2.5}});
  expect_round_trip(std::multimap<int, int>{{1, 2}, {1, 1}, {0, 0}});
  expect_round_trip(std::unordered_map<std::string, std::vector<int>>{{"a", {1}}, {"b", {}}});
  expect_round_trip(std::unordered_set<std::string>{"p", "q"});
  expect_round_trip(std::array<std::string, 2>{"l", "r"});
  expect_round_trip(std::vector<std::tuple<>>(5));
}

TEST(Serialization, KeepsPairsTuplesOptionalsAndVariants) {
  expect_round_trip(std::pair<int, std::string>(1, "one"));
  expect_round_trip(std::pair<const char, double>('c', 2));
  expect_round_trip(std::tuple<>());
  expect_round_trip(std::tuple<std::string, int, std::vector<char>>("s", 1, {'v'}));
  expect_round_trip(std::optional<int>());
  expect_round_trip(std::optional<std::string>("there"));
  expect_round_trip(std::optional<std::optional<std::string>>(std::optional<std::string>()));
  using either = std::variant<int, std::string, int, std::vector<std::string>>;
  expect_round_trip(either(std::in_place_index<0>, 1));
  expect_round_trip(either("text"));
  expect_round_trip(either(std::in_place_index<2>, 2));
  expect_round_trip(either(std::vector<std::string>{"a", "b"}));
}

TEST(Serialization, KeepsClassesThatNameTheirFields) {
  expect_round_trip(lab::reading{"gauge", {1.5F, 2.5F}});
  expect_round_trip(lab::sample(9));
  expect_round_trip(lab::foreign{"outside"});
  expect_round_trip(lab::box<lab::reading>{{"boxed", {}}});
  expect_round_trip(std::vector<lab::sample>{lab::sample(1), lab::sample(2)});
  lab::careful derived;
  derived.name = "base";
  derived.added = "derived";
  expect_round_trip(derived);
  EXPECT_EQ(serialized_size(lab::nothing{"unsent"}), 1U);
  EXPECT_EQ(round_trip(lab::nothing{"unsent"}).not_sent, "");
}

TEST(Serialization, KeepsOwnersAndTypesThatContainThemselves) {
  EXPECT_EQ(*round_trip(std::make_unique<std::string>("owned")), "owned");
  EXPECT_EQ(round_trip(std::unique_ptr<int>()), nullptr);
  lab::tree root;
  root.value = 1;
  root.children.resize(2);
  root.children[1].children.resize(1);
  root.children[1].children[0].value = 5;
  root.next = std::make_unique<lab::tree>();
  root.next->value = 9;
  EXPECT_EQ(round_trip(root), root);
}

TEST(Serialization, SendsFunctionsByTheirTokens) {
  EXPECT_EQ(round_trip(&lab::triple), &lab::triple);
  const auto several = round_trip(std::vector<int (*)(int)>{&lab::triple, nullptr, &lab::negated});
  ASSERT_EQ(several.size(), 3U);
  EXPECT_EQ(several[0](2), 6);
  EXPECT_EQ(several[1], nullptr);
  EXPECT_EQ(several[2](-3), 3);
}

TEST(Serialization, SendsLambdasWithTheValuesTheyCaptured) {
  int offset = 10;
  ++offset;
  const auto shift = [offset](int x) { return x + offset; };
  EXPECT_EQ(round_trip(shift)(1), 12);
  EXPECT_EQ(round_trip([](int x) { return x; })(4), 4);
}

TEST(Serialization, SendsPointersThatOptedIn) {
  static const lab::point origin;
  EXPECT_EQ(round_trip<const lab::point*>(&origin), &origin);
}

TEST(Serialization, ReadsValuesInTheOrderOfWriting) {
  const auto bytes = serialize('c', std::string("text"), 2.5, std::vector<int>{1, 2});
  reader from(bytes);
  EXPECT_EQ(from.read<char>(), 'c');
  EXPECT_EQ(from.read<std::string>(), "text");
  EXPECT_EQ(from.read<double>(), 2.5);
  EXPECT_EQ(from.read<std::vector<int>>(), (std::vector<int>{1, 2}));
  EXPECT_EQ(from.remaining(), 0U);
  EXPECT_NO_THROW(from.expect_end());
}

TEST(Serialization, SendsLiteralsAsStrings) {
  static_assert(std::is_same_v<acre::received_t<const char(&)[6]>, std::string_view>);
  const auto bytes = serialize("hello", 1);
  reader from(bytes);
  EXPECT_EQ(from.read<std::string_view>(), "hello");
  EXPECT_EQ(from.read<int>(), 1);
}

TEST(View, PointsIntoTheMessage) {
  const std::vector<double> sent{1, 2, 3};
  const auto bytes = serialize('x', make_message_view(sent), std::string_view("tail"));
  reader from(bytes);
  EXPECT_EQ(from.read<char>(), 'x');
  const auto numbers = from.read<message_view<double>>();
  const auto tail = from.read<std::string_view>();
  from.expect_end();
  EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), sent.begin(), sent.end()));
  EXPECT_EQ(numbers[2], 3);
  EXPECT_EQ(numbers.back(), 3);
  EXPECT_EQ(tail, "tail");
  const auto inside = [&](const void* place) {
    return place >= bytes.data() && place < bytes.data() + bytes.size();
  };
  EXPECT_TRUE(inside(numbers.data()));
  EXPECT_TRUE(inside(tail.data()));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers.data()) % alignof(double), 0U);
}

TEST(View, WhateverLiesSideBySideArrivesAsAnyOther) {
  const std::vector<int> sent{4, 5, 6};
  const auto same = [&](const auto& range) {
    return std::equal(range.begin(), range.end(), sent.begin(), sent.end());
  };
  const auto check = [&](const std::vector<std::byte>& bytes) {
    EXPECT_TRUE(same(deserialize<std::vector<int>>(bytes)));
    EXPECT_TRUE(same(deserialize<message_view<int>>(bytes)));
    EXPECT_TRUE(same(deserialize<std::span<const int>>(bytes)));
  };
  check(serialize(sent));
  check(serialize(make_message_view(sent)));
  check(serialize(std::span(sent)));
  check(serialize(make_message_view(std::list<int>(sent.begin(), sent.end()))));
  static_assert(std::is_same_v<acre::received_t<std::span<int>>, std::span<const int>>);
  EXPECT_EQ(deserialize<std::string>(serialize(std::vector<char>{'a', 'b'})), "ab");
}

TEST(View, MakesElementsWhileTheReceiverIterates) {
  const std::map<std::string, std::vector<int>> sent{{"a", {1}}, {"b", {}}, {"c", {1, 2, 3}}};
  auto source = make_message_view(sent);
  using arriving = acre::received_t<decltype(source)>;
  static_assert(
      std::is_same_v<arriving, message_view<std::pair<const std::string, std::vector<int>>>>);
  const auto bytes = serialize(1, source, 2);
  reader from(bytes);
  EXPECT_EQ(from.read<int>(), 1);
  const auto elements = from.read<arriving>();
  EXPECT_EQ(from.read<int>(), 2);
  from.expect_end();
  EXPECT_EQ(elements.size(), 3U);
  for (int pass = 0; pass < 2; ++pass) {
    auto expected = sent.begin();
    for (const auto& [key, values] : elements) {
      ASSERT_NE(expected, sent.end());
      EXPECT_EQ(key, expected->first);
      EXPECT_EQ(values, expected->second);
      ++expected;
    }
    EXPECT_EQ(expected, sent.end());
  }
}

TEST(View, AlignsElementsInsideOfOtherTypes) {
  const std::vector<std::string> words{"odd", "lengths", "", "everywhere"};
  const std::vector<std::pair<char, std::vector<double>>> sent{
      {'a', {1}}, {'b', {2, 3}}, {'c', {}}};
  const auto bytes = serialize(make_message_view(words), make_message_view(sent));
  reader from(bytes);
  std::vector<std::string> arrived;
  for (const std::string& word : from.read<message_view<std::string>>()) arrived.push_back(word);
  EXPECT_EQ(arrived, words);
  std::vector<std::pair<char, std::vector<double>>> pairs;
  for (const auto& [letter, numbers] :
       from.read<message_view<std::pair<char, message_view<double>>>>()) {
    pairs.emplace_back(letter, std::vector<double>(numbers.begin(), numbers.end()));
  }
  EXPECT_EQ(pairs, sent);
}

TEST(View, RefusesAPayloadThatIsNotAligned) {
  const auto bytes = serialize(std::vector<double>{1});
  alignas(8) std::byte shifted[64];
  std::copy(bytes.begin(), bytes.end(), shifted + 1);
  reader from(std::span<const std::byte>(shifted + 1, bytes.size()));
  EXPECT_THROW(static_cast<void>(from.read<message_view<double>>()), acre::error);
}

TEST(Serialization, RefusesToWriteWithoutRoom) {
  std::byte small[10];
  EXPECT_THROW(write_to(small, 1, 2, 3), acre::error);
  EXPECT_THROW(write_to(small, std::string("more than ten bytes")), acre::error);
  EXPECT_THROW(write_to(std::span(small, 2), std::vector<std::string>{"a"}), acre::error);
  EXPECT_EQ(write_to(small, 1, std::int16_t{2}), 6U);
  EXPECT_EQ(write_to(small), 0U);
}

TEST(Serialization, ReportsWhatIsLeftOver) {
  auto bytes = serialize(1);
  bytes.push_back(std::byte{0});
  EXPECT_THROW(static_cast<void>(deserialize<int>(bytes)), acre::error);
}

TEST(Serialization, DoesNotAllocateForAnAbsurdCount) {
  for (const std::uint64_t count : {~std::uint64_t{0}, std::uint64_t{1} << 61, std::uint64_t{9}}) {
    const auto bytes = serialize(count, std::uint64_t{0});
    EXPECT_THROW(static_cast<void>(deserialize<std::vector<int>>(bytes)), acre::error);
    EXPECT_THROW(static_cast<void>(deserialize<std::vector<std::string>>(bytes)), acre::error);
    EXPECT_THROW(static_cast<void>(deserialize<std::string>(bytes)), acre::error);
    EXPECT_THROW(static_cast<void>(deserialize<message_view<double>>(bytes)), acre::error);
    EXPECT_THROW(static_cast<void>(deserialize<message_view<std::string>>(bytes)), acre::error);
    EXPECT_THROW(static_cast<void>((deserialize<std::map<int, int>>(bytes))), acre::error);
    EXPECT_THROW(static_cast<void>(deserialize<std::vector<std::tuple<>>>(bytes)), acre::error);
    EXPECT_THROW(static_cast<void>(deserialize<lab::tree>(bytes)), acre::error);
  }
}

TEST(Serialization, RefusesImpossibleFlagsAndIndices) {
  EXPECT_THROW(static_cast<void>(deserialize<bool>(serialize('\2'))), acre::error);
  EXPECT_THROW(static_cast<void>(deserialize<std::optional<int>>(serialize('\2'))), acre::error);
  using either = std::variant<int, std::string>;
  EXPECT_THROW(static_cast<void>(deserialize<either>(serialize('\2', 0))), acre::error);
}

TEST(Serialization, RefusesBottomlessNesting) {
  std::vector<std::byte> bytes;
  for (int level = 0; level < 1'000'000; ++level) {
    const auto one = serialize(1, std::uint64_t{0}, '\1');
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  EXPECT_THROW(static_cast<void>(deserialize<lab::tree>(bytes)), acre::error);
}

/// Can be sent, but throws when made from an int.
struct unmakeable {
  unmakeable() = default;
  explicit unmakeable(int) { throw 1; }
  std::string text;
  friend auto acre_fields(unmakeable& u) { return std::tie(u.text); }
};

TEST(Serialization, RefusesAValuelessVariant) {
  std::variant<std::string, unmakeable> broken;
  EXPECT_THROW(broken.emplace<unmakeable>(1), int);
  ASSERT_TRUE(broken.valueless_by_exception());
  EXPECT_THROW(static_cast<void>(serialize(broken)), acre::error);
}

using random_engine = std::mt19937_64;

template <class T>
T make_random(random_engine& random);

template <class T>
struct random_maker;

template <class T>
  requires std::is_arithmetic_v<T>
struct random_maker<T> {
  static T make(random_engine& random) { return static_cast<T>(random() % 100); }
};
template <>
struct random_maker<bool> {
  static bool make(random_engine& random) { return random() % 2 == 0; }
};
template <>
struct random_maker<lab::point> {
  static lab::point make(random_engine& random) {
    return {make_random<int>(random), make_random<double>(random)};
  }
};
template <>
struct random_maker<lab::reading> {
  static lab::reading make(random_engine& random) {
    return {make_random<std::string>(random), make_random<std::vector<float>>(random)};
  }
};
template <template <class...> class Container, class T, class... More>
  requires requires(Container<T, More...>& c, T v) { c.insert(c.end(), v); }
struct random_maker<Container<T, More...>> {
  static Container<T, More...> make(random_engine& random) {
    Container<T, More...> made;
    for (auto left = random() % 5; left != 0; --left)
      made.insert(made.end(), make_random<T>(random));
    return made;
  }
};
template <template <class...> class Map, class K, class V, class... More>
  requires requires { typename Map<K, V, More...>::mapped_type; }
struct random_maker<Map<K, V, More...>> {
  static Map<K, V, More...> make(random_engine& random) {
    Map<K, V, More...> made;
    for (auto left = random() % 5; left != 0; --left) {
      K key = make_random<K>(random);
      made.emplace(std::move(key), make_random<V>(random));
    }
    return made;
  }
};
template <class T>
struct random_maker<std::optional<T>> {
  static std::optional<T> make(random_engine& random) {
    if (random() % 2 == 0) return std::nullopt;
    return make_random<T>(random);
  }
};
template <class A, class B>
struct random_maker<std::pair<A, B>> {
  static std::pair<A, B> make(random_engine& random) {
    return {make_random<A>(random), make_random<B>(random)};
  }
};
template <class... T>
struct random_maker<std::tuple<T...>> {
  static std::tuple<T...> make(random_engine& random) { return {make_random<T>(random)...}; }
};
template <class... T>
struct random_maker<std::variant<T...>> {
  static std::variant<T...> make(random_engine& random) {
    std::variant<T...> made;
    const auto chosen = random() % sizeof...(T);
    std::size_t index = 0;
    ((index++ == chosen ? void(made = make_random<T>(random)) : void()), ...);
    return made;
  }
};
template <class T>
T make_random(random_engine& random) {
  return random_maker<T>::make(random);
}

std::uint64_t random_seed() {
  const char* fixed = std::getenv("ACRE_TEST_SEED");
  return fixed != nullptr ? std::strtoull(fixed, nullptr, 10) : std::random_device{}();
}

template <class T>
class RandomValues : public testing::Test {};

using nested_types = testing::Types<
    std::vector<std::optional<std::string>>, std::map<std::string, std::vector<lab::point>>,
    std::tuple<char, std::vector<double>, std::string, std::vector<bool>>,
    std::vector<std::variant<int, std::string, lab::reading>>,
    std::unordered_map<int, std::set<std::string>>,
    std::list<std::pair<std::deque<std::string>, std::optional<std::vector<std::int16_t>>>>,
    std::vector<lab::reading>, std::optional<std::map<int, std::map<char, std::string>>>,
    std::vector<std::vector<std::vector<std::int8_t>>>>;
TYPED_TEST_SUITE(RandomValues, nested_types);

TYPED_TEST(RandomValues, SurviveTheRoundTrip) {
  const auto seed = random_seed();
  SCOPED_TRACE("replay with ACRE_TEST_SEED=" + std::to_string(seed));
  random_engine random(seed);
  for (int round = 0; round < 200; ++round) {
    const auto prefix = static_cast<std::size_t>(random() % 8);
    const auto value = make_random<TypeParam>(random);
    const auto bytes = serialize(std::string(prefix, 'p'), value, 'e');
    reader from(bytes);
    ASSERT_EQ(from.read<std::string>().size(), prefix);
    ASSERT_EQ(from.read<TypeParam>(), value);
    ASSERT_EQ(from.read<char>(), 'e');
    ASSERT_NO_THROW(from.expect_end());
  }
}

TYPED_TEST(RandomValues, CutOffAnywhereAreRefused) {
  const auto seed = random_seed();
  SCOPED_TRACE("replay with ACRE_TEST_SEED=" + std::to_string(seed));
  random_engine random(seed);
  for (int round = 0; round < 20; ++round) {
    const auto bytes = serialize(make_random<TypeParam>(random));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      // Exact size, so that the address sanitizer detects overruns.
      const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<long>(size));
      ASSERT_THROW(static_cast<void>(deserialize<TypeParam>(cut)), acre::error);
    }
  }
}

TYPED_TEST(RandomValues, DamagedAnywhereDoNoHarm) {
  const auto seed = random_seed();
  SCOPED_TRACE("replay with ACRE_TEST_SEED=" + std::to_string(seed));
  random_engine random(seed);
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    auto bytes = serialize(make_random<TypeParam>(random));
    for (int i = 0; i < 2; ++i) {
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1U << random() % 8);
    }
    try {
      static_cast<void>(deserialize<TypeParam>(bytes));
    } catch (const acre::error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(RandomBytes, DoNoHarmToAType) {
  const auto seed = random_seed();
  SCOPED_TRACE("replay with ACRE_TEST_SEED=" + std::to_string(seed));
  random_engine random(seed);
  for (int round = 0; round < 5000; ++round) {
    std::vector<std::byte> bytes(random() % 64);
    for (auto& byte : bytes) byte = static_cast<std::byte>(random() % 4);
    const auto try_as = [&]<class T>(std::type_identity<T>) {
      try {
        reader from(bytes);
        static_cast<void>(from.read<T>());
      } catch (const acre::error&) {
      }
    };
    try_as(std::type_identity<lab::tree>{});
    try_as(std::type_identity<std::vector<lab::nothing>>{});
    try_as(std::type_identity<int (*)(int)>{});
    try {
      reader from(bytes);
      for (const auto& word : from.read<message_view<std::string>>())
        static_cast<void>(word.size());
    } catch (const acre::error&) {
    }
  }
}

}  // namespace
