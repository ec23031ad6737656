// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/handshake.hpp>

#include <acre/base/error.hpp>
#include <acre/base/version.hpp>

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <sched.h>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace acre::launch;

handshake rank_with(std::uint64_t host, cpu_mask cpus) {
  handshake made;
  made.host = host;
  made.memory_bytes = std::uint64_t{1} << 30;
  made.cpus = std::move(cpus);
  return made;
}

std::string refusal(const std::vector<std::byte>& packed) {
  try {
    static_cast<void>(unpack(packed, 3));
    return {};
  } catch (const acre::error& problem) {
    return problem.what();
  }
}

TEST(Handshake, ArrivesAsItWasSent) {
  handshake sent = rank_with(0x123456789abcdefU, {5, 0, 7});
  sent.ticket = {.process = 77, .descriptor = 4};
  sent.heap_bytes = 1U << 21;
  sent.ranks_per_node = 6;
  sent.share = {8, 9};
  sent.network = 10;
  sent.agreement = 11;
  sent.program = 12;
  sent.reservable_bytes = 13;
  const handshake come = unpack(pack(sent), 0);
  EXPECT_EQ(come.host, sent.host);
  EXPECT_EQ(come.ticket.process, 77);
  EXPECT_EQ(come.ticket.descriptor, 4);
  EXPECT_EQ(come.memory_bytes, sent.memory_bytes);
  EXPECT_EQ(come.heap_bytes, sent.heap_bytes);
  EXPECT_EQ(come.ranks_per_node, 6U);
  EXPECT_EQ(come.share, sent.share);
  EXPECT_EQ(come.network, 10U);
  EXPECT_EQ(come.agreement, 11U);
  EXPECT_EQ(come.program, 12U);
  EXPECT_EQ(come.reservable_bytes, 13U);
  EXPECT_EQ(come.cpus, sent.cpus);
}

TEST(JobSecret, IsOfAllThatRanksHaveDrawn) {
  std::vector<handshake> all{rank_with(1, {1}), rank_with(1, {1}), rank_with(2, {1})};
  for (handshake& each : all) each.share = acre::draw_secret();
  const acre::secret_key secret = job_secret(all);
  for (handshake& each : all) {
    const acre::secret_key before = each.share;
    each.share = acre::draw_secret();
    EXPECT_FALSE(job_secret(all) == secret);
    each.share = before;
  }
  EXPECT_EQ(job_secret(all), secret);
}

TEST(Handshake, OfAnotherVersionIsRefusedByItsNumber) {
  std::vector<std::byte> packed = pack(rank_with(1, {1}));
  EXPECT_EQ(refusal(packed), "");
  const std::uint32_t newer = 7 << 16 | 8 << 8 | 9;
  std::memcpy(packed.data(), &newer, sizeof newer);
  EXPECT_NE(refusal(packed).find(
                "rank 3 runs version 7.8.9 of Acre, but this rank version " ACRE_VERSION),
            std::string::npos)
      << refusal(packed);
}

TEST(Handshake, OfAnotherFormIsRefused) {
  std::vector<std::byte> packed = pack(rank_with(1, {1}));
  for (const std::size_t bytes :
       {packed.size() - 1, std::size_t{39}, std::size_t{2}, std::size_t{0}}) {
    packed.resize(bytes);
    EXPECT_NE(refusal(packed).find("an unknown version of Acre"), std::string::npos) << bytes;
  }
}

TEST(UsableCpus, AreThoseOfThisThread) {
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  std::size_t count = 0;
  for (const std::uint64_t word : usable_cpus())
    count += static_cast<unsigned>(std::popcount(word));
  EXPECT_EQ(count, static_cast<std::size_t>(CPU_COUNT(&before)));
  std::thread([&] {
    int last = CPU_SETSIZE - 1;
    while (!CPU_ISSET(last, &before)) --last;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    const cpu_mask mask = usable_cpus();
    ASSERT_EQ(mask.size(), static_cast<std::size_t>(last) / 64 + 1);
    EXPECT_EQ(mask.back(), std::uint64_t{1} << last % 64);
  }).join();
}

TEST(CpusARank, LooksAtAllRanksOfTheHostTogether) {
  const std::array bound{rank_with(1, {1}), rank_with(1, {2})};
  EXPECT_EQ(cpus_a_rank(bound, 0), 1U);
  EXPECT_EQ(cpus_a_rank(bound, 1), 1U);
  const std::array same{rank_with(1, {2}), rank_with(1, {2})};
  EXPECT_EQ(cpus_a_rank(same, 0), 0U);
  const std::array free{rank_with(1, {3}), rank_with(1, {3}), rank_with(1, {3})};
  EXPECT_EQ(cpus_a_rank(free, 2), 0U);
  const std::array large{rank_with(1, {0, 0, 1}), rank_with(1, {1})};
  EXPECT_EQ(cpus_a_rank(large, 0), 1U);
  const std::array many{rank_with(1, {255}), rank_with(1, {255})};
  EXPECT_EQ(cpus_a_rank(many, 1), 4U);
}

TEST(CpusARank, LeavesOtherHostsOut) {
  const std::array two{rank_with(1, {1}), rank_with(2, {1}), rank_with(2, {1})};
  EXPECT_EQ(cpus_a_rank(two, 0), 1U);
  EXPECT_EQ(cpus_a_rank(two, 1), 0U);
}

TEST(AffordableHeap, IsTheLeastThatAnyRankCanHave) {
  constexpr std::size_t gigabyte = std::size_t{1} << 30;
  std::vector<handshake> all{rank_with(1, {1}), rank_with(1, {1}), rank_with(2, {1})};
  EXPECT_EQ(affordable_heap_bytes(all), gigabyte / 2 / 4 * 3);
  all[2].heap_bytes = gigabyte / 8;
  EXPECT_EQ(affordable_heap_bytes(all), gigabyte / 8);
  for (handshake& each : all) each.heap_bytes = 4 * gigabyte;
  EXPECT_EQ(affordable_heap_bytes(all), 4 * gigabyte);
}

TEST(AffordableHeap, OfManyRanksIsMoreThanTheirShareWhereItIsOnlyReserved) {
  std::vector<handshake> all(2048, rank_with(1, {1}));
  for (handshake& each : all) each.memory_bytes = std::uint64_t{24} << 30;
  EXPECT_EQ(affordable_heap_bytes(all), std::size_t{9} << 20);
  for (handshake& each : all) each.reservable_bytes = ~std::uint64_t{0};
  EXPECT_EQ(affordable_heap_bytes(all), least_heap_bytes);
  for (handshake& each : all) each.reservable_bytes = std::uint64_t{64} << 30;
  EXPECT_EQ(affordable_heap_bytes(all), std::size_t{24} << 20);
}

TEST(SharedStaticData, IsOfOneProgram) {
  std::vector<handshake> all(2, rank_with(1, {1}));
  all[1].program = 1;
  EXPECT_TRUE(shared_static_data(all).empty());
  for (handshake& each : all) each.static_bytes = 4096;
  EXPECT_THROW(static_cast<void>(shared_static_data(all)), acre::error);
  all[1].program = 0;
  EXPECT_FALSE(shared_static_data(all).empty());
}

/// Quadratic algorithms would take minutes.
TEST(AffordableHeap, IsFoundInAMomentForManyRanks) {
  std::vector<handshake> all;
  for (std::uint64_t r = 0; r < 300'000; ++r) all.push_back(rank_with(r / 64, {}));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(affordable_heap_bytes(all), (std::size_t{1} << 30) / 64 / 4 * 3);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
