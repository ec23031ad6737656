// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/wait.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using acre::global_ptr;

global_ptr<std::uint64_t> words_on_rank_zero(std::size_t count) {
  global_ptr<std::uint64_t> words;
  if (acre::rank() == 0) {
    words = acre::allocate<std::uint64_t>(count);
    std::fill_n(words.local(), count, 0U);
  }
  return acre::world().broadcast(words, 0);
}

void free_on_rank_zero(global_ptr<std::uint64_t> words) {
  acre::barrier();
  if (acre::rank() == 0) acre::deallocate(words);
}

TEST(AtomicSmoke, LosesNoUpdateWhenNodesMix) {
  const auto words = words_on_rank_zero(4);
  constexpr std::uint64_t rounds = 2'000;
  std::vector<std::uint64_t> tickets;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    acre::atomic_add_nbi(words, 1U);
    if (i % 8 == 0) tickets.push_back(acre::fetch_add(words + 1, 1U));
    acre::atomic_xor_nbi(words + 2, std::uint64_t{1} << acre::rank());
    acre::atomic_max_nbi(words + 3, i * 10 + acre::rank());
  }
  acre::barrier();
  EXPECT_EQ(acre::get(words), rounds * acre::size());
  EXPECT_EQ(acre::get(words + 2), 0U);
  EXPECT_EQ(acre::get(words + 3), (rounds - 1) * 10 + acre::size() - 1);
  const auto all = acre::world().allgather(std::span<const std::uint64_t>(tickets));
  EXPECT_EQ(std::set<std::uint64_t>(all.begin(), all.end()).size(), all.size());
  EXPECT_EQ(acre::get(words + 1), all.size());
  free_on_rank_zero(words);
}

TEST(Atomic, GuardsACriticalSectionByCompareExchange) {
  const auto words = words_on_rank_zero(2);
  const auto lock = words;
  const auto guarded = words + 1;
  constexpr int rounds = 50;
  for (int i = 0; i < rounds; ++i) {
    while (acre::atomic_compare_exchange(lock, 0U, acre::rank() + 1) != 0) acre::progress();
    acre::put(guarded, acre::get(guarded) + 1);
    acre::quiet();
    acre::atomic_store(lock, 0U);
  }
  acre::barrier();
  EXPECT_EQ(acre::get(guarded), static_cast<std::uint64_t>(rounds) * acre::size());
  free_on_rank_zero(words);
}

TEST(Atomic, GivesTheValueBeforeInAllForms) {
  const auto word = acre::allocate<std::int32_t>();
  *word.local() = 12;
  const auto all = acre::world().allgather(word);
  const auto target = all[(acre::rank() + 1) % acre::size()];
  EXPECT_EQ(acre::fetch_add(target, 3), 12);
  EXPECT_EQ(acre::fetch_sub(target, 5), 15);
  EXPECT_EQ(acre::fetch_and(target, 6), 10);
  EXPECT_EQ(acre::fetch_or(target, 8), 2);
  EXPECT_EQ(acre::fetch_xor(target, 3), 10);
  EXPECT_EQ(acre::fetch_min(target, -7), 9);
  EXPECT_EQ(acre::fetch_max(target, 4), -7);
  EXPECT_EQ(acre::atomic_exchange(target, 100), 4);
  EXPECT_EQ(acre::atomic_compare_exchange(target, 99, 1), 100);
  EXPECT_EQ(acre::atomic_compare_exchange(target, 100, 1), 100);
  EXPECT_EQ(acre::atomic_load(target), 1);
  acre::atomic_store(target, -5);
  EXPECT_EQ(acre::fetch_add_async(target, 5).get(), -5);
  EXPECT_EQ(acre::atomic_exchange_async(target, 7).get(), 0);
  EXPECT_EQ(acre::atomic_compare_exchange_async(target, 7, 8).get(), 7);
  EXPECT_EQ(acre::fetch_max_async(target, 9).get(), 8);
  EXPECT_EQ(acre::atomic_load_async(target).get(), 9);
  EXPECT_EQ(acre::fetch_and_async(target, 12).get(), 9);
  EXPECT_EQ(acre::fetch_or_async(target, 3).get(), 8);
  EXPECT_EQ(acre::fetch_xor_async(target, 6).get(), 11);
  EXPECT_EQ(acre::fetch_min_async(target, -2).get(), 13);
  EXPECT_EQ(acre::atomic_load(target), -2);
  acre::barrier();
  acre::deallocate(word);
}

