// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/container/bloom/bloom_filter.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/container/read_way.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/team/symmetric_array.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/progress.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::testing::common_seed;

using namespace acre::guarantees;
using acre::testing::common_seed;
using filter = acre::bloom_filter<std::uint64_t>;

constexpr double rate_of_64 = 0.02;
constexpr double rate_of_128 = 1e-3;
constexpr double rate_of_256 = 1e-5;
constexpr double rate_of_512 = 1e-7;
constexpr double all_widths[] = {rate_of_64, rate_of_128, rate_of_256, rate_of_512};

std::uint64_t steps(std::uint64_t in_a_node) {
  return acre::runtime::node_count() == 1 ? in_a_node : in_a_node / 20;
}

std::vector<std::uint64_t> random_items(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> items(count);
  for (std::uint64_t& each : items) each = random();
  return items;
}

bool is_far(const filter& of, std::uint64_t item) {
  return of.guts().direct_block(of.owner(item).number()) == nullptr;
}

TEST(BloomFilterSmoke, FindsWhatOthersInserted) {
  for (const double rate : all_widths) {
    filter seen(acre::world(), 1000, rate);
    std::uint64_t fresh = 0;
    for (std::uint64_t item = acre::rank(); item < 300; item += acre::size()) {
      fresh += seen.insert(item) ? 1 : 0;
      EXPECT_FALSE(seen.insert(item));
      EXPECT_TRUE(seen.find(item));
    }
    EXPECT_GE(acre::world().allreduce(fresh), 290U);
    std::uint64_t wrong = 0;
    for (std::uint64_t item = 0; item < 300; ++item) EXPECT_TRUE(seen.find(item));
    for (std::uint64_t item = 300; item < 400; ++item) wrong += seen.find(item) ? 1 : 0;
    EXPECT_LE(wrong, 10U);
  }
}

TEST(BloomFilter, TakesTheWidthThatTheRateNeeds) {
  EXPECT_EQ(filter(acre::world(), 100, rate_of_64).block_bits(), 64U);
  EXPECT_EQ(filter(acre::world(), 100, rate_of_128).block_bits(), 128U);
  EXPECT_EQ(filter(acre::world(), 100, rate_of_256).block_bits(), 256U);
  EXPECT_EQ(filter(acre::world(), 100, rate_of_512).block_bits(), 512U);
}

TEST(BloomFilter, HasTheLowestRateThatItOffers) {
  acre::bloom_filter<int> seen(acre::world(), 1000, 1e-12);
  seen.insert(static_cast<int>(acre::rank()));
  acre::barrier();
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(seen.find(i), i < static_cast<int>(acre::size()));
  acre::barrier();
}

TEST(BloomFilter, TellsOneOfAllRanksThatAnItemIsNew) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  const std::uint64_t count = steps(8000);
  for (const double rate : all_widths) {
    filter seen(acre::world(), count, rate);
    const auto items = random_items(seed, count);
    std::vector<std::uint32_t> told(count, 0);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (seen.insert(items[i])) ++told[i];
    }
    acre::world().allreduce(std::span(told), acre::op::sum);
    EXPECT_LE(*std::ranges::max_element(told), 1U) << "two insertions at rate " << rate;
    const auto nobody = static_cast<double>(std::ranges::count(told, 0U));
    EXPECT_LE(nobody, 1.2 * rate * static_cast<double>(count) + 6) << "at rate " << rate;
    for (const std::uint64_t each : items) ASSERT_TRUE(seen.find(each));
  }
}

TEST(BloomFilter, LosesNoBitOfACrowdedBlock) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (const double rate : all_widths) {
    filter seen(acre::world(), 4, rate);
    for (std::uint64_t round = 0; round < steps(100); ++round) {
      const auto items = [&](acre::rank_t rank) {
        return random_items(seed + 1000 * round + rank, 6);
      };
      for (const std::uint64_t each : items(acre::rank())) {
        seen.insert(each);
        ASSERT_TRUE(seen.find(each));
      }
      acre::barrier();
      for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
        for (const std::uint64_t each : items(rank)) {
          ASSERT_TRUE(seen.find(each)) << "of rank " << rank;
        }
      }
      seen.clear();
    }
  }
}

