// The queue of one rank, used by many at once, in one node and between nodes.
#include <acre/base/error.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/failure_of_test.hpp>
#include <acre/container/queue/circular_queue.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <sched.h>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace acre::guarantees;
using acre::circular_queue;
using acre::hosted_by;
using acre::testing::common_seed;
using acre::testing::failure_of;
using acre::testing::steps;
using numbers = circular_queue<std::uint64_t>;

bool is_host(const auto& queue) { return queue.host().is_this_rank(); }
bool is_near(const auto& queue) {
  return acre::runtime::node_of(queue.host().world_rank()) == acre::runtime::node_of(acre::rank());
}
hosted_by last_rank() { return {acre::size() - 1}; }

TEST(CircularQueueSmoke, PassesValuesOn) {
  numbers queue(acre::world(), last_rank(), 4UL * acre::size());
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.pop(), std::nullopt);
  acre::barrier();
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_TRUE(queue.push(10UL * acre::rank() + i));
  acre::barrier();
  EXPECT_EQ(queue.size(), 4UL * acre::size());
  EXPECT_FALSE(queue.push(0)) << "it is full";
  acre::barrier();
  std::uint64_t sum = 0;
  for (int i = 0; i < 4; ++i) sum += queue.pop().value();
  EXPECT_EQ(acre::world().allreduce(sum),
            20UL * acre::size() * (acre::size() - 1) + 6UL * acre::size());
  EXPECT_TRUE(queue.empty());
}

TEST(CircularQueueSmoke, PassesSpansOn) {
  numbers queue(acre::world(), {0}, 5);
  if (acre::rank() == acre::size() - 1) {
    const std::array<std::uint64_t, 4> four{1, 2, 3, 4};
    std::array<std::uint64_t, 8> out{};
    EXPECT_TRUE(queue.push(four));
    EXPECT_FALSE(queue.push(four)) << "all or nothing";
    EXPECT_EQ(queue.size(), 4U);
    EXPECT_EQ(queue.push_some(four), 1U);
    EXPECT_EQ(queue.push_some(four), 0U);
    EXPECT_FALSE(queue.pop(std::span(out).first(6)));
    EXPECT_TRUE(queue.pop(std::span(out).first(2)));
    EXPECT_EQ(queue.peek(), 3U);
    EXPECT_EQ(queue.pop_some(std::span(out).subspan(2)), 3U);
    EXPECT_EQ(out, (std::array<std::uint64_t, 8>{1, 2, 3, 4, 1}));
    EXPECT_EQ(queue.pop_some(out), 0U);
    EXPECT_EQ(queue.peek(), std::nullopt);
    EXPECT_TRUE(queue.push(std::span<const std::uint64_t>{}));
    EXPECT_EQ(queue.totals(), (acre::queue_totals{.pushed = 5, .popped = 5}));
  }
  acre::barrier();
}

/// One rank alone, against a std::deque; of all capacities, and with numbers about to wrap.
TEST(CircularQueue, DoesWhatDequesDoWhenItsNumbersWrap) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (const std::uint64_t capacity : {1U, 2U, 3U, 5U, 7U, 8U, 100U}) {
    const std::uint64_t before = std::uint64_t{0} - 3 * capacity;
    numbers queue(acre::world(), {0}, capacity, {.pushed = before, .popped = before});
    if (acre::rank() == acre::size() - 1) {
      std::mt19937_64 random(seed + capacity);
      std::deque<std::uint64_t> model;
      for (int step = 0; step < steps(3000); ++step) {
        std::vector<std::uint64_t> values(random() % (capacity + 2));
        for (auto& each : values) each = random();
        const std::uint64_t room = capacity - model.size();
        switch (random() % 7) {
          case 0:
            ASSERT_EQ(queue.push(std::uint64_t(step)), room != 0);
            if (room != 0) model.push_back(std::uint64_t(step));
            break;
          case 1:
            ASSERT_EQ(queue.push(values), values.size() <= room);
            if (values.size() <= room) model.insert(model.end(), values.begin(), values.end());
            break;
          case 2: {
            const auto taken = std::min<std::uint64_t>(values.size(), room);
            ASSERT_EQ(queue.push_some(values), taken);
            model.insert(model.end(), values.begin(),
                         values.begin() + static_cast<std::ptrdiff_t>(taken));
            break;
          }
          case 3:
            if (queue.pop(values)) {
              ASSERT_LE(values.size(), model.size());
              ASSERT_TRUE(std::equal(values.begin(), values.end(), model.begin()));
              model.erase(model.begin(),
                          model.begin() + static_cast<std::ptrdiff_t>(values.size()));
            } else {
              ASSERT_GT(values.size(), model.size());
            }
            break;
          case 4: {
            const std::size_t count = queue.pop_some(values);
            ASSERT_EQ(count, std::min(values.size(), model.size()));
            ASSERT_TRUE(std::equal(values.begin(),
                                   values.begin() + static_cast<std::ptrdiff_t>(count),
                                   model.begin()));
            model.erase(model.begin(), model.begin() + static_cast<std::ptrdiff_t>(count));
            break;
          }
          case 5:
            ASSERT_EQ(queue.peek(), model.empty() ? std::nullopt : std::optional(model.front()));
            ASSERT_EQ(queue.size(), model.size());
            break;
          default: {
            const auto value = queue.pop();
            ASSERT_EQ(value, model.empty() ? std::nullopt : std::optional(model.front()));
            if (value) model.pop_front();
          }
        }
      }
      if (steps(20) == 20) {
        EXPECT_LT(queue.totals().popped, before) << "they have wrapped";
      }
    }
    acre::barrier();
  }
}

