// SPDX-License-Identifier: BSD-3-Clause
#include "linearizability.hpp"

#include "conservation.hpp"
#include "models.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <random>
#include <vector>

namespace {

using namespace histories;

event make(action what, std::int64_t begin, std::int64_t end, std::uint64_t argument = 0) {
  return {.what = what, .argument = argument, .begin = begin, .end = end};
}
event with(event each, answer result) {
  each.result = result;
  return each;
}
event bringing(event each, std::uint64_t value) {
  each.has_value = true;
  each.value = value;
  return each;
}

bool is_explained(const std::vector<event>& events) {
  return !find_unexplained<key_of_map>(events);
}

TEST(Linearizability, ExplainsWhatHappensInTurn) {
  EXPECT_TRUE(is_explained({}));
  EXPECT_TRUE(is_explained({with(make(action::insert, 1, 2, 5), answer::yes),
                            bringing(with(make(action::find, 3, 4), answer::yes), 5),
                            with(make(action::erase, 5, 6), answer::yes),
                            with(make(action::find, 7, 8), answer::no)}));
}

TEST(Linearizability, FindsNoOrderForALateRead) {
  EXPECT_FALSE(is_explained({with(make(action::insert, 1, 2, 5), answer::yes),
                             with(make(action::find, 3, 4), answer::no)}));
  EXPECT_FALSE(is_explained({with(make(action::insert, 1, 2, 5), answer::yes),
                             bringing(with(make(action::find, 3, 4), answer::yes), 6)}));
}

TEST(Linearizability, ExplainsEitherOutcomeOfARace) {
  const event inserting = with(make(action::insert, 1, 10, 5), answer::yes);
  EXPECT_TRUE(is_explained({inserting, with(make(action::find, 2, 3), answer::no)}));
  EXPECT_TRUE(is_explained({inserting, bringing(with(make(action::find, 2, 3), answer::yes), 5)}));
  EXPECT_FALSE(is_explained({inserting, with(make(action::find, 2, 3), answer::yes),
                             with(make(action::find, 4, 5), answer::no)}));
}

TEST(Linearizability, LetsOneOfTwoInsert) {
  const auto race = [](answer first, answer second) {
    return is_explained(
        {with(make(action::insert, 1, 10, 5), first), with(make(action::insert, 2, 9, 6), second)});
  };
  EXPECT_TRUE(race(answer::yes, answer::no));
  EXPECT_TRUE(race(answer::no, answer::yes));
  EXPECT_FALSE(race(answer::yes, answer::yes));
  EXPECT_FALSE(race(answer::no, answer::no));
}

TEST(Linearizability, NoticesALostAddition) {
  EXPECT_TRUE(is_explained(
      {bringing(make(action::add, 1, 5, 1), 0), bringing(make(action::add, 2, 6, 1), 1)}));
  EXPECT_FALSE(is_explained(
      {bringing(make(action::add, 1, 5, 1), 0), bringing(make(action::add, 2, 6, 1), 0)}));
}

TEST(Linearizability, LetsAnAssignmentOfTheValueThatIsThereWait) {
  const auto finds = [](std::int64_t begin, std::uint64_t value) {
    return bringing(with(make(action::find, begin, begin + 1), answer::yes), value);
  };
  EXPECT_TRUE(is_explained({with(make(action::insert, 1, 2, 5), answer::yes),
                            make(action::assign, 3, 20, 5), make(action::assign, 3, 20, 6),
                            finds(4, 5), finds(6, 6), finds(8, 5)}));
}

TEST(Linearizability, TakesNoTurnsWithReads) {
  std::vector<event> events;
  const auto add = [&](action what, std::uint64_t one, std::uint64_t other, answer result) {
    event each = with(make(what, 1, 10, one), result);
    each.expected = other;
    events.push_back(each);
  };
  for (std::uint64_t one = 0; one < 4; ++one) {
    for (std::uint64_t other = 4; other < 8; ++other) {
      add(action::compare, one, other, answer::no);
      add(action::compare, one, other, answer::yes);
    }
    if (one != 0) add(action::unite, 0, one, answer::yes);
    if (one != 0) add(action::unite, 4, 4 + one, answer::yes);
  }
  const std::uint64_t before = undecided;
  EXPECT_TRUE(find_unexplained<partition>(events)) << "nothing unites the halves";
  add(action::unite, 3, 6, answer::yes);
  EXPECT_FALSE(find_unexplained<partition>(events));
  EXPECT_EQ(undecided, before);
}

TEST(Linearizability, TakesNoTurnsWithWhatKeepsAGrowingState) {
  std::vector<event> events;
  const auto add = [&](action what, std::uint64_t one, std::uint64_t other, answer result) {
    event each = with(make(what, 1, 10, one), result);
    each.expected = other;
    events.push_back(each);
  };
  for (std::uint64_t one = 0; one < 8; ++one) {
    for (std::uint64_t other = one + 1; other < 8; ++other) {
      add(action::unite, one, other, one == 0 ? answer::yes : answer::no);
    }
  }
  const std::uint64_t before = undecided;
  EXPECT_FALSE(find_unexplained<partition>(events));
  add(action::compare, 0, 8, answer::yes);
  EXPECT_TRUE(find_unexplained<partition>(events)) << "nothing unites 0 and 8";
  EXPECT_EQ(undecided, before);
}

TEST(Linearizability, TreatsEachKeyByItself) {
  event other = with(make(action::find, 3, 4), answer::no);
  other.key = 1;
  EXPECT_TRUE(is_explained({with(make(action::insert, 1, 2, 5), answer::yes), other}));
}

event pushing(std::uint64_t value, std::int64_t begin, std::int64_t end, answer result) {
  event each = with(make(action::push, begin, end, value), result);
  each.expected = 1;
  return each;
}
event popping(std::int64_t begin, std::int64_t end, std::optional<std::uint64_t> value) {
  const event each = with(make(action::pop, begin, end), value ? answer::yes : answer::no);
  return value ? bringing(each, *value) : each;
}
bool is_fifo(const std::vector<event>& events, std::uint64_t capacity) {
  const bool is_explained = !find_unexplained<queue>(events, {.capacity = capacity, .values = {}});
  EXPECT_EQ(why_no_queue(events, capacity).empty(), is_explained);
  return is_explained;
}

TEST(Linearizability, KnowsQueues) {
  using enum answer;
  EXPECT_TRUE(is_fifo({pushing(1, 1, 2, yes), pushing(2, 3, 4, yes), popping(5, 6, 1),
                       popping(7, 8, 2), popping(9, 10, std::nullopt)},
                      5));
  EXPECT_FALSE(is_fifo({pushing(1, 1, 2, yes), pushing(2, 3, 4, yes), popping(5, 6, 2)}, 5));
  EXPECT_TRUE(is_fifo({pushing(1, 1, 4, yes), pushing(2, 2, 3, yes), popping(5, 6, 2)}, 5));
  EXPECT_FALSE(is_fifo({pushing(1, 1, 2, yes), popping(3, 4, std::nullopt)}, 5));
  EXPECT_FALSE(is_fifo({pushing(1, 1, 2, yes), popping(3, 4, 1), popping(5, 6, 1)}, 5));
  EXPECT_TRUE(is_fifo({pushing(1, 1, 2, yes), pushing(2, 3, 4, no)}, 1));
  EXPECT_FALSE(is_fifo({pushing(1, 1, 2, yes), pushing(2, 3, 4, no)}, 2));
}

TEST(Linearizability, KnowsBothEndsOfDeques) {
  const auto push = [](action end, std::int64_t begin, std::uint64_t first, std::uint64_t number) {
    event each = make(end, begin, begin + 1, first);
    each.expected = number;
    return each;
  };
  const auto pop = [](action end, std::int64_t begin, const std::vector<std::uint64_t>& values) {
    event each = make(end, begin, begin + 1);
    each.expected = 2;
    value_digest all;
    for (const std::uint64_t value : values) all.add(value);
    return bringing(each, all.sum());
  };
  const auto is_deque = [](const std::vector<event>& events) {
    return !find_unexplained<double_ended>(events);
  };
  const event back = push(action::push, 1, 10, 2);         // 10 11
  const event front = push(action::push_front, 3, 20, 2);  // 20 21 10 11
  EXPECT_TRUE(is_deque({back, front, pop(action::pop, 5, {20, 21})}));
  EXPECT_FALSE(is_deque({back, front, pop(action::pop, 5, {21, 20})}));
  EXPECT_FALSE(is_deque({back, front, pop(action::pop, 5, {10, 11})}));
  EXPECT_TRUE(is_deque({back, front, pop(action::pop_back, 5, {11, 10})}));
  EXPECT_TRUE(is_deque({back, pop(action::pop_back, 5, {11, 10}), pop(action::pop, 7, {})}));
  EXPECT_FALSE(is_deque({back, front, pop(action::pop_back, 5, {11})}));
  EXPECT_FALSE(is_deque({back, pop(action::pop, 5, {})}));
  EXPECT_TRUE(is_deque({back, front, bringing(make(action::count, 4, 5), 4)}));
  EXPECT_FALSE(is_deque({back, front, bringing(make(action::count, 5, 6), 2)}));
  EXPECT_TRUE(is_deque({back, front, bringing(make(action::find, 5, 6), 20)}));
  EXPECT_FALSE(is_deque({back, front, bringing(make(action::find, 5, 6), 10)}));
}

TEST(Linearizability, NoticesLostAndDoubledValues) {
  const event push = make(action::push, 1, 2, 7);
  const event pop = bringing(make(action::pop, 3, 4), 7);
  EXPECT_TRUE(keeps_all_values({push, pop, make(action::pop, 5, 6)}));
  EXPECT_FALSE(keeps_all_values({push}));
  EXPECT_FALSE(keeps_all_values({push, pop, pop}));
  EXPECT_FALSE(keeps_all_values({push, pop, bringing(make(action::pop, 3, 4), 8)}));
  EXPECT_FALSE(keeps_all_values({make(action::push, 5, 6, 7), pop}));
}

TEST(Linearizability, ExplainsWhatHasAnOrderAndNothingElse) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::vector<event> events;
    std::uint64_t sum = 0;
    for (std::int64_t time = 100; time < 100 + 40 * 10; time += 10) {
      const auto before = static_cast<std::int64_t>(random() % 25);
      const auto after = static_cast<std::int64_t>(random() % 25);
      const std::uint64_t amount = 1 + random() % 3;
      events.push_back(bringing(make(action::add, time - before, time + after, amount), sum));
      sum += amount;
    }
    ASSERT_TRUE(is_explained(events));
    event& wrong = events[random() % events.size()];
    wrong.value = sum + 1;
    ASSERT_FALSE(is_explained(events));
  }
}