TEST(Atomic, UpdatesWithoutAnAnswer) {
  const auto words = words_on_rank_zero(3);
  if (acre::rank() == 0) std::fill_n(words.local(), 3, ~std::uint64_t{0});
  acre::barrier();
  acre::atomic_sub_nbi(words, 3U);
  acre::atomic_and_nbi(words + 1, ~(std::uint64_t{1} << acre::rank()));
  acre::atomic_min_nbi(words + 2, std::uint64_t{100} + acre::rank());
  acre::barrier();
  EXPECT_EQ(acre::get(words), ~std::uint64_t{0} - 3 * acre::size());
  EXPECT_EQ(acre::get(words + 1), ~std::uint64_t{0} << acre::size());
  EXPECT_EQ(acre::get(words + 2), 100U);
  free_on_rank_zero(words);
}

TEST(Atomic, AddsFloatingPointNumbers) {
  const auto words = words_on_rank_zero(2);
  const auto wide = acre::reinterpret_pointer_cast<double>(words);
  const auto narrow = acre::reinterpret_pointer_cast<float>(words + 1);
  for (int i = 0; i < 100; ++i) {
    acre::atomic_add_nbi(wide, 0.5);
    acre::fetch_add(narrow, 2.0F);
  }
  acre::barrier();
  EXPECT_EQ(acre::get(wide), 50.0 * acre::size());
  EXPECT_EQ(acre::get(narrow), 200.0F * static_cast<float>(acre::size()));
  free_on_rank_zero(words);
}

TEST(Atomic, WhoAsksForTheImpossibleIsToldAndNobodyElse) {
  const auto words = acre::allocate<std::uint64_t>(2);
  std::fill_n(words.local(), 2, 0U);
  const auto target = acre::world().allgather(words)[(acre::rank() + 1) % acre::size()];
  if (!target.is_local()) {
    const auto crooked = acre::reinterpret_pointer_cast<std::uint64_t>(
        acre::reinterpret_pointer_cast<std::uint32_t>(target) + 1);
    constexpr std::uint64_t count = 200;
    std::uint64_t wrongly_refused = 0;
    std::thread innocent([&] {
      for (std::uint64_t i = 0; i < count; ++i) {
        try {
          acre::fetch_add(target, 1U);
        } catch (const acre::error&) {
          ++wrongly_refused;
        }
      }
    });
    for (std::uint64_t i = 0; i < count; ++i) {
      EXPECT_THROW(acre::fetch_add(crooked, 1U), acre::error);
    }
    innocent.join();
    EXPECT_EQ(wrongly_refused, 0U);
    EXPECT_EQ(acre::atomic_load(target), count);
    EXPECT_THROW(static_cast<void>(acre::fetch_add_async(crooked, 1U).get()), acre::error);
    // The next quiet() reports the refusal of an atomic without a result.
    acre::atomic_add_nbi(crooked, 1U);
    acre::atomic_add_nbi(target, 1U);
    while (acre::atomic_load(target) == count) acre::progress();
    EXPECT_THROW(acre::quiet(), acre::error);
    EXPECT_NO_THROW(acre::quiet());
  }
  acre::barrier();
  acre::deallocate(words);
}

TEST(Litmus, SeesTheDataWhenItSeesTheFlag) {
  if (acre::size() < 2) return;
  const auto words = words_on_rank_zero(2);
  for (std::uint64_t round = 1; round <= 300; ++round) {
    if (acre::rank() == 1) {
      acre::put(words, round);
      acre::fence();
      acre::atomic_store(words + 1, round);
    } else if (acre::rank() == 0) {
      while (acre::atomic_load(words + 1) < round) acre::progress();
      ASSERT_GE(acre::get(words), round);
    }
  }
  free_on_rank_zero(words);
}

