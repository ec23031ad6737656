// SPDX-License-Identifier: BSD-3-Clause
// Cases of the conformance suite, run on loopback conduits.
#include <acre/fabric/conformance_test.hpp>

#include <acre/fabric/box.hpp>
#include <acre/fabric/loopback.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>

namespace acre::fabric {

void kept_messages::deliver(const message& received) {
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(received.arguments.data()) % alignof(word), 0U);
  messages.push_back({received.header,
                      {received.arguments.begin(), received.arguments.end()},
                      {received.payload.begin(), received.payload.end()}});
}

std::vector<std::byte> random_bytes(std::size_t bytes, unsigned seed) {
  constexpr std::size_t most_seeds = 1 << 16;
  static const std::vector<std::byte> all = [] {
    std::vector<std::byte> filled(most_seeds + region_bytes);
    std::mt19937_64 generator(1);
    for (std::size_t at = 0; at < filled.size(); at += sizeof(word)) {
      const word random = generator();
      std::memcpy(&filled[at], &random, sizeof(word));
    }
    return filled;
  }();
  const auto begin = all.begin() + seed % most_seeds;
  return {begin, begin + static_cast<std::ptrdiff_t>(bytes)};
}

connected_ranks::connected_ranks(std::vector<std::unique_ptr<conduit>> opened)
    : ranks(std::move(opened)), boxes(ranks.size()) {
  std::vector<std::vector<std::byte>> descriptors;
  for (const auto& rank : ranks) {
    if (rank->offers().brings_memory) {
      memory.emplace_back(rank->bring_memory(region_bytes), region_bytes);
    } else {
      memory.emplace_back(own_memory_.emplace_back(region_bytes));
    }
    rank->register_region(segment_region, memory.back().data(), region_bytes);
    descriptors.push_back(rank->descriptor());
  }
  for (rank_t rank = 0; rank < ranks.size(); ++rank) ranks[rank]->connect(rank, descriptors);
}

void connected_ranks::pump() {
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (ranks[rank] == nullptr) continue;
    if (ranks[rank]->offers().completes_by_flush) ranks[rank]->flush();
    ranks[rank]->progress(boxes[rank]);
  }
}

void connected_ranks::quiet(rank_t rank) {
  pump_until([&] { return ranks[rank]->completed() == ranks[rank]->issued(); });
}

void connected_ranks::put(std::uint64_t offset, const void* source, std::size_t bytes) {
  pump_until([&] { return ranks[0]->try_put(1, segment_region, offset, source, bytes); });
}

void connected_ranks::get(std::uint64_t offset, void* destination, std::size_t bytes) {
  pump_until([&] { return ranks[0]->try_get(1, segment_region, offset, destination, bytes); });
}

void connected_ranks::put_box(std::uint64_t offset, const std::byte* source, const box& shape) {
  std::size_t done = 0;
  pump_until([&] {
    done += ranks[0]->try_put_box(1, segment_region, offset, source, shape, done);
    return done == shape.runs();
  });
}

void connected_ranks::get_box(std::uint64_t offset, std::byte* destination, const box& shape) {
  std::size_t done = 0;
  pump_until([&] {
    done += ranks[0]->try_get_box(1, segment_region, offset, destination, shape, done);
    return done == shape.runs();
  });
}

void connected_ranks::send(rank_t from, rank_t to, const message_header& header,
                           const word* arguments, const void* payload) {
  pump_until([&] { return ranks[from]->try_send(to, header, arguments, payload); });
}

numbered_message::numbered_message(rank_t from, unsigned i, std::size_t max_payload) {
  const std::size_t choices[] = {0, 1, 8, 100, max_payload, 1001, 3, max_payload - 1, 500};
  payload = random_bytes(std::min(choices[i % 9], max_payload), i);
  for (unsigned argument = 0; argument < i % 9; ++argument) arguments.push_back(i * 10 + argument);
  header = {.payload_bytes = static_cast<std::uint32_t>(payload.size()),
            .handler = static_cast<std::uint8_t>(i),
            .argument_count = static_cast<std::uint8_t>(arguments.size()),
            .flags = static_cast<std::uint16_t>(i * 3),
            .source = from,
            .tag = i};
}