// --- many ranks at once ---------------------------------------------------------------

void delay(std::mt19937_64& random) {
  const auto dice = random() % 64;
  if (dice < 4) ::sched_yield();
  if (dice == 4) std::this_thread::sleep_for(std::chrono::microseconds(random() % 50));
}

TEST(CircularQueue, LosesAndRepeatsNothingInSpans) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  const std::uint64_t before = std::uint64_t{0} - 1000;
  numbers queue(acre::world(), {0}, 37, {.pushed = before, .popped = before});
  const auto mine = static_cast<std::uint64_t>(steps(4000));
  const std::uint64_t stamp = std::uint64_t{acre::rank()} << 32;
  std::uint64_t pushed = 0;
  std::vector<std::uint64_t> popped;
  std::vector<std::uint64_t> last(acre::size(), 0);
  const auto note = [&](std::span<const std::uint64_t> values) {
    for (const std::uint64_t each : values) {
      const std::uint64_t number = (each & 0xffffffff) + 1;
      EXPECT_GT(number, last[each >> 32]) << "in the order of pushing, to each who pops";
      last[each >> 32] = number;
      popped.push_back(each);
    }
  };
  std::array<std::uint64_t, 50> buffer;
  const auto pop_some = [&] {
    const std::span<std::uint64_t> room(buffer.data(), 1 + random() % buffer.size());
    note(room.first(queue.pop_some(room)));
  };
  while (pushed < mine) {
    std::vector<std::uint64_t> values(std::min<std::uint64_t>(1 + random() % 20, mine - pushed));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = stamp + pushed + i;
    if (random() % 2 == 0) {
      pushed += queue.push(values) ? values.size() : 0;
    } else {
      pushed += queue.push_some(values);
    }
    delay(random);
    if (random() % 2 == 0) pop_some();
    const std::span<std::uint64_t> few(buffer.data(), 1 + random() % 5);
    if (random() % 4 == 0 && queue.pop(few)) note(few);
  }
  acre::barrier();
  while (!queue.empty()) pop_some();
  std::vector<std::uint64_t> all;
  for (const auto& part : acre::world().gatherv(std::span(popped), 0)) {
    all.insert(all.end(), part.begin(), part.end());
  }
  if (acre::rank() == 0) {
    std::ranges::sort(all);
    EXPECT_EQ(all.size(), mine * acre::size());
    EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
  }
  acre::barrier();
}

TEST(CircularQueue, KeepsSpansInOnePiece) {
  numbers queue(acre::world(), {0}, 100);
  const int rounds = steps(1000);
  std::uint64_t whole = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::array<std::uint64_t, 5> five{1, 2, 3, 4, 5};
    std::array<std::uint64_t, 5> out{};
    queue.push_wait(five);
    queue.pop_wait(out);
    if (out == five) ++whole;
  }
  EXPECT_EQ(whole, static_cast<std::uint64_t>(rounds));
  acre::barrier();
  EXPECT_TRUE(queue.empty());
}

