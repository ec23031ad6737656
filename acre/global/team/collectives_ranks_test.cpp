// SPDX-License-Identifier: BSD-3-Clause
// Collectives compared with local results.
#include <acre/base/bits.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using acre::rank_t;
using word = std::uint64_t;

/// x → a x + b: associative, not commutative.
struct affine {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  friend bool operator==(const affine&, const affine&) = default;
};
struct compose {
  affine operator()(const affine& first, const affine& second) const {
    return {first.a * second.a, second.a * first.b + second.b};
  }
};

word value_of(word who, word round) { return acre::mix_bits(who * 1'000'003 + round + 1); }
affine affine_of(word who, word round) {
  const word bits = value_of(who, round);
  return {static_cast<std::uint32_t>(bits) | 1U, static_cast<std::uint32_t>(bits >> 32)};
}
affine composed(rank_t first, rank_t last, word round) {
  affine all;
  for (rank_t r = first; r < last; ++r) all = compose{}(all, affine_of(r, round));
  return all;
}
std::string text_of(word who, word round) {
  return std::string(value_of(who, round) % 100, static_cast<char>('a' + who % 26));
}
std::vector<word> words_of(word who, word round, std::size_t count) {
  std::vector<word> words(count);
  for (std::size_t i = 0; i < count; ++i) words[i] = value_of(who, round) + i;
  return words;
}