void send_many_both_ways(connected_ranks& job, unsigned count) {
  const std::size_t max_payload = job.offers().max_payload;
  for (unsigned i = 0; i < count; ++i) {
    for (rank_t from = 0; from < 2; ++from) {
      const numbered_message each(from, i, max_payload);
      job.send(from, 1 - from, each.header, each.arguments.data(), each.payload.data());
    }
  }
  for (rank_t to = 0; to < 2; ++to) {
    job.pump_until([&] { return job.boxes[to].messages.size() >= count; });
    ASSERT_EQ(job.boxes[to].messages.size(), count);
    for (unsigned i = 0; i < count; ++i) {
      const numbered_message each(1 - to, i, max_payload);
      const kept_messages::received_message& received = job.boxes[to].messages[i];
      ASSERT_EQ(received.header.tag, i) << "out of order";
      ASSERT_EQ(std::memcmp(&received.header, &each.header, sizeof(message_header)), 0);
      ASSERT_EQ(received.arguments, each.arguments);
      ASSERT_EQ(received.payload, each.payload);
    }
  }
}

namespace {

constexpr std::size_t sizes[] = {1,     2,     7,     8,     9,      63,      64,           65,
                                 255,   256,   1000,  1024,  1025,   4095,    4096,         4097,
                                 16000, 16384, 65535, 65537, 262144, 1 << 20, (1 << 20) + 3};

std::vector<std::size_t> sizes_for(const capabilities& offers) {
  std::vector<std::size_t> fitting;
  for (const std::size_t size : sizes) {
    if (size <= offers.max_transfer) fitting.push_back(size);
  }
  if (offers.max_transfer < region_bytes / 2) fitting.push_back(offers.max_transfer);
  return fitting;
}

void expect_numbers(std::span<const std::byte> memory, std::uint64_t count, std::uint64_t factor) {
  const auto* const words = reinterpret_cast<const std::uint64_t*>(memory.data());
  for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(words[i], i * factor);
}

TEST_P(Conformance, KeepsWhatTheContractSaysOfItsLimits) {
  const connected_ranks job(GetParam().open(2));
  EXPECT_FALSE(job.offers().name.empty());
  EXPECT_GE(job.offers().max_inject, direct_line::smallest_inject);
  EXPECT_GE(job.offers().max_transfer, least_max_transfer);
  EXPECT_GE(job.offers().max_transfer, job.offers().max_inject);
  EXPECT_GT(job.offers().max_payload, 64U);
}

TEST_P(Conformance, PutsAnySizeAnywhere) {
  connected_ranks job(GetParam().open(2));
  for (const std::size_t bytes : sizes_for(job.offers())) {
    std::vector<std::byte> source = random_bytes(bytes, static_cast<unsigned>(bytes));
    const std::vector<std::byte> original = source;
    const std::uint64_t offset = 3 * bytes % 4099 + 1;
    std::memset(job.memory[1].data(), 0, job.memory[1].size());
    job.put(offset, source.data(), bytes);
    if (bytes <= job.offers().max_inject) std::ranges::fill(source, std::byte{0xAA});
    job.quiet(0);
    ASSERT_EQ(std::memcmp(job.memory[1].data() + offset, original.data(), bytes), 0) << bytes;
    ASSERT_EQ(job.memory[1][offset - 1], std::byte{0}) << bytes;
    ASSERT_EQ(job.memory[1][offset + bytes], std::byte{0}) << bytes;
  }
}

TEST_P(Conformance, GetsAnySizeFromAnywhere) {
  connected_ranks job(GetParam().open(2));
  const std::vector<std::byte> content = random_bytes(region_bytes, 5);
  std::ranges::copy(content, job.memory[1].begin());
  for (const std::size_t bytes : sizes_for(job.offers())) {
    std::vector<std::byte> destination(bytes + 2);
    const std::uint64_t offset = 3 * bytes % 4099 + 1;
    job.get(offset, destination.data() + 1, bytes);
    job.quiet(0);
    ASSERT_EQ(std::memcmp(job.memory[1].data() + offset, destination.data() + 1, bytes), 0)
        << bytes;
    ASSERT_EQ(destination.front(), std::byte{0});
    ASSERT_EQ(destination.back(), std::byte{0});
  }
}

TEST_P(Conformance, PutsAndGetsBoxes) {
  connected_ranks job(GetParam().open(2));
  const std::vector<std::byte> source = random_bytes(200000, 7);
  box shape(37);
  shape.repeat(25, 41, -40);
  shape.repeat(3, 5000, 1000);
  shape.repeat(4, 20000, 3000);
  constexpr std::size_t first = 24 * 40;
  std::ranges::fill(job.memory[1], std::byte{0});
  job.put_box(5, source.data() + first, shape);
  job.quiet(0);
  std::size_t written = 0;
  for (box::walk at(shape); at.left() != 0; at.next()) {
    const std::byte* const there = &job.memory[1][static_cast<std::size_t>(5 + at.remote())];
    ASSERT_EQ(std::memcmp(there, source.data() + first + at.local(), 37), 0);
    written += 37 - static_cast<std::size_t>(std::count(there, there + 37, std::byte{0}));
  }
  const auto zeros = std::ranges::count(job.memory[1], std::byte{0});
  EXPECT_EQ(region_bytes - static_cast<std::size_t>(zeros), written) << "bytes between the runs";
  std::vector<std::byte> back(source.size());
  job.get_box(5, back.data() + first, shape);
  job.quiet(0);
  for (box::walk at(shape); at.left() != 0; at.next()) {
    ASSERT_EQ(std::memcmp(back.data() + first + at.local(), source.data() + first + at.local(), 37),
              0);
  }
}

TEST_P(Conformance, PutsBoxesOfTheLargestRuns) {
  connected_ranks job(GetParam().open(2));
  const std::size_t run = std::min<std::size_t>(job.offers().max_transfer, 50000);
  const std::vector<std::byte> source = random_bytes(run * 10, 3);
  box shape(run);
  shape.repeat(10, static_cast<std::ptrdiff_t>(run + 8), static_cast<std::ptrdiff_t>(run));
  job.put_box(0, source.data(), shape);
  job.quiet(0);
  for (std::size_t i = 0; i < 10; ++i) {
    ASSERT_EQ(std::memcmp(&job.memory[1][i * (run + 8)], &source[i * run], run), 0) << i;
  }
}

TEST_P(Conformance, CountsThousandsOfSmallPuts) {
  connected_ranks job(GetParam().open(2));
  constexpr std::uint64_t count = 20'000;
  for (std::uint64_t i = 0; i < count; ++i) job.put(i * 8, &i, 8);
  job.quiet(0);
  EXPECT_GE(job.ranks[0]->issued(), count);
  expect_numbers(job.memory[1], count, 1);
}

struct counted_operation : operation {
  int completions = 0;
  counted_operation() {
    complete = [](operation& done) noexcept {
      ++static_cast<counted_operation&>(done).completions;
    };
  }
};

TEST_P(Conformance, CompletesEachOperationOnce) {
  connected_ranks job(GetParam().open(2));
  const std::vector<std::byte> source = random_bytes(300 * 1024, 11);
  std::vector<std::byte> back(source.size());
  std::vector<counted_operation> operations(300);
  const auto all_done = [&] {
    return std::ranges::all_of(operations, [](const auto& each) { return each.completions == 1; });
  };
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const std::size_t bytes = i % 2 == 0 ? 8 : 1024;
    job.pump_until([&] {
      return job.ranks[0]->try_put(1, segment_region, i * 1024, source.data() + i * 1024, bytes,
                                   operations[i]);
    });
  }
  job.pump_until(all_done);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const std::size_t bytes = i % 2 == 0 ? 8 : 1024;
    ASSERT_EQ(std::memcmp(job.memory[1].data() + i * 1024, source.data() + i * 1024, bytes), 0);
    operations[i].completions = 0;
  }
  std::ranges::copy(source, job.memory[1].begin());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    job.pump_until([&] {
      return job.ranks[0]->try_get(1, segment_region, i * 1024, back.data() + i * 1024, 1024,
                                   operations[i]);
    });
  }
  job.pump_until(all_done);
  EXPECT_EQ(source, back);
  job.quiet(0);
  for (int i = 0; i < 20; ++i) job.pump();
  EXPECT_TRUE(all_done()) << "an operation completed again";
}