template <std::size_t Bytes>
struct sized {
  std::array<unsigned char, Bytes> bytes;
  static sized of(unsigned number) {
    sized made;
    made.bytes.fill(static_cast<unsigned char>(number));
    return made;
  }
  [[nodiscard]] bool is_whole() const {
    return std::ranges::all_of(bytes, [&](unsigned char each) { return each == bytes[0]; });
  }
};

template <std::size_t Bytes>
void never_tears(std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  circular_queue<sized<Bytes>> queue(acre::world(), last_rank(), 3);
  std::mt19937_64 random(seed + acre::rank());
  std::uint64_t balance = 0;
  for (int step = 0; step < steps(1000); ++step) {
    const auto number = static_cast<unsigned>(random() % 256);
    if (random() % 2 == 0) {
      if (queue.push(sized<Bytes>::of(number))) balance += number + 1;
    } else if (random() % 4 == 0) {
      if (const auto seen = queue.peek()) {
        ASSERT_TRUE(seen->is_whole());
      }
    } else if (const auto value = queue.pop()) {
      ASSERT_TRUE(value->is_whole());
      balance -= value->bytes[0] + std::uint64_t{1};
    }
  }
  acre::barrier();
  if (acre::rank() == 0) {
    while (const auto value = queue.pop()) balance -= value->bytes[0] + std::uint64_t{1};
  }
  EXPECT_EQ(acre::world().allreduce(balance), 0U);
}

TEST(CircularQueue, NeverShowsHalvesOfValuesOfAnySize) {
  const std::uint64_t seed = common_seed();
  // All sizes are handled alike; these are odd, even and long ones.
  never_tears<3>(seed);
  never_tears<100>(seed + 100);
  never_tears<4096>(seed + 200);
}