TEST(Litmus, QuietMakesOwnWritesVisibleBeforeLaterReads) {
  if (acre::size() < 2) return;
  const auto words = words_on_rank_zero(4);
  for (std::uint64_t round = 1; round <= 300; ++round) {
    acre::barrier();
    if (acre::rank() < 2) {
      const auto mine = words + acre::rank();
      const auto theirs = words + (1 - acre::rank());
      acre::put(mine, round);
      acre::quiet();
      acre::put(words + 2 + acre::rank(), acre::get(theirs));
    }
    acre::barrier();
    if (acre::rank() == 0) {
      const bool first_saw = acre::get(words + 2) == round;
      const bool second_saw = acre::get(words + 3) == round;
      ASSERT_TRUE(first_saw || second_saw) << "round " << round;
    }
  }
  free_on_rank_zero(words);
}

/// Ranks 0 and 1 each store to one of two words, then load the other word: at least one must load
/// the other's value.
void store_and_load_at_once(std::array<acre::rank_t, 2> home) {
  constexpr std::size_t line = 8;
  constexpr std::uint64_t batch = 100;
  const auto words = acre::allocate<std::uint64_t>(2 * line);
  std::fill_n(words.local(), 2 * line, 0U);
  const auto all = acre::world().allgather(words);
  const std::uint64_t most = acre::runtime::world.conduit != nullptr ? 50 * batch : 500 * batch;
  std::vector<std::uint8_t> missed;
  const auto run_batch = [&](std::uint64_t begin) {
    const acre::rank_t other = 1 - acre::rank();
    const auto mine = all[home[acre::rank()]];
    const auto theirs = all[home[other]];
    const auto here = words + line;
    for (std::uint64_t round = begin; round < begin + batch; ++round) {
      acre::put(all[other] + line, round);
      const auto met = [&] { return acre::get(here) >= round; };
      for (int look = 0; look < 2'000 && !met(); ++look) {
      }
      if (!met()) acre::runtime::wait_until(met, "the litmus test's meeting");
      acre::atomic_store(mine, round);
      missed.push_back(acre::atomic_load(theirs) < round ? 1 : 0);
    }
  };
  const auto enough = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  std::uint64_t done = 0;
  do {
    if (acre::rank() < 2) run_batch(done + 1);
    done += batch;
  } while (done < most && acre::world().broadcast(std::chrono::steady_clock::now() < enough, 0));
  const auto reports = acre::world().allgather(missed);
  std::uint64_t both = 0;
  for (std::uint64_t i = 0; i < done; ++i) both += reports[0][i] & reports[1][i];
  EXPECT_EQ(both, 0U) << "of " << done << " rounds";
  acre::barrier();
  acre::deallocate(words);
}

TEST(Litmus, AtomicsOfTwoRanksAreInOneOrderWhenEachStoresAtHome) {
  if (acre::size() < 2) return;
  store_and_load_at_once({0, 1});
}

TEST(Litmus, AtomicsOfTwoRanksAreInOneOrderWhenEachStoresAtTheOther) {
  if (acre::size() < 2) return;
  store_and_load_at_once({1, 0});
}

TEST(AtomicsChecked, AreNamedInErrorsAsTheUserCallsThem) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP() << "needs ACRE_CHECKS";
  const auto name_in_error = [](auto&& call) -> std::string {
    try {
      call(global_ptr<std::uint64_t>());
    } catch (const acre::error& failure) {
      return failure.call();
    }
    return "no error";
  };
  EXPECT_EQ(name_in_error([](auto p) { acre::fetch_add(p, 1U); }), "fetch_add");
  EXPECT_EQ(name_in_error([](auto p) { acre::atomic_exchange(p, 1U); }), "atomic_exchange");
  EXPECT_EQ(name_in_error([](auto p) { acre::fetch_max(p, 1U); }), "fetch_max");
  EXPECT_EQ(name_in_error([](auto p) { acre::atomic_add_nbi(p, 1U); }), "atomic_add_nbi");
  EXPECT_EQ(name_in_error([](auto p) { acre::atomic_max_nbi(p, 1U); }), "atomic_max_nbi");
}

}  // namespace
