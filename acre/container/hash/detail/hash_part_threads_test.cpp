// SPDX-License-Identifier: BSD-3-Clause
// A hash map's part in process memory, used by many threads.
#include <acre/container/hash.hpp>
#include <acre/container/hash/detail/part_in_memory_test.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <sched.h>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

static std::atomic<std::uint64_t> yields{0};

// glibc declares it noexcept, musl does not.
extern "C" int sched_yield() noexcept(noexcept(::sched_yield())) {
  ++yields;
  return static_cast<int>(::syscall(SYS_sched_yield));
}

namespace {

using acre::container::outcome;
using acre::testing::find_in;
using acre::testing::on_threads;
using acre::testing::poor_hash;
using acre::testing::same_hash;
using acre::testing::table;
using acre::testing::two_words;
using acre::testing::wide_value;

/// All words are equal, so that a torn key is detected.
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

/// Calls `meanwhile` once, between the reads of key and value.
struct slow_equal {
  static inline std::function<void()> meanwhile;

  bool operator()(const auto& a, const auto& b) const {
    if (meanwhile) std::exchange(meanwhile, nullptr)();
    return a == b;
  }
};

TEST(HashPart, ReadersLeaveTheCoreToAWriterThatIsOffItsOwn) {
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
  table<std::uint64_t, std::uint32_t, poor_hash> tested(keys);
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
  balance_racing_threads<acre::hash<std::uint64_t>>();
}

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

}  // namespace