TEST(CircularQueue, TakesWhatNoMessageCarries) {
  // Larger than a message in all, and each value on its own.
  numbers queue(acre::world(), {0}, 20'000);
  std::vector<std::uint64_t> many(15'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = i;
  circular_queue<sized<100'000>> huge(acre::world(), {0}, 2);
  const std::size_t free_before = acre::runtime::segment_free().private_part;
  acre::barrier();
  if (acre::rank() == acre::size() - 1) {
    EXPECT_TRUE(queue.push(many));
    EXPECT_FALSE(queue.push(many));
    EXPECT_EQ(queue.push_some(many), 5000U);
    std::vector<std::uint64_t> out(15'000);
    EXPECT_TRUE(queue.pop(out));
    EXPECT_EQ(out, many);
    EXPECT_FALSE(queue.pop(out));
    EXPECT_EQ(queue.pop_some(out), 5000U);
    EXPECT_EQ(out[4999], 4999U);
    queue.push_wait(many);
    queue.pop_wait(out);
    EXPECT_EQ(out, many);

    EXPECT_TRUE(huge.push(sized<100'000>::of(7)));
    EXPECT_TRUE(huge.push(sized<100'000>::of(8)));
    EXPECT_FALSE(huge.push(sized<100'000>::of(9)));
    EXPECT_TRUE(huge.peek().value().is_whole());
    EXPECT_EQ(huge.pop().value().bytes[5], 7);
    EXPECT_EQ(huge.pop_wait().bytes[99'999], 8);
    EXPECT_FALSE(huge.pop());
    EXPECT_FALSE(huge.peek());
  }
  acre::barrier();
  EXPECT_EQ(acre::runtime::segment_free().private_part, free_before);
}

// --- waiting ------------------------------------------------------------------------------

TEST(CircularQueue, LetsRanksWaitForEachOther) {
  // Pairs of ranks pass values there and back, through queues of one and two places.
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  numbers there(acre::world(), {0}, 1);
  numbers back(acre::world(), last_rank(), 2);
  const bool has_partner = (acre::rank() ^ 1) < acre::size();
  std::uint64_t sum = 0;
  const int rounds = steps(400);
  for (int i = 0; i < rounds && has_partner; ++i) {
    const bool is_first = acre::rank() % 2 == 0;
    (is_first ? there : back).push_wait(1);
    delay(random);
    sum += (is_first ? back : there).pop_wait();
  }
  EXPECT_EQ(sum, has_partner ? static_cast<std::uint64_t>(rounds) : 0);
  acre::barrier();
  EXPECT_TRUE(there.empty());
  EXPECT_TRUE(back.empty());
  acre::barrier();
}

TEST(CircularQueue, RunsFunctionsOfOthersWhileItWaits) {
  numbers queue(acre::world(), {0}, 1);
  const acre::rank_t last = acre::size() - 1;
  if (acre::size() > 1 && acre::rank() == last) {
    // The rank that waits for the value is the one that must answer before it comes.
    EXPECT_EQ(acre::rpc(0, [](int x) { return x + 1; }, 1).get(), 2);
    EXPECT_TRUE(queue.push(5));
  } else if (acre::size() > 1 && acre::rank() == 0) {
    EXPECT_EQ(queue.pop_wait(), 5U);
  }
  acre::barrier();
}

TEST(CircularQueue, DoesNotFloodTheHostWhileItWaits) {
  numbers queue(acre::world(), {0}, 1);
  if (acre::size() > 1 && acre::rank() == acre::size() - 1) {
    const auto before = acre::counters();
    EXPECT_EQ(queue.pop_wait(), 5U);
    const auto used = acre::counters() - before;
    if (!is_near(queue)) {
      EXPECT_LT(used.messages, 200U);
    }
  } else if (acre::rank() == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (acre::size() > 1) {
      EXPECT_TRUE(queue.push(5));
    }
  }
  acre::barrier();
}

TEST(CircularQueue, RefusesToWaitForWhatNeverFits) {
  numbers queue(acre::world(), {0}, 3);
  std::array<std::uint64_t, 4> four{};
  EXPECT_NE(failure_of([&] { queue.push_wait(four); }).find("4 values"), std::string::npos);
  EXPECT_NE(failure_of([&] { queue.pop_wait(four); }).find("4 values"), std::string::npos);
  EXPECT_FALSE(queue.push(four));
  EXPECT_FALSE(queue.pop(four));
  acre::barrier();
}

// --- guarantees and costs ---------------------------------------------------------------

template <class Guarantee>
constexpr bool may_push(Guarantee guarantee) {
  return requires(numbers& queue, std::span<const std::uint64_t> values) {
    queue.push(1, guarantee);
    queue.push(values, guarantee);
    queue.push_some(values, guarantee);
  };
}
template <class Guarantee>
constexpr bool may_pop(Guarantee guarantee) {
  return requires(numbers& queue, std::span<std::uint64_t> values) {
    queue.pop(guarantee);
    queue.pop(values, guarantee);
    queue.pop_some(values, guarantee);
  };
}
static_assert(may_push(only<push>) && !may_push(only<pop>) && may_push(only<push, pop>));
static_assert(!may_pop(only<push>) && may_pop(only<pop>) && may_pop(local) && may_push(local));
static_assert(!may_push(only<insert, find>) && !may_pop(only<insert, find>));

struct cost {
  std::uint64_t reads, writes, atomics, messages;
  friend bool operator==(const cost&, const cost&) = default;
  friend std::ostream& operator<<(std::ostream& out, const cost& c) {
    return out << c.reads << " R, " << c.writes << " W, " << c.atomics << " A, " << c.messages
               << " M";
  }
};
template <class Call>
cost cost_of(Call&& call) {
  const auto before = acre::counters();
  call();
  const auto used = acre::counters() - before;
  return {used.reads, used.writes, used.atomics, used.messages};
}

TEST(CircularQueue, CostsWhatItsTableSays) {
  constexpr int rounds = 10;
  numbers queue(acre::world(), {0}, 4096);
  const std::array<std::uint64_t, 4> four{1, 2, 3, 4};
  std::array<std::uint64_t, 4> out{};
  for (acre::rank_t active = 0; active < acre::size(); ++active) {
    acre::barrier();
    if (acre::rank() != active) continue;
    const bool near = is_near(queue);
    // What waits for answers may send on behalf of others, so at the most by these.
    const auto expect = [&](const cost& used, const cost& direct, const char* what) {
      if (near) {
        EXPECT_LE(used.reads, direct.reads) << what;
        EXPECT_LE(used.writes, direct.writes) << what;
        EXPECT_LE(used.atomics, direct.atomics) << what;
        EXPECT_EQ(used.messages, 0U) << what;
      } else {
        EXPECT_EQ(used, (cost{0, 0, 0, 1})) << what << ": one message, and its answer";
      }
    };
    for (int i = 0; i < rounds; ++i) {
      expect(cost_of([&] { queue.push(1); }), {0, 1, 2, 0}, "push");
      expect(cost_of([&] { queue.push(four); }), {0, 4, 2, 0}, "push of four");
      expect(cost_of([&] { static_cast<void>(queue.pop()); }), {1, 0, 2, 0}, "pop");
      expect(cost_of([&] { queue.pop(out); }), {4, 0, 2, 0}, "pop of four");
    }
  }
  acre::barrier();
  // Phases of one kind: the first operation may have to look at the other end.
  const bool near = is_near(queue);
  queue.push(1, only<push>);
  for (acre::rank_t active = 0; active < acre::size(); ++active) {
    acre::world().barrier();
    if (acre::rank() != active) continue;
    const cost one = cost_of([&] { EXPECT_TRUE(queue.push(1, only<push>)); });
    const cost many = cost_of([&] { EXPECT_TRUE(queue.push(four, only<push>)); });
    EXPECT_EQ(one, near ? (cost{0, 1, 1, 0}) : (cost{0, 0, 0, 1}));
    EXPECT_EQ(many, near ? (cost{0, 4, 1, 0}) : (cost{0, 0, 0, 1}));
  }
  acre::barrier();
  static_cast<void>(queue.pop(only<pop>));
  for (acre::rank_t active = 0; active < acre::size(); ++active) {
    acre::world().barrier();
    if (acre::rank() != active) continue;
    const cost one = cost_of([&] { EXPECT_TRUE(queue.pop(only<pop>)); });
    const cost many = cost_of([&] { EXPECT_TRUE(queue.pop(out, only<pop>)); });
    EXPECT_EQ(one, near ? (cost{1, 0, 1, 0}) : (cost{0, 0, 0, 1}));
    EXPECT_EQ(many, near ? (cost{4, 0, 1, 0}) : (cost{0, 0, 0, 1}));
  }
  acre::barrier();
  if (is_host(queue)) {
    EXPECT_EQ(cost_of([&] { queue.push(1, local); }), (cost{0, 0, 0, 0}));
    EXPECT_EQ(cost_of([&] { queue.push(four, local); }), (cost{0, 0, 0, 0}));
    EXPECT_EQ(cost_of([&] { EXPECT_TRUE(queue.pop(out, local)); }), (cost{0, 0, 0, 0}));
    EXPECT_EQ(cost_of([&] { EXPECT_TRUE(queue.pop(local)); }), (cost{0, 0, 0, 0}));
  }
  acre::barrier();
}

TEST(CircularQueue, KeepsLocalGuaranteesToTheHost) {
  numbers queue(acre::world(), last_rank(), 3);
  if (is_host(queue)) {
    EXPECT_TRUE(queue.push(1, local));
    EXPECT_TRUE(queue.push(2, local));
    EXPECT_EQ(queue.push_some(std::array<std::uint64_t, 4>{3, 4, 5, 6}, local), 1U);
    EXPECT_FALSE(queue.push(7, local));
    std::vector<std::uint64_t> seen;
    queue.for_each_local([&](std::uint64_t each) { seen.push_back(each); });
    EXPECT_EQ(seen, (std::vector<std::uint64_t>{1, 2, 3}));
    EXPECT_EQ(queue.pop(local), 1U);
  } else {
    EXPECT_NE(failure_of([&] { queue.push(1, local); }).find("host"), std::string::npos);
    EXPECT_NE(failure_of([&] { static_cast<void>(queue.pop(local)); }).find("host"),
              std::string::npos);
    EXPECT_NE(failure_of([&] { queue.for_each_local([](std::uint64_t) {}); }).find("host"),
              std::string::npos);
  }
  acre::barrier();
  EXPECT_EQ(queue.size(), 2U);
  acre::barrier();
  EXPECT_TRUE(queue.pop().has_value() || acre::size() > 2);
  acre::barrier();
}

TEST(CircularQueue, ReportsBrokenGuarantees) {
  if constexpr (!acre::detail::has_checks) GTEST_SKIP();
  numbers queue(acre::world(), {0}, 8);
  if (acre::rank() == acre::size() - 1) {
    EXPECT_TRUE(queue.push(1, only<push>));
    EXPECT_NE(failure_of([&] { static_cast<void>(queue.pop()); }).find("guarantee is broken"),
              std::string::npos);
    EXPECT_EQ(queue.size(), 1U);
  }
  acre::barrier();
  if (acre::rank() == acre::size() - 1) {
    EXPECT_EQ(queue.pop(only<pop>), 1U);
    EXPECT_NE(failure_of([&] { queue.push(1); }).find("guarantee is broken"), std::string::npos);
  }
  acre::barrier();
  EXPECT_EQ(queue.size(), 0U);
  acre::barrier();
}

// --- values of any type ---------------------------------------------------------------

/// Text that says how long it is; some of it longer than a message.
std::string text_of(std::uint64_t number) {
  const std::size_t length = number % 97 == 0 ? 50'000 + number % 1000 : number % 300;
  return std::to_string(number) + ":" + std::string(length, static_cast<char>('a' + number % 26));
}
std::uint64_t number_of(const std::string& text) {
  const std::uint64_t number = std::stoull(text);
  EXPECT_EQ(text, text_of(number));
  return number;
}

TEST(CircularQueue, TakesStringsOfAnyLength) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  const std::size_t free_before = acre::runtime::segment_free().private_part;
  acre::barrier();
  {
    circular_queue<std::string> queue(acre::world(), last_rank(), 20);
    std::uint64_t balance = 0;
    std::vector<std::string> texts(3);
    for (int step = 0; step < steps(600); ++step) {
      for (std::string& each : texts) each = text_of(random() % 10'000);
      switch (random() % 6) {
        case 0:
          if (queue.push(texts[0])) balance += number_of(texts[0]) + 1;
          break;
        case 1:
          if (queue.push(texts)) {
            for (const std::string& each : texts) balance += number_of(each) + 1;
          }
          break;
        case 2: {
          const std::size_t count = queue.push_some(texts);
          for (std::size_t i = 0; i < count; ++i) balance += number_of(texts[i]) + 1;
          break;
        }
        case 3:
          if (const auto text = queue.pop()) balance -= number_of(*text) + 1;
          break;
        case 4:
          if (queue.pop(texts)) {
            for (const std::string& each : texts) balance -= number_of(each) + 1;
          }
          break;
        default: {
          const std::size_t count = queue.pop_some(texts);
          for (std::size_t i = 0; i < count; ++i) balance -= number_of(texts[i]) + 1;
        }
      }
    }
    acre::barrier();
    // Whoever holds it, everything is there.
    queue.migrate({0});
    queue.resize(40);
    std::uint64_t there = 0;
    if (is_host(queue)) {
      queue.for_each_local([&](const std::string& text) { there += number_of(text) + 1; });
    }
    EXPECT_EQ(acre::world().allreduce(balance), acre::world().allreduce(there));
    queue.push_wait(text_of(97));
    queue.push_wait(text_of(5));
    acre::barrier();
    for (int i = 0; i < 2; ++i) number_of(queue.pop_wait());
    acre::barrier();
    if (acre::rank() == 0) {
      while (queue.pop()) continue;
    }
    acre::barrier();
    // The rest is freed by clear(), and at the end.
    queue.push(text_of(1));
    acre::barrier();
    queue.clear();
    queue.push(text_of(2));
    queue.push(text_of(194));
    acre::barrier();
  }
  acre::barrier();
  EXPECT_EQ(acre::runtime::segment_free().private_part, free_before);
}

TEST(CircularQueue, SendsOnlyTheStringsThatFindRoom) {
  circular_queue<std::string> queue(acre::world(), {0}, 100);
  if (acre::rank() == acre::size() - 1) {
    const std::vector<std::string> most(97, std::string(1000, 'a'));
    const std::vector<std::string> many(500, std::string(1000, 'b'));
    EXPECT_TRUE(queue.push(most));
    const auto before = acre::counters();
    EXPECT_FALSE(queue.push(many));
    EXPECT_EQ(queue.push_some(many), 3U);
    const auto used = acre::counters() - before;
    if (!is_near(queue)) {
      EXPECT_LT(used.message_bytes + used.write_bytes, 4000U);
    }
    std::vector<std::string> out(101);
    EXPECT_EQ(queue.pop_some(out), 100U);
    EXPECT_EQ(out[96], most[0]);
    EXPECT_EQ(out[97], many[0]);
    EXPECT_EQ(out[99], many[0]);
  }
  acre::barrier();
}

TEST(CircularQueue, TakesManyShortStringsAtOnce) {
  constexpr std::size_t count = 20'000;
  circular_queue<std::string> queue(acre::world(), {0}, count);
  if (acre::rank() == acre::size() - 1) {
    std::vector<std::string> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = std::to_string(i);
    EXPECT_TRUE(queue.push(all));
    std::vector<std::string> out(count);
    EXPECT_TRUE(queue.pop(out));
    EXPECT_EQ(out, all);
  }
  acre::barrier();
}

TEST(CircularQueue, TakesPairsAndVectors) {
  using pairs = std::pair<std::string, std::vector<int>>;
  using fixed = std::pair<int, std::tuple<double, char>>;
  circular_queue<pairs> queue(acre::world(), {0}, 2UL * acre::size());
  circular_queue<fixed> plain(acre::world(), {0}, 2UL * acre::size());
  const pairs mine{"rank", std::vector<int>(acre::rank() + 1, 7)};
  EXPECT_TRUE(queue.push(mine));
  EXPECT_TRUE(plain.push({static_cast<int>(acre::rank()), {0.5, 'x'}}));
  acre::barrier();
  const auto any = queue.pop();
  ASSERT_TRUE(any.has_value());
  EXPECT_EQ(any->first, "rank");
  EXPECT_EQ(any->second.at(0), 7);
  const auto other = plain.pop();
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(std::get<1>(other->second), 'x');
  acre::barrier();
  if (is_host(queue)) {
    EXPECT_TRUE(queue.push(mine, local));
    EXPECT_EQ(queue.pop(local), mine);
    EXPECT_TRUE(plain.push({3, {1.5, 'y'}}, local));
    EXPECT_EQ(plain.pop(local)->first, 3);
  }
  acre::barrier();
  EXPECT_TRUE(queue.empty());
  acre::barrier();
}

// --- collective -----------------------------------------------------------------------

TEST(CircularQueue, KeepsItsValuesWhenItIsResizedAndMigrated) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);  // the same on all ranks
  const std::uint64_t before = std::uint64_t{0} - 40;
  numbers queue(acre::world(), {0}, 6, {.pushed = before, .popped = before});
  std::deque<std::uint64_t> model;
  std::uint64_t next = 0;
  acre::queue_totals totals{.pushed = before, .popped = before};
  for (int round = 0; round < 40; ++round) {
    const std::uint64_t pushes = random() % 6;
    const std::uint64_t pops = random() % 6;
    const auto who = static_cast<acre::rank_t>(random() % acre::size());
    for (std::uint64_t i = 0; i < pushes && model.size() < queue.capacity(); ++i) {
      model.push_back(++next);
      ++totals.pushed;
      if (acre::rank() == who) {
        ASSERT_TRUE(queue.push(next));
      }
    }
    for (std::uint64_t i = 0; i < pops && !model.empty(); ++i) {
      if (acre::rank() == who) {
        ASSERT_EQ(queue.pop(), model.front());
      }
      model.pop_front();
      ++totals.popped;
    }
    if (random() % 2 == 0) {
      const std::uint64_t capacity = 1 + random() % 20;
      if (capacity < model.size()) {
        EXPECT_NE(failure_of([&] { queue.resize(capacity); }).find("do not fit"),
                  std::string::npos);
      } else {
        queue.resize(capacity);
        EXPECT_EQ(queue.capacity(), capacity);
      }
    } else {
      const hosted_by host{static_cast<acre::rank_t>(random() % acre::size())};
      queue.migrate(host);
      EXPECT_EQ(queue.host().number(), host.member);
    }
    EXPECT_EQ(queue.totals(), totals);
    if (is_host(queue)) {
      std::vector<std::uint64_t> seen;
      queue.for_each_local([&](std::uint64_t each) { seen.push_back(each); });
      EXPECT_TRUE(std::ranges::equal(seen, model));
    }
    acre::barrier();
  }
  queue.clear();
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.totals().pushed, totals.pushed);
  acre::barrier();
  if (acre::rank() == 0) {
    std::vector<std::uint64_t> full(queue.capacity(), 7);
    EXPECT_TRUE(queue.push(full));
    EXPECT_TRUE(queue.pop(full));
    EXPECT_TRUE(queue.push(full));
  }
  acre::barrier();
}

TEST(CircularQueue, MigratesManyValues) {
  circular_queue<sized<100>> queue(acre::world(), {0}, 1500);
  for (unsigned i = 0; i < 700 && acre::rank() == 0; ++i) {
    EXPECT_TRUE(queue.push(sized<100>::of(i)));
    if (i % 7 == 0) {
      EXPECT_TRUE(queue.pop());
    }
    if (i % 7 == 0) {
      EXPECT_TRUE(queue.push(sized<100>::of(i)));
    }
  }
  queue.migrate(last_rank());
  queue.resize(700);
  EXPECT_EQ(queue.size(), 700U);
  acre::barrier();
  if (is_host(queue)) {
    while (const auto value = queue.pop()) EXPECT_TRUE(value->is_whole());
  }
  acre::barrier();
}

TEST(CircularQueue, BelongsToATeam) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  numbers queue(half, {half.size() - 1}, half.size());
  EXPECT_TRUE(queue.push(acre::rank() % 2));
  EXPECT_EQ(queue.host(), half[half.size() - 1]);
  EXPECT_EQ(acre::rpc(queue.host(), [] { return acre::rank(); }).get(),
            half.world_rank(half.size() - 1));
  half.barrier();
  EXPECT_EQ(queue.pop(), acre::rank() % 2);
  half.barrier();
  queue.migrate({0});
  queue.resize(5);
  EXPECT_TRUE(queue.empty());
}

TEST(CircularQueue, MovesAndEndsInAnyOrder) {
  const std::size_t free_before = acre::runtime::segment_free().private_part;
  acre::barrier();
  {
    numbers none;
    EXPECT_NE(failure_of([&] { none.push(1); }).find("circular_queue{"), std::string::npos);
    EXPECT_NE(failure_of([&] { none.clear(); }).find("no queue"), std::string::npos);
    auto first = std::make_unique<numbers>(acre::world(), hosted_by{0}, 10);
    auto second = std::make_unique<numbers>(acre::world(), last_rank(), 20);
    if (acre::rank() == 0) {
      EXPECT_TRUE(first->push(1));
    }
    none = std::move(*first);
    first.reset();
    acre::barrier();
    EXPECT_EQ(none.size(), 1U);
    acre::barrier();
    none = std::move(*second);
    EXPECT_EQ(none.capacity(), 20U);
  }
  acre::barrier();
  EXPECT_EQ(acre::runtime::segment_free().private_part, free_before);
}

TEST(CircularQueue, OfNoValuesIsFullAndEmptyUntilItIsResized) {
  numbers queue(acre::world(), {acre::size() - 1}, 0);
  const std::array<std::uint64_t, 2> two{1, 2};
  std::array<std::uint64_t, 2> popped{};
  const auto expect_nothing = [&] {
    EXPECT_EQ(queue.capacity(), 0U);
    EXPECT_TRUE(queue.empty());
    EXPECT_FALSE(queue.push(1));
    EXPECT_FALSE(queue.push(two));
    EXPECT_EQ(queue.push_some(two), 0U);
    EXPECT_FALSE(queue.pop());
    EXPECT_FALSE(queue.pop(popped));
    EXPECT_EQ(queue.pop_some(popped), 0U);
    EXPECT_FALSE(queue.peek());
    EXPECT_NE(failure_of([&] { queue.push_wait(1); }).find("1 values"), std::string::npos);
    acre::barrier();
  };
  expect_nothing();
  queue.resize(acre::size());
  EXPECT_TRUE(queue.push(acre::rank()));
  acre::barrier();
  EXPECT_TRUE(queue.pop());
  acre::barrier();
  queue.resize(0);
  expect_nothing();
}

TEST(CircularQueue, ExplainsWhatCannotBeMade) {
  EXPECT_NE(failure_of([] { numbers queue(acre::world(), {acre::size()}, 4); }).find("the host"),
            std::string::npos);
  EXPECT_NE(
      failure_of([] { numbers queue(acre::world(), {0}, ~std::uint64_t{0}); }).find("negative"),
      std::string::npos);
  numbers queue(acre::world(), {0}, 4);
  EXPECT_NE(failure_of([&] { queue.migrate({acre::size()}); }).find("the host"), std::string::npos);
  if (acre::size() == 1) return;
  EXPECT_NE(failure_of([] {
              numbers other(acre::world(), {0}, 3 + acre::rank());
            }).find("sizes differ: 3 values on rank 0, 4 values on rank 1"),
            std::string::npos);
  EXPECT_NE(failure_of([&] { queue.migrate({acre::rank()}); }).find("hosts differ"),
            std::string::npos);
  EXPECT_EQ(queue.capacity(), 4U);
}

}  // namespace