constexpr std::size_t counts[] = {0, 1, 6, 7, 8, 1000, 1024, 1025, 9000, 131'072};

template <std::size_t Words>
struct block {
  std::array<word, Words> words{};
  static block of(word who) {
    block made;
    for (std::size_t i = 0; i < Words; ++i) made.words[i] = value_of(who, i);
    return made;
  }
  friend bool operator==(const block&, const block&) = default;
  friend block operator+(block a, const block& b) {
    for (std::size_t i = 0; i < Words; ++i) a.words[i] += b.words[i];
    return a;
  }
};

struct undefaulted {
  explicit undefaulted(int v) : value(v) {}
  int value;
};

template <class T>
class SizedCollective : public testing::Test {};
using block_types = testing::Types<block<1>, block<7>, block<8>, block<600>, block<3000>>;
TYPED_TEST_SUITE(SizedCollective, block_types);

TYPED_TEST(SizedCollective, MovesValuesOfAnySize) {
  const acre::team& world = acre::world();
  const auto mine = TypeParam::of(world.rank());
  TypeParam sum{};
  for (rank_t r = 0; r < world.size(); ++r) sum = sum + TypeParam::of(r);
  EXPECT_EQ(world.allreduce(mine), sum);
  EXPECT_EQ(world.allreduce_async(mine).get(), sum);
  for (rank_t root = 0; root < world.size(); ++root) {
    EXPECT_EQ(world.broadcast(mine, root), TypeParam::of(root));
    const auto reduced = world.reduce(mine, root);
    ASSERT_EQ(reduced.has_value(), world.rank() == root);
    if (reduced) {
      EXPECT_EQ(*reduced, sum);
    }
    const auto gathered = world.gather(mine, root);
    ASSERT_EQ(gathered.size(), world.rank() == root ? world.size() : 0);
    for (std::size_t r = 0; r < gathered.size(); ++r) EXPECT_EQ(gathered[r], TypeParam::of(r));
  }
  TypeParam before{};
  for (rank_t r = 0; r < world.rank(); ++r) before = before + TypeParam::of(r);
  EXPECT_EQ(world.exclusive_scan(mine), before);
  EXPECT_EQ(world.inclusive_scan(mine), before + mine);
}

TEST(Broadcast, SmokeGivesTheRootsValueFromEachRoot) {
  const acre::team& world = acre::world();
  for (rank_t root = 0; root < world.size(); ++root) {
    EXPECT_EQ(world.broadcast(value_of(world.rank(), root), root), value_of(root, root));
    EXPECT_EQ(world.broadcast(text_of(world.rank(), root), root), text_of(root, root));
    const std::map<std::string, std::vector<int>> sent{{text_of(world.rank(), 1), {1, 2, 3}}};
    const std::map<std::string, std::vector<int>> expected{{text_of(root, 1), {1, 2, 3}}};
    EXPECT_EQ(world.broadcast(sent, root), expected);
  }
}

TEST(Broadcast, CopiesSpansOfAllSizes) {
  const acre::team& world = acre::world();
  for (const std::size_t count : counts) {
    const rank_t root = static_cast<rank_t>(count % world.size());
    auto words = words_of(world.rank(), count, count);
    world.broadcast(std::span(words), root);
    ASSERT_EQ(words, words_of(root, count, count));
    words = words_of(world.rank(), count + 1, count);
    world.broadcast_async(std::span(words), root).get();
    ASSERT_EQ(words, words_of(root, count + 1, count));
  }
}

TEST(Broadcast, OfManyByARootThatRunsAhead) {
  const acre::team& world = acre::world();
  for (word round = 0; round < 300; ++round) {
    if (world.rank() == 1 && round % 50 == 0) ::usleep(2000);
    ASSERT_EQ(world.broadcast(value_of(world.rank(), round), 0), value_of(0, round));
  }
}

TEST(Reduction, SmokeCombinesInTheOrderOfTheRanks) {
  const acre::team& world = acre::world();
  for (word round = 0; round < 20; ++round) {
    const affine mine = affine_of(world.rank(), round);
    const affine all = composed(0, world.size(), round);
    ASSERT_EQ(world.allreduce(mine, compose{}), all);
    ASSERT_EQ(world.allreduce_async(mine, compose{}).get(), all);
    for (rank_t root = 0; root < world.size(); ++root) {
      const auto at_root = world.reduce(mine, root, compose{});
      const auto later = world.reduce_async(mine, root, compose{}).get();
      ASSERT_EQ(at_root.has_value(), root == world.rank());
      ASSERT_EQ(later, at_root);
      if (at_root) {
        ASSERT_EQ(*at_root, all);
      }
    }
  }
}

TEST(Reduction, SmokeScansInTheOrderOfTheRanks) {
  const acre::team& world = acre::world();
  const affine initial{3, 5};
  for (word round = 0; round < 20; ++round) {
    const affine mine = affine_of(world.rank(), round);
    const affine up_to_me = composed(0, world.rank() + 1, round);
    const affine before_me = compose{}(initial, composed(0, world.rank(), round));
    ASSERT_EQ(world.inclusive_scan(mine, compose{}), up_to_me);
    ASSERT_EQ(world.inclusive_scan_async(mine, compose{}).get(), up_to_me);
    ASSERT_EQ(world.exclusive_scan(mine, initial, compose{}), before_me);
    ASSERT_EQ(world.exclusive_scan_async(mine, initial, compose{}).get(), before_me);
  }
  EXPECT_EQ(world.exclusive_scan(2), static_cast<int>(2 * world.rank()));
}

TEST(Reduction, KnowsTheUsualOperations) {
  const acre::team& world = acre::world();
  const int me = static_cast<int>(world.rank());
  const int last = static_cast<int>(world.size()) - 1;
  EXPECT_EQ(world.allreduce(me, acre::op::max), last);
  EXPECT_EQ(world.allreduce(me, acre::op::min), 0);
  EXPECT_EQ(world.allreduce(2.0, acre::op::product), std::exp2(world.size()));
  EXPECT_EQ(world.allreduce(1U << (me % 20), acre::op::bit_or),
            world.size() >= 20 ? 0xfffffU : (1U << world.size()) - 1);
  EXPECT_EQ(world.allreduce(me == 0, acre::op::logical_or), true);
  EXPECT_EQ(world.allreduce(me == 0, acre::op::logical_and), world.size() == 1);
  EXPECT_EQ(world.allreduce(0.5), 0.5 * world.size());
  const int offset = me * 0 + 3;
  EXPECT_EQ(world.allreduce(0, [offset](int a, int b) { return a + b + offset; }), offset * last);
}

TEST(Reduction, CombinesSpansOfAllSizes) {
  const acre::team& world = acre::world();
  for (const std::size_t count : counts) {
    std::vector<word> expected(count);
    for (rank_t r = 0; r < world.size(); ++r) {
      for (std::size_t i = 0; i < count; ++i) expected[i] += value_of(r, count) + i;
    }
    const auto mine = words_of(world.rank(), count, count);
    auto words = mine;
    world.allreduce(std::span(words));
    ASSERT_EQ(words, expected);
    words = mine;
    world.allreduce_async(std::span(words)).get();
    ASSERT_EQ(words, expected);
    const rank_t root = static_cast<rank_t>((count + 1) % world.size());
    words = mine;
    world.reduce(std::span(words), root);
    ASSERT_EQ(words, world.rank() == root ? expected : mine);
    words = mine;
    world.reduce_async(std::span(words), root).get();
    ASSERT_EQ(words, world.rank() == root ? expected : mine);
  }
}

TEST(Gathering, SmokeGivesValuesInTheOrderOfTheRanks) {
  const acre::team& world = acre::world();
  std::vector<std::string> texts;
  for (rank_t r = 0; r < world.size(); ++r) texts.push_back(text_of(r, 3));
  EXPECT_EQ(world.allgather(text_of(world.rank(), 3)), texts);
  EXPECT_EQ(world.allgather_async(text_of(world.rank(), 3)).get(), texts);
  for (rank_t root = 0; root < world.size(); ++root) {
    const auto here = world.gather(text_of(world.rank(), 3), root);
    EXPECT_EQ(here, world.rank() == root ? texts : std::vector<std::string>());
    const auto later = world.gather_async(text_of(world.rank(), 3), root).get();
    EXPECT_EQ(later, here);
  }
}

TEST(Gathering, TakesUnusualTypes) {
  const acre::team& world = acre::world();
  const auto flags = world.allgather(world.rank() % 2 == 1);
  const auto objects = world.allgather(undefaulted(static_cast<int>(world.rank()) * 7));
  ASSERT_EQ(flags.size(), world.size());
  for (rank_t r = 0; r < world.size(); ++r) {
    EXPECT_EQ(flags[r], r % 2 == 1);
    EXPECT_EQ(objects[r].value, static_cast<int>(r) * 7);
  }
}

TEST(Gathering, ConcatenatesSpansOfAllSizes) {
  const acre::team& world = acre::world();
  for (const std::size_t count : counts) {
    const auto mine = words_of(world.rank(), count, count);
    std::vector<word> expected;
    for (rank_t r = 0; r < world.size(); ++r) {
      std::ranges::copy(words_of(r, count, count), std::back_inserter(expected));
    }
    ASSERT_EQ(world.allgather(std::span(mine)), expected);
    ASSERT_EQ(world.allgather_async(std::span(mine)).get(), expected);
    const rank_t root = static_cast<rank_t>(count % world.size());
    const auto at_root = world.rank() == root ? expected : std::vector<word>();
    ASSERT_EQ(world.gather(std::span(mine), root), at_root);
    ASSERT_EQ(world.gather_async(std::span(mine), root).get(), at_root);
  }
}

TEST(Gathering, TakesAnotherSizeFromEachRank) {
  const acre::team& world = acre::world();
  const auto size_of = [](rank_t r) { return std::size_t{r} * r * 100 % 5000; };
  std::vector<std::vector<word>> expected;
  for (rank_t r = 0; r < world.size(); ++r) expected.push_back(words_of(r, 1, size_of(r)));
  const auto mine = expected[world.rank()];
  EXPECT_EQ(world.allgatherv(std::span(mine)), expected);
  EXPECT_EQ(world.allgather(mine), expected);
  const auto at_last = world.gatherv(std::span(mine), world.size() - 1);
  EXPECT_EQ(at_last,
            world.rank() == world.size() - 1 ? expected : std::vector<std::vector<word>>());
}

TEST(AllToAll, SmokeTransposesParts) {
  const acre::team& world = acre::world();
  for (const std::size_t count : {0U, 1U, 3U, 100U, 3000U}) {
    std::vector<word> outgoing;
    std::vector<word> expected;
    for (rank_t r = 0; r < world.size(); ++r) {
      std::ranges::copy(words_of(world.rank() * 1000 + r, 1, count), std::back_inserter(outgoing));
      std::ranges::copy(words_of(r * 1000 + world.rank(), 1, count), std::back_inserter(expected));
    }
    ASSERT_EQ(world.alltoall(std::span(outgoing)), expected);
    ASSERT_EQ(world.alltoall_async(std::span(outgoing)).get(), expected);
  }
}

TEST(AllToAll, TakesPartsOfAnySize) {
  const acre::team& world = acre::world();
  const auto part = [](rank_t from, rank_t to) {
    return words_of(from * 100 + to, 2, value_of(from, to) % 3000);
  };
  std::vector<std::vector<word>> outgoing;
  std::vector<std::vector<word>> expected;
  std::vector<word> flat;
  std::vector<std::size_t> sizes;
  for (rank_t r = 0; r < world.size(); ++r) {
    outgoing.push_back(part(world.rank(), r));
    expected.push_back(part(r, world.rank()));
    std::ranges::copy(outgoing.back(), std::back_inserter(flat));
    sizes.push_back(outgoing.back().size());
  }
  EXPECT_EQ(world.alltoallv(outgoing), expected);
  EXPECT_EQ(world.alltoallv_async(outgoing).get(), expected);
  const auto got = world.alltoallv(std::span(flat), sizes);
  auto next = got.values.begin();
  ASSERT_EQ(got.counts.size(), world.size());
  for (rank_t r = 0; r < world.size(); ++r) {
    ASSERT_EQ(got.counts[r], expected[r].size());
    const auto end = next + static_cast<std::ptrdiff_t>(got.counts[r]);
    EXPECT_EQ(std::vector(next, end), expected[r]);
    next = end;
  }
}

struct numbered {
  explicit numbered(int from) noexcept : number(from) {}
  int number;
  friend bool operator==(const numbered&, const numbered&) = default;
};

constexpr std::size_t sizes_of_parts[] = {0, 1, 16383, 16384, 16385, 100'000};

template <class Element, class Make>
void expect_parts_of_all_sizes(const acre::team& team, Make make) {
  const auto part = [&](rank_t from, rank_t to, std::size_t shift) {
    const std::size_t bytes = sizes_of_parts[(from * 2 + to + shift) % std::size(sizes_of_parts)];
    std::vector<Element> elements;
    for (std::size_t i = 0; i < bytes / sizeof(Element); ++i) {
      elements.push_back(make(static_cast<int>(i % 100 + from * 3 + to)));
    }
    return elements;
  };
  for (std::size_t shift = 0; shift < std::size(sizes_of_parts); ++shift) {
    std::vector<std::vector<Element>> expected;
    std::vector<std::vector<Element>> gathered;
    std::vector<std::vector<Element>> outgoing;
    std::vector<Element> flat;
    std::vector<std::size_t> lengths;
    for (rank_t r = 0; r < team.size(); ++r) {
      expected.push_back(part(r, team.rank(), shift));
      gathered.push_back(part(r, 0, shift));
      outgoing.push_back(part(team.rank(), r, shift));
      flat.insert(flat.end(), outgoing.back().begin(), outgoing.back().end());
      lengths.push_back(outgoing.back().size());
    }
    ASSERT_EQ(team.alltoallv(outgoing), expected);
    ASSERT_EQ(team.alltoallv_async(outgoing).get(), expected);
    const auto got = team.alltoallv(std::span<const Element>(flat), lengths);
    std::vector<Element> joined;
    for (rank_t r = 0; r < team.size(); ++r) {
      ASSERT_EQ(got.counts[r], expected[r].size());
      joined.insert(joined.end(), expected[r].begin(), expected[r].end());
    }
    ASSERT_EQ(got.values, joined);
    const std::span<const Element> mine(gathered[team.rank()]);
    ASSERT_EQ(team.allgatherv(mine), gathered);
    const rank_t root = static_cast<rank_t>(shift % team.size());
    ASSERT_EQ(team.gatherv(mine, root),
              team.rank() == root ? gathered : std::vector<std::vector<Element>>());
    ASSERT_EQ(team.allgather(gathered[team.rank()]), gathered);
  }
}

TEST(PartsOfAnySize, ArriveWholeOnTeamsInAnyOrder) {
  const acre::team& world = acre::world();
  const auto number = [](int from) { return static_cast<unsigned char>(from); };
  expect_parts_of_all_sizes<unsigned char>(world, number);
  const acre::team reversed =
      world.split(static_cast<int>(world.rank() % 2), -static_cast<int>(world.rank()));
  expect_parts_of_all_sizes<double>(reversed, [](int from) { return from / 3.0; });
  expect_parts_of_all_sizes<numbered>(world, [](int from) { return numbered(from); });
}

TEST(PartsOfAnySize, OfTextsAndOfWhatIsSerialised) {
  const acre::team& world = acre::world();
  std::vector<std::string> texts;
  std::vector<std::string> texts_to_me;
  std::vector<std::vector<std::string>> lists;
  std::vector<std::vector<std::string>> lists_to_me;
  std::vector<std::vector<bool>> bits;
  std::vector<std::vector<bool>> bits_to_me;
  const auto text_for = [](rank_t from, rank_t to) {
    return std::string(from * 9000 + to, static_cast<char>('a' + from + to));
  };
  for (rank_t r = 0; r < world.size(); ++r) {
    texts.push_back(text_for(world.rank(), r));
    texts_to_me.push_back(text_for(r, world.rank()));
    lists.emplace_back(r + 1, texts.back());
    lists_to_me.emplace_back(world.rank() + 1, texts_to_me.back());
    bits.emplace_back(texts.back().size(), true);
    bits_to_me.emplace_back(texts_to_me.back().size(), true);
  }
  EXPECT_EQ(world.alltoallv(texts), texts_to_me);
  EXPECT_EQ(world.alltoallv_async(texts).get(), texts_to_me);
  EXPECT_EQ(world.alltoallv(lists), lists_to_me);
  EXPECT_EQ(world.alltoallv(bits), bits_to_me);
}

TEST(AllToAll, RefusesPartsThatDoNotFit) {
  const acre::team& world = acre::world();
  const std::vector<int> odd(world.size() + 1);
  if (world.size() > 1) {
    EXPECT_THROW(static_cast<void>(world.alltoall(std::span(odd))), acre::error);
  }
  EXPECT_THROW(static_cast<void>(world.alltoallv(odd)), acre::error);
  std::vector<std::size_t> part_sizes(world.size());
  part_sizes.front() -= 1;
  part_sizes.back() += odd.size() + 1;
  const auto problem = [&] {
    try {
      static_cast<void>(world.alltoallv(std::span(odd), part_sizes));
    } catch (const acre::error& thrown) {
      return thrown.problem();
    }
    return std::string("no error");
  };
  if (world.size() > 1) {
    EXPECT_NE(problem().find("the counts add up to more"), std::string::npos) << problem();
  }
  part_sizes.assign(world.size(), 0);
  EXPECT_NE(problem().find("the counts add up to 0"), std::string::npos) << problem();
  part_sizes.push_back(0);
  EXPECT_NE(problem().find("counts for a team of"), std::string::npos) << problem();
}

class random_program {
 public:
  explicit random_program(word seed)
      : common_(seed), mine_(seed * 31 + acre::rank()), teams_{acre::world()} {
    teams_.push_back(acre::world().split(static_cast<int>(acre::rank() % 2)));
    teams_.push_back(
        acre::world().split(static_cast<int>(acre::rank() % 3), -static_cast<int>(acre::rank())));
    teams_.push_back(teams_[1].split(static_cast<int>(teams_[1].rank() / 2)));
    teams_.push_back(acre::world().split(0, static_cast<int>(acre::mix_bits(acre::rank()) % 100)));
    teams_.push_back(acre::node());
  }

  void step() {
    delay();
    const acre::team& team = teams_[choose(teams_.size())];
    const word round = common_();
    const auto root = static_cast<rank_t>(round % team.size());
    const std::size_t count = counts[round / 7 % 9];
    switch (choose(12)) {
      case 0:
        team.barrier();
        break;
      case 1:
        later(team.barrier_async(), [] {});
        break;
      case 2:
        check_broadcast(team, root, round, count);
        break;
      case 3:
        later(team.broadcast_async(value_of(team.rank(), round), root),
              [=](word got) { EXPECT_EQ(got, value_of(root, round)); });
        break;
      case 4:
        EXPECT_EQ(team.allreduce(affine_of(team.rank(), round), compose{}),
                  composed(0, team.size(), round));
        break;
      case 5:
        later(team.allreduce_async(affine_of(team.rank(), round), compose{}),
              [=, n = team.size()](affine got) { EXPECT_EQ(got, composed(0, n, round)); });
        break;
      case 6:
        later(team.reduce_async(affine_of(team.rank(), round), root, compose{}),
              [=, n = team.size(), here = team.rank() == root](std::optional<affine> got) {
                ASSERT_EQ(got.has_value(), here);
                if (here) {
                  EXPECT_EQ(*got, composed(0, n, round));
                }
              });
        break;
      case 7:
        later(team.inclusive_scan_async(affine_of(team.rank(), round), compose{}),
              [=, me = team.rank()](affine got) { EXPECT_EQ(got, composed(0, me + 1, round)); });
        break;
      case 8:
        check_allgather(team, round);
        break;
      case 9:
        later(team.allgather_async(text_of(team.rank(), round)),
              [=, n = team.size()](const std::vector<std::string>& got) {
                ASSERT_EQ(got.size(), n);
                for (rank_t r = 0; r < n; ++r) EXPECT_EQ(got[r], text_of(r, round));
              });
        break;
      case 10:
        check_alltoall(team, round);
        break;
      default:
        finish_some();
    }
  }

  void finish() {
    for (auto& each : pending_) each();
    pending_.clear();
  }

 private:
  std::size_t choose(std::size_t below) { return common_() % below; }

  void delay() {
    const word dice = mine_() % 32;
    if (dice == 0) ::usleep(static_cast<useconds_t>(mine_() % 300));
    if (dice < 8) {
      for (word i = mine_() % 2000; i != 0; --i) acre::spin_pause();
    }
  }

  template <class T, class Check>
  void later(acre::future<T> started, Check check) {
    auto kept = std::make_shared<acre::future<T>>(std::move(started));
    pending_.push_back([kept, check] {
      if constexpr (std::is_void_v<T>) {
        kept->get();
        check();
      } else {
        check(kept->get());
      }
    });
  }

  void finish_some() {
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if (mine_() % 2 == 0) continue;
      pending_[i]();
      pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i--));
    }
  }

  static void check_broadcast(const acre::team& team, rank_t root, word round, std::size_t count) {
    auto words = words_of(team.rank(), round, count);
    team.broadcast(std::span(words), root);
    EXPECT_EQ(words, words_of(root, round, count));
  }
  static void check_allgather(const acre::team& team, word round) {
    const auto got = team.allgather(value_of(team.rank(), round));
    for (rank_t r = 0; r < team.size(); ++r) EXPECT_EQ(got[r], value_of(r, round));
  }
  static void check_alltoall(const acre::team& team, word round) {
    std::vector<word> outgoing(team.size());
    for (rank_t r = 0; r < team.size(); ++r) outgoing[r] = value_of(team.rank() * 50 + r, round);
    const auto got = team.alltoall(std::span(outgoing));
    for (rank_t r = 0; r < team.size(); ++r) {
      EXPECT_EQ(got[r], value_of(r * 50 + team.rank(), round));
    }
  }

  std::mt19937_64 common_;
  std::mt19937_64 mine_;
  std::vector<acre::team> teams_;
  std::vector<std::function<void()>> pending_;
};

TEST(Collectives, RandomSequencesGiveWhatEachRankCanCompute) {
  const word chosen = acre::environment_number("ACRE_TEST_SEED").value_or(std::random_device{}());
  const word seed = acre::world().broadcast(chosen, 0);
  SCOPED_TRACE("replay with ACRE_TEST_SEED=" + std::to_string(seed));
  random_program program(seed);
  const int steps = acre::runtime::world.conduit != nullptr ? 200 : 1500;
  for (int i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) program.step();
  program.finish();
}

TEST(Collectives, ManyMayBeUnderWayAtOnce) {
  const acre::team& world = acre::world();
  const acre::team half = world.split(static_cast<int>(world.rank() % 2));
  std::vector<acre::future<word>> futures;
  constexpr word count = 200;
  for (word round = 0; round < count; ++round) {
    const acre::team& team = round % 3 == 0 ? half : world;
    futures.push_back(team.allreduce_async(value_of(team.rank(), round)));
  }
  for (word round = count; round-- > 0;) {
    const acre::team& team = round % 3 == 0 ? half : world;
    word expected = 0;
    for (rank_t r = 0; r < team.size(); ++r) expected += value_of(r, round);
    EXPECT_EQ(futures[round].get(), expected);
  }
}

}  // namespace
