// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/base/site.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/owner/many_at_owners.hpp>
#include <acre/global/wire/owned_hash.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using acre::base_test::failure_of;
using namespace acre::at_owner;
using acre::reader;
using acre::fabric::word;
using acre::global::locate;

acre::rank_t next_rank() { return (acre::rank() + 1) % acre::size(); }
constexpr acre::site here = acre::site::current();

std::vector<std::byte> pattern(std::size_t bytes, unsigned seed) {
  std::vector<std::byte> made(bytes);
  for (std::size_t i = 0; i < bytes; ++i) made[i] = static_cast<std::byte>((i * 7 + seed) % 251);
  return made;
}
word sum_of(std::span<const std::byte> bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), word{0}, [](word sum, std::byte each) {
    return sum + std::to_integer<word>(each);
  });
}
std::size_t private_room() { return acre::runtime::segment_free().private_part; }

struct echo {
  static constexpr run_by runner = run_by::anyone;
  static void serve(const asked& request, answer& reply) {
    const auto bytes = reply.room(request.words[1]);
    const auto made = pattern(bytes.size(), acre::rank());
    std::ranges::copy(made, bytes.begin());
    reply.code = sum_of(request.payload) + request.words[0];
  }
};
struct echo_of_owner : echo {
  static constexpr run_by runner = run_by::owner;
};

TEST(AtOwnerSmoke, AnswersWithAWordAndBytes) {
  for (std::size_t sent : {0U, 5U, 300U, 3000U}) {
    for (std::size_t back : {0U, 5U, 300U, 3000U}) {
      const auto payload = pattern(sent, 1);
      const word words[] = {7, back};
      const answered got = ask<echo>(next_rank(), words, payload, "echo");
      EXPECT_EQ(got.code, sum_of(payload) + 7);
      EXPECT_EQ(got.bytes, pattern(back, next_rank()));
    }
  }
  acre::barrier();
}

TEST(AtOwnerSmoke, StagesWhatNoMessageCarries) {
  acre::barrier();
  const std::size_t room = private_room();
  constexpr std::size_t few = 10;
  constexpr std::size_t stage = 200'000;
  constexpr std::size_t stages = 3'000'000;
  for (const auto& [sent, back] : {std::pair(few, stage), std::pair(stage, few),
                                   std::pair(stage, stages), std::pair(stages, stage)}) {
    const auto payload = pattern(sent, 1);
    const word words[] = {7, back};
    const answered got = ask<echo>(next_rank(), words, payload, "echo");
    EXPECT_EQ(got.code, sum_of(payload) + 7);
    EXPECT_EQ(got.bytes, pattern(back, next_rank()));
    const answered served = ask<echo_of_owner>(next_rank(), words, payload, "echo");
    EXPECT_EQ(served.code, got.code);
    EXPECT_EQ(served.bytes, got.bytes);
  }
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  acre::barrier();
  while (private_room() < room && std::chrono::steady_clock::now() < give_up) acre::progress();
  EXPECT_GE(private_room(), room) << "a stage was not freed";
  acre::barrier();
}

TEST(AtOwner, CostsAMessageEachWay) {
  acre::barrier();
  const word words[] = {7, 10};
  const auto before = acre::counters();
  static_cast<void>(ask<echo>(next_rank(), words, {}, "echo"));
  const auto after = acre::counters() - before;
  EXPECT_LE(after.messages, 2U);
  EXPECT_EQ(after.reads + after.writes, 0U);
  acre::barrier();
}

TEST(AtOwner, AnswersAsFutures) {
  std::vector<acre::future<std::size_t>> all;
  for (std::size_t sent : {10U, 100'000U}) {
    for (std::size_t back : {10U, 100'000U}) {
      const auto payload = pattern(sent, 1);
      const word words[] = {7, back};
      const word sum = sum_of(payload) + 7;
      all.push_back(
          ask_async<echo>(next_rank(), words, payload, "echo", [sum](const answered& got) {
            EXPECT_EQ(got.code, sum);
            EXPECT_EQ(got.bytes, pattern(got.bytes.size(), next_rank()));
            return got.bytes.size();
          }));
    }
  }
  std::vector<std::size_t> sizes;
  for (auto& each : all) sizes.push_back(each.get());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{10, 100'000, 10, 100'000}));
  acre::barrier();
}