TEST(BloomFilter, KeepsTheRateThatItWasMadeFor) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (const double rate : {0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const std::uint64_t count = rate < 1e-5 ? 400'000 : 100'000;
    filter seen(acre::world(), count, rate);
    std::vector<std::uint64_t> mine;
    for (std::uint64_t item = acre::rank(); item < count; item += acre::size()) {
      mine.push_back(seed + item);
    }
    seen.insert_many(mine);
    const double now = seen.false_positive_rate();
    EXPECT_LE(now, 1.2 * rate);
    EXPECT_GE(now, 0.8 * rate);
    EXPECT_NEAR(seen.approximate_size() / static_cast<double>(count), 1, 0.03);
    if (rate < 1e-3) continue;
    const std::uint64_t questions = (rate < 0.01 ? 400'000 : 40'000) / acre::size();
    std::vector<std::uint64_t> others(questions);
    for (std::uint64_t i = 0; i < questions; ++i) {
      others[i] = seed + count + i * acre::size() + acre::rank();
    }
    const auto answers = seen.find_many(others);
    const auto wrong =
        acre::world().allreduce(static_cast<double>(std::ranges::count(answers, true)));
    const double expected = rate * static_cast<double>(questions * acre::size());
    EXPECT_LE(wrong, 1.2 * expected + 4 * std::sqrt(expected)) << rate;
    EXPECT_GE(wrong, 0.8 * expected - 4 * std::sqrt(expected)) << rate;
  }
}

TEST(BloomFilter, AnswersManyInOrder) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (const double rate : {1e-4, 1e-7}) {
    filter seen(acre::world(), std::uint64_t{40'000} * acre::size(), rate);
    const auto items = random_items(seed + acre::rank(), 20'000);
    const std::vector<bool> before = seen.find_many(items);
    EXPECT_LE(std::ranges::count(before, true), 20);
    std::vector<std::uint64_t> some{items[0]};
    for (std::size_t i = 0; i < items.size(); i += 2) some.push_back(items[i]);
    const std::vector<bool> fresh = seen.insert_many(some);
    ASSERT_EQ(fresh.size(), some.size());
    EXPECT_TRUE(fresh[0]);
    EXPECT_FALSE(fresh[1]);
    EXPECT_GE(std::ranges::count(fresh, true), static_cast<std::ptrdiff_t>(some.size()) - 20);
    const std::vector<bool> after = seen.find_many(items);
    ASSERT_EQ(after.size(), items.size());
    int wrong = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i % 2 == 0) {
        ASSERT_TRUE(after[i]) << i;
      } else if (after[i]) {
        ++wrong;
      }
    }
    EXPECT_LE(wrong, 20);
    EXPECT_TRUE(seen.find_many({}).empty());
    acre::barrier();
  }
}

/// Serving others is counted too.
template <class Function>
void take_turns(Function&& f) {
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
    if (rank == acre::rank()) f();
    acre::barrier();
  }
}

