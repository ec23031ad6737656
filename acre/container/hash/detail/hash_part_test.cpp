// One part of the hash map under many threads, in memory of this process.
#include <acre/container/hash/detail/hash_part.hpp>

#include <acre/base/error.hpp>
#include <acre/container/hash/wide_value_test.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

static std::atomic<std::uint64_t> yields{0};

/// The C library's, counted.
extern "C" int sched_yield() noexcept {
  ++yields;
  return static_cast<int>(::syscall(SYS_sched_yield));
}

namespace {

using acre::container_test::wide_value;
using acre::detail::bucket;
using acre::detail::bucket_state;
using acre::detail::hash_part;
using acre::detail::most_reach;
using acre::detail::outcome;

/// All words are equal, so that a mixture of two keys is seen.
struct wide_key {
  std::array<std::uint32_t, 1000> words;

  static inline std::atomic<int> halves_compared{0};

  static wide_key of(std::uint64_t number) {
    wide_key made;
    made.words.fill(static_cast<std::uint32_t>(number));
    return made;
  }
  friend bool operator==(const wide_key& a, const wide_key& b) {
    for (const wide_key* each : {&a, &b}) {
      if (each->words[0] != each->words[999]) ++halves_compared;
    }
    return a.words == b.words;
  }
};
struct two_words {
  std::uint64_t high, low;
  friend bool operator==(const two_words&, const two_words&) = default;
};

static_assert(sizeof(bucket<std::uint64_t, std::uint32_t>) == 16);
static_assert(sizeof(bucket<std::uint32_t, std::uint64_t>) == 16);
static_assert(sizeof(bucket<std::uint64_t, std::uint64_t>) == 24);
static_assert(sizeof(bucket<two_words, std::uint32_t>) == 24);
static_assert(std::is_same_v<bucket<std::uint64_t, std::uint64_t>::word, std::uint64_t>);
static_assert(std::is_same_v<bucket<std::uint8_t, std::array<int, 3>>::word, std::uint64_t>);

/// Sends all keys to one home: the hardest case for whatever depends on reaches.
struct same_hash {
  using is_avalanching = void;
  std::uint64_t operator()(const auto&) const noexcept { return std::uint64_t{1} << 63; }
};
/// Sixteen homes.
struct poor_hash {
  using is_avalanching = void;
  std::uint64_t operator()(std::uint64_t key) const noexcept { return key << 60; }
};

/// Lets something happen between the reading of a key and that of its value.
struct slow_equal {
  static inline std::function<void()> meanwhile;

  bool operator()(const auto& a, const auto& b) const {
    if (meanwhile) std::exchange(meanwhile, nullptr)();
    return a == b;
  }
};

template <class Part, class Key>
auto find_in(Part& all, const Key& key, std::uint64_t hash) {
  std::optional<typename Part::mapped_type> value;
  all.find_into(value, key, hash);
  return value;
}

template <class K, class V, class Hash = acre::hash<K>, class Equal = acre::equal_by_operator>
class table {
 public:
  using part = hash_part<K, V, Hash, Equal>;

  explicit table(std::size_t capacity)
      : memory_(capacity * sizeof(bucket<K, V>) / 8 + 8, 0), capacity_(capacity) {}

  [[nodiscard]] part view() {
    return part({reinterpret_cast<bucket<K, V>*>(memory_.data()), capacity_}, 1);
  }
  outcome insert(const K& key, const V& value) {
    part all = view();
    return all.insert(key, all.hash_of(key), value);
  }
  outcome add(const K& key, const V& amount) {
    part all = view();
    return all.upsert(
        key, all.hash_of(key), [&](V& value) noexcept { value += amount; }, [&] { return amount; });
  }
  outcome assign(const K& key, const V& value) {
    part all = view();
    return all.upsert(
        key, all.hash_of(key), [&](V& old) noexcept { old = value; }, [&] { return value; });
  }
  [[nodiscard]] std::optional<V> find(const K& key) {
    part all = view();
    return find_in(all, key, all.hash_of(key));
  }
  bool erase(const K& key) {
    part all = view();
    return all.erase(key, all.hash_of(key));
  }