TEST_P(Conformance, CompletesNothingBeforeTheDataIsThere) {
  connected_ranks job(GetParam().open(2));
  std::uint64_t value = 1;
  job.put(0, &value, 8);
  job.quiet(0);
  for (value = 2; value < 200; ++value) {
    counted_operation done;
    std::vector<std::byte> large = random_bytes(1024, static_cast<unsigned>(value));
    job.put(0, &value, 8);
    job.pump_until([&] {
      return job.ranks[0]->try_put(1, segment_region, 64, large.data(), large.size(), done);
    });
    job.pump_until([&] {
      const bool quiet = job.ranks[0]->completed() == job.ranks[0]->issued();
      if (quiet) {
        EXPECT_EQ(std::memcmp(job.memory[1].data(), &value, 8), 0);
      }
      if (done.completions != 0) {
        EXPECT_EQ(std::memcmp(job.memory[1].data() + 64, large.data(), large.size()), 0);
      }
      return quiet && done.completions == 1;
    });
  }
}

TEST_P(Conformance, KeepsPutsInOrderIfItSaysSo) {
  connected_ranks job(GetParam().open(2));
  if (!job.offers().ordered_puts) return;
  const std::size_t large = std::min<std::size_t>(1 << 20, job.offers().max_transfer);
  std::vector<std::byte> source(large);
  for (std::uint64_t round = 1; round < 30; ++round) {
    std::ranges::fill(source, static_cast<std::byte>(round));
    job.put(64, source.data(), large);
    job.put(0, &round, 8);
    job.pump_until([&] { return std::memcmp(job.memory[1].data(), &round, 8) == 0; });
    ASSERT_EQ(job.memory[1][64], source.front());
    ASSERT_EQ(job.memory[1][64 + large - 1], source.front());
    job.quiet(0);
  }
}