TEST(BloomFilter, CostsWhatItSays) {
  for (const double rate : all_widths) {
    filter seen(acre::world(), 10'000, rate);
    take_turns([&] {
      const std::uint64_t base = std::uint64_t{1'000'000} * (acre::rank() + 1);
      for (std::uint64_t item = base; item < base + 50; ++item) {
        const bool far = is_far(seen, item);
        if constexpr (acre::base::has_checks) {
          // The first find of a phase at an owner is a message that records the guarantee.
          static_cast<void>(seen.find(item));
          static_cast<void>(seen.find(item, only<find, insert>));
        }
        auto before = acre::counters();
        const bool fresh = seen.insert(item);
        auto spent = acre::counters() - before;
        EXPECT_EQ(spent.messages, far ? 1U : 0U);
        EXPECT_EQ(spent.reads, far ? 0U : 1U);
        EXPECT_EQ(spent.atomics, fresh && !far ? 1U : 0U);
        EXPECT_EQ(spent.writes, 0U);
        before = acre::counters();
        EXPECT_FALSE(seen.insert(item));
        EXPECT_TRUE(seen.find(item));
        EXPECT_TRUE(seen.find(item, only<find, insert>));
        spent = acre::counters() - before;
        EXPECT_EQ(spent.messages, far ? 1U : 0U);
        EXPECT_EQ(spent.reads, far ? 2U : 3U);
        EXPECT_EQ(spent.atomics + spent.writes, 0U);
      }
    });
  }
}

TEST(BloomFilter, FindsByMessagesIfSet) {
  filter seen(acre::world(), 10'000, 0.01);
  acre::set_read_way(acre::read_way::message);
  take_turns([&] {
    seen.insert(acre::rank());
    const auto before = acre::counters();
    EXPECT_TRUE(seen.find(acre::rank()));
    const auto spent = acre::counters() - before;
    EXPECT_EQ(spent.messages, is_far(seen, acre::rank()) ? 1U : 0U);
    EXPECT_EQ(spent.reads, is_far(seen, acre::rank()) ? 0U : 1U);
  });
  acre::set_read_way(acre::read_way::automatic);
}

TEST(BloomFilter, FindsWhatOthersInsertMeanwhile) {
  for (const double rate : all_widths) {
    filter seen(acre::world(), 20'000, rate);
    acre::symmetric_array<std::uint64_t> inserted(acre::world(), 1);
    const std::uint64_t count = steps(2000);
    for (std::uint64_t item = 0; item < count; ++item) {
      seen.insert(item * acre::size() + acre::rank());
      acre::atomic_store(inserted.pointer(acre::rank()), item + 1);
      const acre::rank_t other = static_cast<acre::rank_t>(item % acre::size());
      const std::uint64_t known = acre::atomic_load(inserted.pointer(other));
      for (std::uint64_t i = known < 3 ? 0 : known - 3; i < known; ++i) {
        ASSERT_TRUE(seen.find(i * acre::size() + other));
      }
    }
    acre::barrier();
  }
}

TEST(BloomFilter, SendsOneMessageAnOwnerForMany) {
  filter seen(acre::world(), 10'000, 0.01);
  const auto items = random_items(acre::rank(), 500);
  std::set<acre::member> far;
  for (const std::uint64_t each : items) {
    if (is_far(seen, each)) far.insert(seen.owner(each));
  }
  take_turns([&] {
    auto before = acre::counters();
    seen.insert_many(items);
    EXPECT_EQ((acre::counters() - before).messages, far.size());
    before = acre::counters();
    EXPECT_EQ(std::ranges::count(seen.find_many(items), true), 500);
    EXPECT_EQ((acre::counters() - before).messages, far.size());
  });
}

TEST(BloomFilter, HasTheOwnersOfAHashMap) {
  const filter seen(acre::world(), 1000, 0.01);
  const acre::hash_map<std::uint64_t, int> map(acre::world(), 1000);
  for (std::uint64_t item = 0; item < 200; ++item) EXPECT_EQ(seen.owner(item), map.owner(item));
}

template <class Guarantee>
concept can_insert = requires(filter f, Guarantee guarantee) { f.insert(1, guarantee); };
template <class Guarantee>
concept can_insert_many = requires(filter f, std::vector<std::uint64_t> items,
                                   Guarantee guarantee) { f.insert_many(items, guarantee); };
template <class Guarantee>
concept can_find = requires(const filter f, Guarantee guarantee) { f.find(1, guarantee); };

static_assert(can_insert<acre::no_guarantee> && can_find<acre::no_guarantee>);
static_assert(can_insert<acre::only_guarantee<insert>> && !can_insert<acre::only_guarantee<find>>);
static_assert(can_insert_many<acre::only_guarantee<insert>>);
static_assert(!can_insert_many<acre::only_guarantee<find>>);
static_assert(can_find<acre::only_guarantee<find>> && !can_find<acre::only_guarantee<insert>>);
static_assert(can_find<acre::only_guarantee<find, insert>>);
static_assert(can_insert<acre::local_guarantee> && can_find<acre::local_guarantee>);

TEST(BloomFilter, TakesGuarantees) {
  for (const double rate : all_widths) {
    filter seen(acre::world(), 1000, rate);
    for (std::uint64_t item = 0; item < 100; ++item) seen.insert(item, only<insert>);
    seen.insert_many(random_items(7, 100), only<insert>);
    acre::barrier();
    for (std::uint64_t item = 0; item < 100; ++item) EXPECT_TRUE(seen.find(item, only<find>));
    EXPECT_EQ(std::ranges::count(seen.find_many(random_items(7, 100), only<find>), true), 100);
    acre::barrier();
    std::vector<std::uint64_t> mine;
    for (std::uint64_t item = 2000; item < 2200; ++item) {
      if (seen.owner(item).is_this_rank()) mine.push_back(item);
    }
    const auto before = acre::counters();
    for (const std::uint64_t each : mine) seen.insert(each, local);
    for (const std::uint64_t each : mine) EXPECT_FALSE(seen.insert(each, local));
    EXPECT_EQ(std::ranges::count(seen.insert_many(mine, local), true), 0);
    for (const std::uint64_t each : mine) EXPECT_TRUE(seen.find(each, local));
    EXPECT_EQ(std::ranges::count(seen.find_many(mine, local), false), 0);
    const auto spent = acre::counters() - before;
    EXPECT_EQ(spent.atomics + spent.reads + spent.writes + spent.messages, 0U);
    acre::barrier();
    for (std::uint64_t item = 2000; item < 2200; ++item) EXPECT_TRUE(seen.find(item));
  }
}

TEST(BloomFilter, RefusesToTakeForLocalWhatIsNot) {
  filter seen(acre::world(), 1000, 0.01);
  for (std::uint64_t item = 0; item < 50; ++item) {
    if (seen.owner(item).is_this_rank()) continue;
    EXPECT_THROW(seen.insert(item, local), acre::error);
    EXPECT_THROW(static_cast<void>(seen.find_many(std::vector{item}, local)), acre::error);
  }
  acre::barrier();
  EXPECT_EQ(seen.fill_ratio(), 0);
}

TEST(BloomFilter, NoticesABrokenGuaranteeInCheckedBuilds) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP() << "needs ACRE_CHECKS";
  filter seen(acre::world(), 1000, 0.01);
  std::uint64_t item = std::uint64_t{1000} * acre::rank();
  while (seen.owner(item).world_rank() != (acre::rank() + 1) % acre::size()) ++item;
  seen.insert(item, only<insert>);
  acre::barrier();
  seen.insert(item, only<insert>);
  try {
    static_cast<void>(seen.find(item));
    ADD_FAILURE() << "the mismatch was not detected";
  } catch (const acre::error& broken) {
    EXPECT_NE(broken.problem().find("only<insert>"), std::string::npos) << broken.what();
  }
  EXPECT_THROW(static_cast<void>(seen.find_many(std::vector{item})), acre::error);
  acre::barrier();
  EXPECT_TRUE(seen.find(item, only<find>));
  acre::barrier();
}

TEST(BloomFilter, IsEmptyAfterClear) {
  for (const double rate : all_widths) {
    filter seen(acre::world(), 1000, rate);
    const auto items = random_items(acre::rank(), 100);
    seen.insert_many(items);
    EXPECT_GT(seen.fill_ratio(), 0);
    seen.clear();
    EXPECT_EQ(seen.fill_ratio(), 0);
    EXPECT_EQ(seen.approximate_size(), 0);
    for (const std::uint64_t each : items) EXPECT_FALSE(seen.find(each));
    acre::barrier();
    EXPECT_TRUE(seen.insert(items[0]));
  }
}

TEST(BloomFilter, TakesInTheItemsOfAnother) {
  filter one(acre::world(), 1000, 1e-4);
  filter other(acre::world(), 1000, 1e-4);
  one.insert(acre::rank());
  other.insert(100 + acre::rank());
  one.merge(other);
  for (std::uint64_t rank = 0; rank < acre::size(); ++rank) {
    EXPECT_TRUE(one.find(rank));
    EXPECT_TRUE(one.find(100 + rank));
    EXPECT_FALSE(other.find(rank));
  }
  const filter larger(acre::world(), 100'000, 1e-4);
  EXPECT_THROW(one.merge(larger), acre::error);
  EXPECT_THROW(one.merge(filter()), acre::error);
}

TEST(BloomFilter, TellsHowFullItIs) {
  filter seen(acre::world(), 10'000, 0.01);
  EXPECT_EQ(seen.fill_ratio(), 0);
  EXPECT_EQ(seen.false_positive_rate(), 0);
  seen.insert_many(random_items(acre::rank(), 40'000 / acre::size()));
  EXPECT_GT(seen.false_positive_rate(), 0.05) << "four times the items that it was made for";
  EXPECT_NEAR(seen.approximate_size() / 40'000, 1, 0.05);
  EXPECT_GT(seen.fill_ratio(), 0.6);
  EXPECT_LE(seen.fill_ratio(), 1);
}

TEST(BloomFilter, KeepsItemsOfAnyKind) {
  acre::bloom_filter<std::string> words(acre::world(), 1000, 1e-3);
  const std::string mine = "a word of rank " + std::to_string(acre::rank());
  EXPECT_TRUE(words.insert(mine));
  acre::barrier();
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
    EXPECT_TRUE(words.find("a word of rank " + std::to_string(rank)));
  }
  acre::barrier();
}

struct angry_hash {
  std::uint64_t operator()(int number) const {
    if (number == 13) throw std::runtime_error("13");
    return static_cast<std::uint64_t>(number);
  }
};

TEST(BloomFilter, PassesOnWhatHashThrows) {
  acre::bloom_filter<int, angry_hash> seen(acre::world(), 1000, 0.01);
  EXPECT_THROW(seen.insert(13), std::runtime_error);
  EXPECT_THROW(seen.insert_many(std::vector{1, 13}), std::runtime_error);
  acre::barrier();
  EXPECT_EQ(seen.fill_ratio(), 0);
}

TEST(BloomFilter, BelongsToItsTeam) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  filter seen(half, 1000, 1e-3);
  seen.insert(acre::rank());
  half.barrier();
  for (acre::rank_t rank = acre::rank() % 2; rank < acre::size(); rank += 2) {
    EXPECT_TRUE(seen.find(rank));
  }
  EXPECT_NEAR(seen.approximate_size(), half.size(), 0.5);
}

TEST(BloomFilter, MovesAndEndsInAnyOrder) {
  filter empty;
  EXPECT_THROW(empty.insert(1), acre::error);
  EXPECT_THROW(static_cast<void>(empty.find(1)), acre::error);
  EXPECT_THROW(static_cast<void>(empty.fill_ratio()), acre::error);
  EXPECT_THROW(empty.clear(), acre::error);
  EXPECT_THROW(static_cast<void>(empty.owner(1)), acre::error);
  auto first = std::make_unique<filter>(acre::world(), 100, 0.01);
  auto second = std::make_unique<filter>(acre::world(), 100, 1e-6);
  second->insert(acre::rank());
  acre::barrier();
  first.reset();
  empty = std::move(*second);
  EXPECT_THROW(second->insert(1), acre::error);
  second.reset();
  for (std::uint64_t rank = 0; rank < acre::size(); ++rank) EXPECT_TRUE(empty.find(rank));
}

TEST(BloomFilter, IsRefusedOnAllMembersWhenItIsAbsurd) {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  for (const double rate :
       {0.0, 1.0, 2.0, -0.5, 1e-13, not_a_number, std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(filter(acre::world(), 100, rate), acre::error) << rate;
  }
  EXPECT_THROW(filter(acre::world(), std::uint64_t{1} << 63, 0.01), acre::error);
  EXPECT_THROW(filter(acre::world(), std::uint64_t{1} << 63, 1e-9), acre::error);
  EXPECT_THROW(filter(acre::world(), std::numeric_limits<std::uint64_t>::max(), 0.9), acre::error);
  const bool last = acre::rank() == acre::size() - 1;
  if (acre::size() > 1) {
    EXPECT_THROW(filter(acre::world(), last ? 100 : 101, 0.01), acre::error);
    EXPECT_THROW(filter(acre::world(), 100, last ? 0.01 : 0.011), acre::error);
  }
  EXPECT_THROW(filter(acre::world(), 100, last ? not_a_number : 0.01), acre::error);
  filter none(acre::world(), 0, 0.01);
  EXPECT_FALSE(none.find(1));
  acre::barrier();
  none.insert(1);
  EXPECT_TRUE(none.find(1));
}

}  // namespace