std::vector<event> history_of_a_queue(std::mt19937_64& random, std::uint64_t capacity) {
  std::vector<event> events;
  std::deque<std::uint64_t> values;
  std::uint64_t next = 0;
  for (std::int64_t time = 100; time < 100 + 14 * 10; time += 10) {
    const auto begin = time - static_cast<std::int64_t>(random() % 25);
    const auto end = time + static_cast<std::int64_t>(random() % 25);
    if (random() % 2 == 0) {
      event each = pushing(next, begin, end, answer::no);
      each.expected = 1 + random() % 3;
      if (values.size() + each.expected <= capacity) each.result = answer::yes;
      for (std::uint64_t i = 0; i != each.expected; ++i, ++next) {
        if (each.result == answer::yes) values.push_back(next);
      }
      events.push_back(each);
    } else if (values.empty()) {
      events.push_back(popping(begin, end, std::nullopt));
    } else {
      events.push_back(popping(begin, end, values.front()));
      values.pop_front();
    }
  }
  return events;
}

TEST(QueueOrder, ComplainsOnlyWhereNoOrderExplains) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  int complaints = 0;
  int without_order = 0;
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t capacity = 1 + random() % 5;
    std::vector<event> events = history_of_a_queue(random, capacity);
    ASSERT_EQ(why_no_queue(events, capacity), "");
    // The changed history may still be valid.
    event& one = events[random() % events.size()];
    event& other = events[random() % events.size()];
    std::swap(one.result, other.result);
    std::swap(one.value, other.value);
    std::swap(one.has_value, other.has_value);
    const bool is_explained =
        !find_unexplained<queue>(events, {.capacity = capacity, .values = {}});
    const bool is_possible = why_no_queue(events, capacity).empty();
    ASSERT_TRUE(is_possible || !is_explained) << why_no_queue(events, capacity);
    without_order += is_explained ? 0 : 1;
    complaints += is_possible ? 0 : 1;
  }
  EXPECT_GT(complaints, without_order / 2);
}

}  // namespace