TEST_P(Conformance, LetsMessagesFollowPutsIfItSaysSo) {
  connected_ranks job(GetParam().open(2));
  if (!job.offers().messages_follow_puts) return;
  for (std::uint64_t round = 1; round < 300; ++round) {
    job.put(0, &round, 8);
    job.send(0, 1, {.source = 0}, nullptr, nullptr);
    job.pump_until([&] { return job.boxes[1].messages.size() == round; });
    std::uint64_t there = 0;
    std::memcpy(&there, job.memory[1].data(), 8);
    ASSERT_EQ(there, round);
  }
}

TEST_P(Conformance, HasPutsThereThatGoAheadOfAMessageIfItSaysSo) {
  connected_ranks job(GetParam().open(2));
  if (!job.offers().messages_follow_puts) return;
  const std::size_t large = std::min<std::size_t>(300'000, job.offers().max_transfer);
  for (std::size_t round = 1; round < 20; ++round) {
    counted_operation sent;
    std::vector<std::byte> source = random_bytes(large, static_cast<unsigned>(round));
    const std::vector<std::byte> same = source;
    job.pump_until([&] {
      return job.ranks[0]->try_put_ahead(1, segment_region, 64, source.data(), large, sent);
    });
    job.send(0, 1, {.source = 0}, nullptr, nullptr);
    job.pump_until([&] { return sent.completions != 0; });
    std::ranges::fill(source, std::byte{0});
    job.pump_until([&] { return job.boxes[1].messages.size() == round; });
    ASSERT_EQ(std::memcmp(job.memory[1].data() + 64, same.data(), large), 0);
    ASSERT_EQ(sent.completions, 1U);
  }
  job.quiet(0);
}

TEST_P(Conformance, DeliversMessagesOfAllSizesInOrder) {
  connected_ranks job(GetParam().open(2));
  send_many_both_ways(job, 2000);
}

TEST_P(Conformance, KeepsTheOrderOfEachPair) {
  connected_ranks job(GetParam().open(3));
  constexpr word count = 300;
  for (word i = 0; i < count; ++i) {
    for (rank_t from = 0; from < 3; ++from) {
      for (rank_t to = 0; to < 3; ++to) {
        const message_header header{.argument_count = 1, .source = from, .tag = to};
        job.send(from, to, header, &i, nullptr);
      }
    }
  }
  for (rank_t to = 0; to < 3; ++to) {
    job.pump_until([&] { return job.boxes[to].messages.size() == 3 * count; });
    std::array<word, 3> next{};
    for (const auto& received : job.boxes[to].messages) {
      ASSERT_EQ(received.header.tag, to);
      ASSERT_EQ(received.arguments.front(), next.at(received.header.source)++);
    }
  }
}

TEST_P(Conformance, LosesNothingWithTinyLimits) {
  connected_ranks job(GetParam().open_tiny(2));
  constexpr std::uint64_t count = 5000;
  const std::size_t large_bytes = std::min<std::size_t>(100000, job.offers().max_transfer);
  const std::vector<std::byte> large = random_bytes(large_bytes, 3);
  std::size_t refusals = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    job.pump_until([&] {
      const bool issued = job.ranks[0]->try_put(1, segment_region, i * 8, &i, 8);
      refusals += issued ? 0 : 1;
      return issued;
    });
    if (i % 100 == 0) job.put(1 << 20, large.data(), large.size());
  }
  send_many_both_ways(job, 1000);
  job.quiet(0);
  expect_numbers(job.memory[1], count, 1);
  EXPECT_EQ(std::memcmp(job.memory[1].data() + (1 << 20), large.data(), large.size()), 0);
  EXPECT_GT(refusals, 0U) << "the limits were not tiny: the test has no effect";
}