struct joining {
  static constexpr run_by runner = run_by::anyone;
  using operands = std::tuple<std::string, std::vector<int>>;
  static void serve(const asked& request, answer& reply) {
    reader from(request.payload);
    const auto [text, numbers] = read_all(from, std::type_identity<operands>{});
    std::string joined = text;
    for (const int each : numbers) joined += std::to_string(each);
    reply.write(joined);
  }
};

TEST(AtOwner, TakesOperandsThatSerialise) {
  const std::string text = "numbers: ";
  const std::vector<int> numbers{1, 2, 3};
  const answered got = ask_with<joining>(next_rank(), {}, "joining", here, text, numbers);
  EXPECT_EQ(acre::deserialize<std::string>(got.bytes), "numbers: 123");
  auto later = ask_with_async<joining>(
      next_rank(), {}, "joining",
      [](const answered& found) { return acre::deserialize<std::string>(found.bytes); },
      std::string(100'000, 'x'), numbers);
  std::string expected(100'000, 'x');
  expected.append("123");
  EXPECT_EQ(later.get(), expected);
  acre::barrier();
}

struct failing {
  static constexpr run_by runner = run_by::anyone;
  static void serve(const asked&, answer&) { throw std::runtime_error("a missing thing"); }
};
struct failing_owner : failing {
  static constexpr run_by runner = run_by::owner;
};

TEST(AtOwner, ErrorsNameTheOwner) {
  const std::string expected =
      "it failed on rank " + std::to_string(next_rank()) + ": a missing thing";
  for (std::size_t bytes : {0U, 100'000U}) {
    const auto payload = pattern(bytes, 0);
    const auto direct =
        failure_of([&] { static_cast<void>(ask<failing>(next_rank(), {}, payload, "failing")); });
    EXPECT_NE(direct.find(expected), std::string::npos) << direct;
    const auto owners = failure_of(
        [&] { static_cast<void>(ask<failing_owner>(next_rank(), {}, payload, "failing")); });
    EXPECT_NE(owners.find(expected), std::string::npos) << owners;
    const auto later = failure_of([&] {
      ask_async<failing>(next_rank(), {}, payload, "failing", [](const answered&) {}).get();
    });
    EXPECT_NE(later.find(expected), std::string::npos) << later;
  }
  acre::barrier();
}

std::vector<int> treasure;

struct taking {
  static constexpr run_by runner = run_by::anyone;
  static void serve(const asked& request, answer& reply) {
    static_cast<void>(reply.room(request.words[0]));
    reply.code = treasure.size();
    treasure.clear();
    reply.keep_first(0);
  }
};

TEST(AtOwner, AFullHeapIsAnErrorAndLosesNothing) {
  treasure = {1, 2, 3};
  acre::barrier();
  const word too_much = word{1} << 43;
  const std::string answer_text = failure_of(
      [&] { static_cast<void>(ask<taking>(next_rank(), std::span(&too_much, 1), {}, "taking")); });
  EXPECT_NE(answer_text.find("rank " + std::to_string(next_rank())), std::string::npos)
      << answer_text;
  acre::barrier();
  EXPECT_EQ(treasure.size(), 3U);
  acre::barrier();
  const word enough = 100'000;
  EXPECT_EQ(ask<taking>(next_rank(), std::span(&enough, 1), {}, "taking").code, 3U);
  acre::barrier();
}

TEST(AtOwner, AnyoneServesWhileTheOwnerComputes) {
  if (acre::size() < 2) GTEST_SKIP() << "needs two ranks";
  acre::barrier();
  const bool has_helper = acre::runtime::world.bases[next_rank()] == 0;
  if (acre::rank() != 0 && has_helper) {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
  } else if (acre::rank() == 0 && has_helper) {
    const auto begin = std::chrono::steady_clock::now();
    const auto payload = pattern(100'000, 1);
    const word words[] = {0, 100'000};
    EXPECT_EQ(ask<echo>(1, words, payload, "echo").bytes.size(), 100'000U);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(350));
  }
  acre::barrier();
}

struct held {
  std::shared_ptr<int> count;
};

TEST(AtOwner, AConversionIsKeptUntilContinuationsHaveRun) {
  auto count = std::make_shared<int>(0);
  const word words[] = {0, 0};
  auto first = ask_async<echo_of_owner>(next_rank(), words, {}, "echo",
                                        [kept = held{count}](const answered&) { return 1; });
  long seen = 0;
  const bool was_ready = first.is_ready();
  auto second = std::move(first).then([&](int) { seen = count.use_count(); });
  second.get();
  if (!was_ready) {
    EXPECT_EQ(seen, 2);
  }
  EXPECT_EQ(count.use_count(), 1);
  acre::barrier();
}

struct texts {
  static constexpr run_by runner = run_by::anyone;
  static constexpr std::size_t answer_bytes = answers_differ;
  explicit texts(std::span<const word> words) : letter_(static_cast<char>(words[0])) {}
  void prefetch(reader) { ++prefetched; }
  std::uint8_t serve(reader item, item_answer& reply) {
    const auto length = item.read<std::uint64_t>();
    if (length % 5 == 4) return 4;
    reply.write(std::string(length, letter_));
    return 3;
  }
  static inline std::atomic<int> prefetched{0};

 private:
  char letter_;
};

TEST(ManyAtOwners, AnswersThatDifferInLength) {
  const auto letter = [](acre::rank_t member) { return std::array{word{'a'} + member % 26}; };
  many<texts, decltype(letter)> all(acre::world(), letter, "texts", here);
  std::vector<std::uint64_t> lengths(500);
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = i % 100 == 50 ? 50'000 + i : i;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    all.add(static_cast<acre::rank_t>(i % acre::size()), i, lengths[i]);
  }
  std::vector<int> answers(lengths.size(), 0);
  all.finish([&](const answered_item& answer) {
    const std::uint64_t i = answer.number;
    ++answers[i];
    ASSERT_EQ(reader(answer.item).read<std::uint64_t>(), lengths[i]);
    ASSERT_EQ(answer.code, lengths[i] % 5 == 4 ? 4 : 3);
    ASSERT_EQ(answer.value == nullptr, answer.code == 4);
    if (answer.value == nullptr) return;
    const std::string expected(lengths[i], static_cast<char>('a' + i % acre::size() % 26));
    EXPECT_EQ(answer.value->read<std::string>(), expected);
  });
  EXPECT_EQ(std::ranges::count(answers, 1), 500);
  acre::barrier();
  EXPECT_GT(texts::prefetched, 0);
  acre::barrier();
}

struct sums {
  static constexpr run_by runner = run_by::owner;
  static constexpr std::size_t answer_bytes = sizeof(word);
  explicit sums(std::span<const word>) {}
  std::uint8_t serve(reader item, item_answer& reply) {
    const auto text = item.read<std::string>();
    if (text == "fail") throw std::runtime_error("a missing item");
    ++served;
    reply.write(word{text.size()});
    return 1;
  }
  static inline std::uint64_t served = 0;
};

TEST(ManyAtOwners, ItemsThatDifferInLengthAndAreStaged) {
  sums::served = 0;
  acre::barrier();
  const auto none = [](acre::rank_t) { return std::array<word, 0>{}; };
  many<sums, decltype(none)> all(acre::world(), none, "sums", here);
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < 700; ++i) lengths.push_back(i % 70 == 7 ? 60'000 : i % 300);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    all.add(next_rank(), i, std::string(lengths[i], 'x'));
  }
  std::size_t answers = 0;
  all.finish([&](const answered_item& answer) {
    ++answers;
    EXPECT_EQ(answer.code, 1);
    EXPECT_EQ(answer.value->read<word>(), lengths[answer.number]);
  });
  EXPECT_EQ(answers, lengths.size());
  acre::barrier();
  EXPECT_EQ(sums::served, lengths.size());
  acre::barrier();
}

TEST(ManyAtOwners, AFailureIsThrownAndTheRestGoesOn) {
  const auto none = [](acre::rank_t) { return std::array<word, 0>{}; };
  {
    many<sums, decltype(none)> all(acre::world(), none, "sums", here);
    all.add(next_rank(), 0, std::string("fail"));
    for (std::size_t i = 1; i < 2000; ++i) all.add(next_rank(), i, std::string(i % 300, 'x'));
    const std::string text = failure_of([&] { all.finish([](const answered_item&) {}); });
    EXPECT_NE(text.find("a missing item"), std::string::npos) << text;
  }
  acre::barrier();
}

TEST(OwnedHash, SpreadsOverTheParts) {
  for (std::uint64_t parts : {1U, 3U, 7U}) {
    std::vector<int> items(parts, 0);
    for (std::uint64_t i = 0; i < 7000; ++i) ++items[locate(i * acre::golden_gamma, parts).owner];
    for (const int each : items) EXPECT_NEAR(each, 7000.0 / static_cast<double>(parts), 100);
  }
}

}  // namespace