 private:
  std::vector<std::uint64_t> memory_;
  std::size_t capacity_;
};

template <class Work>
void on_threads(unsigned threads, Work&& work) {
  std::vector<std::thread> running;
  for (unsigned i = 0; i < threads; ++i) running.emplace_back([&work, i] { work(i); });
  for (auto& each : running) each.join();
}

template <class Word>
void check_reaches() {
  using state = bucket_state<Word>;
  for (const std::uint64_t reach : {0U, 1U, 2U, 511U}) {
    EXPECT_EQ(state().filled(7).with_reach(reach).reach(), reach);
  }
  for (const std::uint64_t reach : {512U, 513U, 1024U, 1025U, 1'000'000U, 2'000'000'000U}) {
    const std::uint64_t kept = state().with_reach(reach).reach();
    EXPECT_GE(kept, reach);
    EXPECT_LT(kept, 2 * reach);
  }
}

TEST(BucketState, KeepsReachesExactlyOrRoundedUp) {
  check_reaches<std::uint32_t>();
  check_reaches<std::uint64_t>();
}

TEST(BucketState, SurvivesTheEndOfItsVersions) {
  bucket_state<std::uint32_t> state = bucket_state<std::uint32_t>().filled(1).with_reach(300);
  for (unsigned i = 0; i < (1U << 20) + 5; ++i) state = state.changed();
  EXPECT_TRUE(state.is_settled());
  EXPECT_EQ(state.reach(), 300U);
}

/// @param room how many keys the part takes
template <class Hash>
void follow_model(std::size_t capacity, std::size_t room, std::uint64_t keys, int steps,
                  std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  table<std::uint64_t, std::uint32_t, Hash> tested(capacity);
  std::unordered_map<std::uint64_t, std::uint32_t> model;
  std::mt19937_64 random(seed);
  for (int step = 0; step < steps; ++step) {
    const std::uint64_t key = random() % keys;
    const auto value = static_cast<std::uint32_t>(random());
    const auto before = model.find(key);
    const bool full = before == model.end() && model.size() == room;
    const outcome absent = full ? outcome::no_room : outcome::added;
    switch (random() % 5) {
      case 0:
        ASSERT_EQ(tested.insert(key, value), before != model.end() ? outcome::found : absent);
        if (!full) model.emplace(key, value);
        break;
      case 1:
        ASSERT_EQ(tested.assign(key, value), before != model.end() ? outcome::found : absent);
        if (!full) model[key] = value;
        break;
      case 2:
        ASSERT_EQ(tested.add(key, value), before != model.end() ? outcome::found : absent);
        if (!full) model[key] += value;
        break;
      case 3:
        ASSERT_EQ(tested.erase(key), model.erase(key) == 1);
        break;
      default:
        ASSERT_EQ(tested.find(key),
                  before == model.end() ? std::nullopt : std::optional(before->second));
    }
  }
  std::map<std::uint64_t, std::uint32_t> seen;
  tested.view().for_each(
      [&](auto key, auto value) { EXPECT_TRUE(seen.emplace(key, value).second); });
  EXPECT_EQ(seen, (std::map<std::uint64_t, std::uint32_t>(model.begin(), model.end())));
}

TEST(HashPart, DoesWhatAMapDoes) {
  const std::uint64_t seed = std::random_device{}();
  follow_model<acre::hash<std::uint64_t>>(100, 100, 90, 20'000, seed);
  follow_model<acre::hash<std::uint64_t>>(64, 64, 200, 20'000, seed + 1);  // full most of the time
  follow_model<poor_hash>(100, 100, 80, 20'000, seed + 2);
  follow_model<same_hash>(40, 40, 50, 10'000, seed + 3);
  follow_model<same_hash>(2000, most_reach, 1500, 20'000, seed + 4);  // reaches that are rounded up
  follow_model<acre::hash<std::uint64_t>>(1, 1, 3, 1000, seed + 5);
}

TEST(HashPart, NeedsNoScanForAMissHoweverManyKeysHaveComeAndGone) {
  table<std::uint64_t, std::uint32_t> tested(1000);
  // A queue of 500 keys passes through: each bucket is used many times.
  for (std::uint64_t key = 0; key < 200'000; ++key) {
    ASSERT_EQ(tested.insert(key, 1), outcome::added);
    if (key >= 500) {
      ASSERT_TRUE(tested.erase(key - 500));
    }
  }
  auto all = tested.view();
  for (std::uint64_t key = 1'000'000; key < 1'010'000; ++key) {
    ASSERT_FALSE(find_in(all, key, all.hash_of(key)));
  }
  EXPECT_LT(all.costs().reads, 40'000U) << "at half load a miss looks at few buckets";
  EXPECT_EQ(all.costs().atomics, 0U);
}

TEST(HashPart, SpendsNoMoreThanTheLongestReachWhenItIsFull) {
  constexpr std::uint64_t capacity = 1 << 17;
  table<std::uint64_t, std::uint32_t> tested(capacity);
  std::uint64_t entries = 0;
  std::uint64_t key = 0;
  for (; entries < capacity / 5 * 4; ++key, ++entries) {
    ASSERT_EQ(tested.insert(key, 1), outcome::added) << "up to four fifths there is room";
  }
  auto all = tested.view();
  std::uint64_t refused = 0;
  for (; refused < 500; ++key) {
    all = tested.view();
    const outcome done = all.insert(key, all.hash_of(key), 1);
    ASSERT_NE(done, outcome::found);
    // A search, the same under the lock of the home, and a look for a free bucket.
    ASSERT_LE(all.costs().reads, 3 * most_reach);
    done == outcome::added ? ++entries : ++refused;
  }
  EXPECT_GT(entries, capacity / 100 * 85);
  for (std::uint64_t absent = key; absent < key + 1000; ++absent) {
    all = tested.view();
    ASSERT_FALSE(find_in(all, absent, all.hash_of(absent)));
    ASSERT_LE(all.costs().reads, most_reach);
  }
  std::uint64_t found = 0;
  for (std::uint64_t each = 0; each < key; ++each) found += tested.find(each) ? 1 : 0;
  EXPECT_EQ(found, entries) << "nothing is lost";
}

TEST(HashPart, KeepsEachKeyNearItsHomeWhenItIsCopied) {
  // Full up to the last bucket, and all keys at one home, whose row wraps around.
  table<std::uint64_t, std::uint32_t, same_hash> crowded(1500);
  for (std::uint64_t key = 0; key < most_reach; ++key) {
    ASSERT_EQ(crowded.insert(key, static_cast<std::uint32_t>(key)), outcome::added);
  }
  EXPECT_EQ(crowded.insert(most_reach, 1), outcome::no_room);
  for (const std::size_t capacity : {1024U, 1501U, 3000U, 100'000U}) {
    table<std::uint64_t, std::uint32_t, same_hash> copy(capacity);
    auto target = copy.view();
    EXPECT_EQ(crowded.view().copy_to(target), most_reach);
    for (std::uint64_t key = 0; key < most_reach; ++key) ASSERT_EQ(copy.find(key), key);
  }
  table<std::uint64_t, std::uint32_t, same_hash> small(1023);
  auto target = small.view();
  EXPECT_EQ(crowded.view().copy_to(target), std::nullopt);

  table<std::uint64_t, std::uint32_t> large(50'000);
  std::uint64_t entries = 0;
  for (std::uint64_t key = 0; key < 60'000; ++key) {
    entries += large.insert(key, 1) == outcome::added ? 1 : 0;
  }
  for (const std::size_t capacity : {100'000U, 200'000U}) {
    table<std::uint64_t, std::uint32_t> copy(capacity);
    auto larger = copy.view();
    ASSERT_EQ(large.view().copy_to(larger), entries);
    std::uint64_t found = 0;
    for (std::uint64_t key = 0; key < 60'000; ++key) found += copy.find(key) ? 1 : 0;
    EXPECT_EQ(found, entries);
  }
  table<std::uint64_t, std::uint32_t> tight(entries);
  auto no_room = tight.view();
  EXPECT_EQ(large.view().copy_to(no_room), std::nullopt) << "not beyond the longest reach";
}

TEST(HashPart, ReadersLeaveTheCoreToAWriterThatIsOffItsOwn) {
  // A writer that stays under the lock until readers have given up their core.
  using value = wide_value<8>;
  table<std::uint64_t, value> tested(8);
  ASSERT_EQ(tested.insert(1, value::of(1)), outcome::added);
  const auto change_slowly = [&] {
    auto all = tested.view();
    all.modify(1, all.hash_of(std::uint64_t{1}), [](value& old) noexcept {
      const std::uint64_t before = yields;
      const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
      while (yields == before && std::chrono::steady_clock::now() < give_up) ::usleep(100);
      EXPECT_NE(yields, before) << "readers only spin";
      old = value::of(old.words[0] + 1);
    });
  };
  for (const bool one : {true, false}) {
    std::atomic<bool> done{false};
    std::thread writer([&] {
      change_slowly();
      done = true;
    });
    while (!done) {
      if (one) {
        EXPECT_TRUE(tested.find(1)->is_whole());
      } else {
        tested.view().for_each([](auto, const value& seen) { EXPECT_TRUE(seen.is_whole()); });
      }
    }
    writer.join();
  }
  EXPECT_EQ(tested.find(1)->words[0], 3U);
}

TEST(HashPart, ForgetsItsReachesWhenItIsEmptied) {
  table<std::uint64_t, std::uint32_t, same_hash> tested(300);
  for (std::uint64_t key = 0; key < 300; ++key) ASSERT_EQ(tested.insert(key, 1), outcome::added);
  EXPECT_EQ(tested.insert(300, 1), outcome::no_room);
  for (std::uint64_t key = 0; key < 300; ++key) ASSERT_TRUE(tested.erase(key));
  auto all = tested.view();
  EXPECT_FALSE(find_in(all, std::uint64_t{7}, all.hash_of(std::uint64_t{7})));
  EXPECT_EQ(all.costs().reads, 1U);
}

TEST(HashPart, CountsEveryAdditionOfEveryThread) {
  table<std::uint64_t, std::uint32_t> tested(4096);
  constexpr unsigned threads = 4;
  constexpr std::uint32_t rounds = 50;
  on_threads(threads, [&](unsigned) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (std::uint64_t key = 0; key < 3000; ++key) static_cast<void>(tested.add(key, 1));
    }
  });
  std::size_t entries = 0;
  tested.view().for_each([&](auto, auto value) {
    ++entries;
    EXPECT_EQ(value, threads * rounds);
  });
  EXPECT_EQ(entries, 3000U);
}

TEST(HashPart, LetsOneOfManyInsertAKey) {
  constexpr unsigned threads = 4;
  constexpr std::uint64_t keys = 2000;
  table<std::uint64_t, std::uint32_t, poor_hash> tested(keys);  // full at the end
  std::vector<std::atomic<int>> winners(keys);
  on_threads(threads, [&](unsigned thread) {
    for (std::uint64_t i = 0; i < keys; ++i) {
      const std::uint64_t key = thread % 2 == 0 ? i : keys - 1 - i;
      const outcome done = tested.insert(key, thread);
      ASSERT_NE(done, outcome::no_room) << "there is a bucket for each key";
      if (done == outcome::added) ++winners[key];
    }
  });
  for (const auto& each : winners) EXPECT_EQ(each.load(), 1);
}

template <class Hash>
void balance_racing_threads() {
  table<std::uint64_t, std::uint32_t, Hash> tested(64);
  constexpr std::uint64_t keys = 48;
  std::vector<std::atomic<int>> balance(keys);
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  on_threads(4, [&](unsigned thread) {
    std::mt19937_64 random(seed + thread);
    for (int step = 0; step < 50'000; ++step) {
      const std::uint64_t key = random() % keys;
      if (random() % 2 == 0) {
        const outcome done = tested.insert(key, 1);
        ASSERT_NE(done, outcome::no_room);
        if (done == outcome::added) ++balance[key];
      } else if (tested.erase(key)) {
        --balance[key];
      }
    }
  });
  for (std::uint64_t key = 0; key < keys; ++key) {
    EXPECT_EQ(balance[key].load(), tested.find(key) ? 1 : 0) << "key " << key;
  }
}

TEST(HashPart, BalancesInsertionsAndErasuresOfRacingThreads) {
  balance_racing_threads<poor_hash>();
  balance_racing_threads<acre::hash<std::uint64_t>>();  // most keys have a home of their own
}

/// Writers assign, erase and insert; readers never see halves of two values.
template <class K, class V, class Hash, class MakeKey>
void never_tears(std::uint64_t finds, MakeKey&& make_key) {
  table<K, V, Hash> tested(16);
  constexpr std::uint64_t keys = 12;
  std::atomic<std::uint64_t> torn{0};
  std::atomic<std::uint64_t> seen{0};
  on_threads(4, [&](unsigned thread) {
    std::mt19937_64 random(thread);
    if (thread < 2) {
      while (seen < finds) {
        const std::uint64_t number = random() % keys;
        // A value says whose it is: number + a multiple of the number of keys.
        const V value = V::of(number + keys * (random() % 1000));
        if (random() % 2 == 0) {
          tested.erase(make_key(number));
        } else {
          ASSERT_NE(tested.assign(make_key(number), value), outcome::no_room);
        }
      }
    } else {
      while (seen < finds) {
        const std::uint64_t number = random() % keys;
        if (const auto found = tested.find(make_key(number))) {
          ++seen;
          if (!found->is_whole() || found->words[0] % keys != number) ++torn;
        }
        if (random() % 16 != 0) continue;
        tested.view().for_each([&](const K& key, const V& value) {
          if (!value.is_whole() || !(make_key(value.words[0] % keys) == key)) ++torn;
        });
      }
    }
  });
  EXPECT_EQ(torn.load(), 0U);
}

TEST(HashPart, NeverShowsHalvesOfValues) {
  const auto number = [](std::uint64_t key) { return key; };
  never_tears<std::uint64_t, wide_value<1>, same_hash>(500'000, number);
  never_tears<std::uint64_t, wide_value<2>, acre::hash<std::uint64_t>>(20'000, number);
  never_tears<std::uint64_t, wide_value<8>, acre::hash<std::uint64_t>>(20'000, number);
  never_tears<std::uint64_t, wide_value<125>, acre::hash<std::uint64_t>>(20'000, number);
  never_tears<std::uint64_t, wide_value<512>, acre::hash<std::uint64_t>>(20'000, number);
}

TEST(HashPart, NeverTakesTheValueOfTheNextKeyInABucket) {
  table<std::uint64_t, std::uint64_t, same_hash, slow_equal> tested(4);
  ASSERT_EQ(tested.insert(1, 100), outcome::added);
  const auto replace_key = [&] {
    ASSERT_TRUE(tested.erase(1));
    ASSERT_EQ(tested.insert(2, 200), outcome::added);
  };
  slow_equal::meanwhile = replace_key;
  EXPECT_FALSE(tested.find(1)) << "not 200";
  ASSERT_TRUE(tested.erase(2));
  ASSERT_EQ(tested.insert(1, 100), outcome::added);
  slow_equal::meanwhile = replace_key;
  EXPECT_EQ(tested.add(1, 5), outcome::added);
  EXPECT_EQ(tested.find(1), 5U);
  EXPECT_EQ(tested.find(2), 200U) << "an addition to the key that went must not hit this one";
  slow_equal::meanwhile = [&] { ASSERT_TRUE(tested.erase(1)); };
  EXPECT_FALSE(tested.erase(1)) << "one of two erasures of a key finds it";
}

TEST(HashPart, FindsAKeyWhoseValueChangesMeanwhile) {
  table<two_words, std::uint64_t, same_hash, slow_equal> tested(4);
  constexpr two_words key{1, 2};
  ASSERT_EQ(tested.insert(key, 100), outcome::added);
  slow_equal::meanwhile = [&] { ASSERT_EQ(tested.assign(key, 200), outcome::found); };
  EXPECT_EQ(tested.find(key), 200U);
  slow_equal::meanwhile = [&] { ASSERT_EQ(tested.assign(key, 300), outcome::found); };
  EXPECT_EQ(tested.add(key, 5), outcome::found);
  EXPECT_EQ(tested.find(key), 305U);
  slow_equal::meanwhile = [&] { ASSERT_EQ(tested.assign(key, 400), outcome::found); };
  EXPECT_TRUE(tested.erase(key));
}

/// A key on its way into a bucket is not there: who has seen it finds it from then on.
TEST(HashPart, ShowsAKeyWhenItIsThereAndNotBefore) {
  using value = wide_value<256>;
  table<std::uint64_t, value, same_hash> tested(1);
  std::atomic<std::uint64_t> wanted{1};
  std::atomic<std::uint64_t> seen{0};
  std::uint64_t lost = 0;
  constexpr std::uint64_t rounds = 4000;
  std::thread reader([&] {
    auto all = tested.view();
    for (std::uint64_t key = wanted; key <= rounds; key = wanted) {
      const auto hash = all.hash_of(key);
      if (seen == key || !all.contains(key, hash)) continue;
      if (!find_in(all, key, hash)) ++lost;
      seen = key;
    }
  });
  auto all = tested.view();
  const auto there_and_gone = [&](std::uint64_t key) {
    const auto hash = all.hash_of(key);
    all.insert(key, hash, value{});
    if (key <= rounds) {
      while (seen != key) std::this_thread::yield();
    }
    all.erase(key, hash);
  };
  for (std::uint64_t key = 1; key <= rounds; ++key) {
    wanted = key;
    for (int i = 0; i < 10; ++i) there_and_gone(rounds + 1);
    there_and_gone(key);
  }
  wanted = rounds + 1;
  reader.join();
  EXPECT_EQ(lost, 0U);
}

TEST(HashPart, ComparesWideKeysWholeOnly) {
  never_tears<wide_key, wide_value<3>, same_hash>(50'000, &wide_key::of);
  EXPECT_EQ(wide_key::halves_compared.load(), 0);
}

TEST(HashPart, StaysAsItWasWhenAnUpdateThrows) {
  table<std::uint64_t, std::uint64_t> tested(8);
  ASSERT_EQ(tested.insert(1, 10), outcome::added);
  auto all = tested.view();
  const auto half_way = [](std::uint64_t& value) {
    value = 99;
    throw std::runtime_error("no");
  };
  EXPECT_THROW(
      all.upsert(1, all.hash_of(std::uint64_t{1}), half_way, [] { return std::uint64_t{0}; }),
      std::runtime_error);
  EXPECT_EQ(tested.find(1), 10U);
  const auto no_value = []() -> std::uint64_t { throw std::runtime_error("no"); };
  EXPECT_THROW(all.upsert(
                   2, all.hash_of(std::uint64_t{2}), [](std::uint64_t&) {}, no_value),
               std::runtime_error);
  EXPECT_FALSE(tested.find(2));
  EXPECT_EQ(tested.add(2, 5), outcome::added) << "no lock is left behind";
}

TEST(HashPart, RefusesToWaitForALockThatItsThreadHolds) {
  table<std::uint64_t, std::uint64_t, same_hash> tested(8);
  for (const std::uint64_t key : {1U, 2U, 3U}) ASSERT_EQ(tested.insert(key, 10), outcome::added);
  // In the function of an update of key 1, whose bucket is the home of all keys.
  const auto expect_refused = [&](const char* operation, auto&& waits) {
    std::string text = "no error";
    auto all = tested.view();
    const auto change = [&](std::uint64_t&) {
      const acre::runtime::under_container_lock held;
      try {
        waits();
      } catch (const acre::error& refused) {
        text = refused.what();
        throw;
      }
    };
    EXPECT_THROW(
        all.upsert(1, all.hash_of(std::uint64_t{1}), change, [] { return std::uint64_t{0}; }),
        acre::error)
        << operation;
    EXPECT_NE(text.find("inside the function of hash_map::update or apply"), std::string::npos)
        << operation << ": " << text;
  };
  expect_refused("find", [&] { static_cast<void>(tested.find(1)); });
  expect_refused("a miss", [&] { static_cast<void>(tested.find(7)); });
  expect_refused("insert", [&] { static_cast<void>(tested.insert(7, 10)); });
  expect_refused("add", [&] { static_cast<void>(tested.add(1, 1)); });
  expect_refused("erase", [&] { tested.erase(1); });
  expect_refused("erase beside its home", [&] { tested.erase(3); });
  expect_refused("visit", [&] { tested.view().for_each([](auto&&...) {}); });
  for (const std::uint64_t key : {1U, 2U, 3U}) EXPECT_EQ(tested.find(key), 10U);
  EXPECT_FALSE(tested.find(7));
}

TEST(HashPart, SpendsWhatItSays) {
  table<std::uint64_t, std::uint32_t> tested(1000);
  const auto cost = [&](auto&& operation) {
    auto all = tested.view();
    operation(all);
    return std::array{all.costs().reads, all.costs().writes, all.costs().atomics};
  };
  using costs = std::array<std::uint64_t, 3>;
  constexpr std::uint64_t key = 5;
  const auto hash = tested.view().hash_of(key);
  EXPECT_EQ(cost([&](auto& all) { EXPECT_FALSE(find_in(all, key, hash)); }), (costs{1, 0, 0}));
  EXPECT_EQ(cost([&](auto& all) { all.insert(key, hash, 7); }), (costs{0, 1, 1}));
  EXPECT_EQ(cost([&](auto& all) { all.insert(key, hash, 7); }), (costs{1, 0, 0}));
  EXPECT_EQ(cost([&](auto& all) { EXPECT_TRUE(find_in(all, key, hash)); }), (costs{1, 0, 0}));
  EXPECT_EQ(cost([&](auto& all) {
              all.modify(key, hash, [](std::uint32_t& value) noexcept { ++value; });
            }),
            (costs{1, 1, 1}));
  EXPECT_EQ(cost([&](auto& all) { EXPECT_TRUE(all.erase(key, hash)); }), (costs{1, 0, 1}));
  // The second key of a home: its lock, and that of a free bucket.
  table<std::uint64_t, std::uint32_t, same_hash> crowded(1000);
  crowded.insert(1, 1);
  auto all = crowded.view();
  all.insert(2, all.hash_of(std::uint64_t{2}), 2);
  EXPECT_EQ(all.costs().atomics, 2U);
  EXPECT_EQ(all.costs().writes, 1U);
  // The home's key is looked at without and with the lock, then the bucket that is free.
  EXPECT_EQ(all.costs().reads, 3U);
}

TEST(Hash, SpreadsConsecutiveIntegersOverHighBits) {
  std::array<int, 64> filled{};
  for (std::uint64_t key = 0; key < 6400; ++key) {
    ++filled[acre::detail::good_hash<acre::hash<std::uint64_t>>(key) >> 58];
  }
  for (const int each : filled) EXPECT_NEAR(each, 100, 50);
  // A hash that is the identity is mixed.
  filled.fill(0);
  for (std::uint64_t key = 0; key < 6400; ++key) {
    ++filled[acre::detail::good_hash<std::hash<std::uint64_t>>(key) >> 58];
  }
  for (const int each : filled) EXPECT_NEAR(each, 100, 50);
}

TEST(Hash, HashesTypesThatAreTheirBytes) {
  const acre::hash<wide_key> hash;
  wide_key a{};
  wide_key b{};
  EXPECT_EQ(hash(a), hash(b));
  b.words[999] = 1;
  EXPECT_NE(hash(a), hash(b));
  EXPECT_NE(acre::detail::hash_bytes("abc", 3), acre::detail::hash_bytes("abc\0", 4));
}

}  // namespace