TEST_P(Conformance, TakesPutsAndMessagesFromSeveralThreads) {
  connected_ranks job(GetParam().open(2));
  constexpr std::uint64_t count = 200;
  std::atomic<int> running{3};
  const auto work = [&](std::uint64_t thread) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t place = (thread * count + i) * 8;
      while (!job.ranks[0]->try_put(1, segment_region, place, &place, 8)) std::this_thread::yield();
      const message_header header{.handler = static_cast<std::uint8_t>(thread),
                                  .tag = static_cast<std::uint32_t>(i)};
      while (!job.ranks[0]->try_send(1, header, nullptr, nullptr)) std::this_thread::yield();
    }
    --running;
  };
  std::vector<std::jthread> threads;
  for (std::uint64_t thread = 0; thread < 3; ++thread) threads.emplace_back(work, thread);
  job.pump_until([&] { return running == 0 && job.boxes[1].messages.size() == 3 * count; });
  job.quiet(0);
  rank_t next[3] = {};
  for (const auto& received : job.boxes[1].messages) {
    ASSERT_EQ(received.header.tag, next[received.header.handler]++);
  }
  expect_numbers(job.memory[1], 3 * count, 8);
}

TEST_P(Conformance, PutsAndSendsByItsDirectLineAsWithout) {
  connected_ranks job(GetParam().open(2));
  conduit& self = *job.ranks[0];
  direct_line& line = self.line();
  alignas(64) std::array<std::byte, spare_zeros> zeros{};
  for (std::uint64_t i = 0; i < 3000; ++i) {
    void* const spare = i % 2 == 0 ? zeros.data() : nullptr;
    line.issued.fetch_add(1);
    const ssize_t result =
        line.put(line.end, &i, 8, spare, 1, i * 8, line.keys[segment_region], nullptr);
    if (result == 0 || self.refused(result, 1)) continue;
    job.put(i * 8, &i, 8);
  }
  EXPECT_EQ(line.issued, 3000U);
  job.pump_until([&] {
    const std::uint64_t completed = line.read(line.counter);
    line.completed.store(completed);
    return completed == line.issued;
  });
  expect_numbers(job.memory[1], 3000, 1);
  EXPECT_TRUE(std::ranges::all_of(zeros, [](std::byte each) { return each == std::byte{0}; }));

  struct {
    message_head head;
    std::array<word, 2> words;
  } message{.head = {.header = {.handler = 9, .argument_count = 2, .source = 0}}, .words = {}};
  for (word i = 0; i < 1000; ++i) {
    message.words = {i, ~i};
    if (line.send(line.sender, &message, sizeof message, 1) == 0) continue;
    job.send(0, 1, message.head.header, message.words.data(), nullptr);
  }
  job.pump_until([&] { return job.boxes[1].messages.size() == 1000; });
  for (word i = 0; i < 1000; ++i) {
    const auto& received = job.boxes[1].messages[i];
    ASSERT_EQ(received.header.handler, 9);
    ASSERT_EQ(received.arguments, (std::vector<word>{i, ~i}));
  }
}

TEST_P(Conformance, EndsAWaitWhenWoken) {
  connected_ranks job(GetParam().open(2));
  std::atomic<bool> stop{false};
  std::jthread waiter([&] {
    while (!stop) job.ranks[0]->wait(5 * 60'000);
  });
  stop = true;
  job.ranks[0]->wake();
  waiter.join();
}

TEST_P(Conformance, ClosesWithMessagesUnderWay) {
  connected_ranks job(GetParam().open(2));
  const numbered_message each(0, 4, job.offers().max_payload);
  for (int i = 0; i < 20; ++i) {
    job.send(0, 1, each.header, each.arguments.data(), each.payload.data());
  }
  job.ranks[0].reset();
  job.ranks[1].reset();
}

conduit_maker loopback_maker(std::string name, loopback_limits limits, loopback_faults faults) {
  const auto open = [](const loopback_limits& within, const loopback_faults& with, rank_t size) {
    auto wire = std::make_shared<loopback_wire>(within);
    wire->set(with);
    std::vector<std::unique_ptr<conduit>> ranks;
    for (rank_t rank = 0; rank < size; ++rank) {
      ranks.push_back(
          std::make_unique<loopback>(conduit_options{.self = rank, .size = size, .session = wire}));
    }
    return ranks;
  };
  loopback_limits tiny = limits;
  tiny.transfers = 3;
  tiny.messages = 2;
  loopback_faults often = faults;
  often.refuse_every = 3;
  return {.name = std::move(name),
          .open = [=](rank_t size) { return open(limits, faults, size); },
          .open_tiny = [=](rank_t size) { return open(tiny, often, size); }};
}

constexpr loopback_faults slow_and_confused{
    .seed = 3, .refuse_share = 0.1, .most_rounds_late = 4, .any_order = true};

INSTANTIATE_TEST_SUITE_P(
    Loopback, Conformance,
    testing::Values(loopback_maker("plain", {}, {}),
                    loopback_maker("slowAndConfused", {}, slow_and_confused),
                    loopback_maker("orderly", {.ordered_puts = true, .messages_follow_puts = true},
                                   {.seed = 5, .refuse_share = 0.1, .most_rounds_late = 4}),
                    loopback_maker("smallTransfers",
                                   {.max_payload = 100, .max_inject = 16, .max_transfer = 1024},
                                   slow_and_confused),
                    loopback_maker("flushing", {.completes_by_flush = true}, slow_and_confused),
                    loopback_maker("bringingMemory", {.brings_memory = true}, slow_and_confused)),
    name_of_maker);

}  // namespace
}  // namespace acre::fabric
