// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/seals.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <optional>
#include <random>
#include <thread>
#include <vector>

namespace {

using acre::fabric::message_head;
using acre::fabric::message_header;
using acre::fabric::message_seals;
using acre::fabric::rank_t;
using acre::fabric::seal_kind;
using acre::fabric::sealed_stream;
using verdict = acre::fabric::message_seals::verdict;

constexpr acre::secret_key secret{1, 2};

message_header header_from(rank_t source) {
  return {.payload_bytes = 8, .handler = 3, .argument_count = 1, .source = source, .tag = 7};
}

class Seals : public testing::TestWithParam<seal_kind> {
 protected:
  void SetUp() override {
    if (GetParam() == seal_kind::aes && !acre::base::processor_has_aes()) {
      GTEST_SKIP() << "this processor has no AES instructions";
    }
  }

  static message_seals seals_of(rank_t self, const acre::secret_key& key = secret) {
    return {GetParam(), key, self, 4};
  }
  static std::uint64_t next(message_seals& sender, rank_t target, const message_header& header,
                            bool sent = false) {
    message_head head{.header = header};
    EXPECT_EQ(sender.seal_and_send(target, &head, [&] { return sent ? 0 : -1; }), sent ? 0 : -1);
    return head.seal;
  }
  static std::uint64_t send(message_seals& sender, rank_t target, const message_header& header) {
    return next(sender, target, header, true);
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, Seals, testing::Values(seal_kind::siphash, seal_kind::aes),
                         [](const auto& kind) {
                           return kind.param == seal_kind::aes ? "Aes" : "Siphash";
                         });

TEST_P(Seals, LetMessagesOfTheJobInInTheirOrder) {
  message_seals sender = seals_of(1);
  message_seals receiver = seals_of(2);
  const message_header header = header_from(1);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t seal = send(sender, 2, header);
    EXPECT_EQ(receiver.judge(seal, header), verdict::genuine);
    EXPECT_EQ(receiver.judge(seal, header), verdict::foreign) << "sent again";
  }
}

TEST_P(Seals, OfAMessageThatWasNotSentAreUsedAgain) {
  message_seals sender = seals_of(1);
  message_seals receiver = seals_of(2);
  const message_header header = header_from(1);
  const std::uint64_t seal = next(sender, 2, header);
  EXPECT_EQ(send(sender, 2, header), seal);
  EXPECT_NE(next(sender, 2, header), seal);
  EXPECT_EQ(receiver.judge(seal, header), verdict::genuine);
}

TEST_P(Seals, KeepOutWhatWasMeantForOthersOrOfAnotherJob) {
  message_seals sender = seals_of(1);
  message_seals third = seals_of(3);
  message_seals receiver = seals_of(2);
  const message_header header = header_from(1);
  EXPECT_EQ(receiver.judge(next(sender, 3, header), header), verdict::foreign);
  EXPECT_EQ(receiver.judge(next(third, 2, header_from(3)), header), verdict::foreign);
  message_seals intruder = seals_of(1, {1, 3});
  EXPECT_EQ(receiver.judge(next(intruder, 2, header), header), verdict::foreign);
  EXPECT_EQ(receiver.judge(0, header), verdict::foreign);
  EXPECT_EQ(receiver.judge(next(sender, 2, header), header_from(4)), verdict::foreign)
      << "rank 4 does not exist";
  EXPECT_EQ(receiver.judge(next(sender, 2, header), header), verdict::genuine)
      << "the refused message has changed the state";
}

TEST_P(Seals, CoverEachBitOfTheHeader) {
  message_seals sender = seals_of(1);
  message_seals receiver = seals_of(0);
  const message_header header = header_from(1);
  const std::uint64_t seal = send(sender, 0, header);
  for (std::size_t bit = 0; bit < 8 * sizeof header; ++bit) {
    auto words = std::bit_cast<std::array<std::uint64_t, 2>>(header);
    words[bit / 64] ^= std::uint64_t{1} << bit % 64;
    EXPECT_EQ(receiver.judge(seal, std::bit_cast<message_header>(words)), verdict::foreign);
  }
  for (std::size_t bit = 0; bit < 64; ++bit) {
    EXPECT_EQ(receiver.judge(seal ^ std::uint64_t{1} << bit, header), verdict::foreign);
  }
  EXPECT_EQ(receiver.judge(seal, header), verdict::genuine);
}

TEST_P(Seals, TellWhatWasLostFromWhatIsForeign) {
  message_seals sender = seals_of(1);
  message_seals receiver = seals_of(0);
  const message_header header = header_from(1);
  send(sender, 0, header);
  for (int i = 0; i < 40'000; ++i) {
    ASSERT_EQ(receiver.judge(send(sender, 0, header), header), verdict::too_early);
  }
}

TEST_P(Seals, OfOneHeaderDiffer) {
  message_seals sender = seals_of(1);
  std::vector<std::uint64_t> upper;
  for (int i = 0; i < 10'000; ++i) upper.push_back(send(sender, 0, header_from(1)) >> 16);
  std::ranges::sort(upper);
  EXPECT_EQ(std::ranges::adjacent_find(upper), upper.end());
}

TEST_P(Seals, AreNotGuessed) {
  message_seals receiver = seals_of(0);
  std::mt19937_64 chance(26);
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_EQ(receiver.judge(chance(), header_from(1)), verdict::foreign);
  }
}

/// The epoch, the upper half of a number, changes every 2^32 messages.
TEST_P(Seals, ContinueInTheNextEpoch) {
  constexpr std::uint64_t before = (std::uint64_t{1} << 32) - 3;
  message_seals sender = seals_of(1);
  message_seals receiver = seals_of(0);
  const message_header header = header_from(1);
  EXPECT_EQ(receiver.judge(send(sender, 0, header), header), verdict::genuine);
  sender.skip_to(before, 0);
  receiver.skip_to(before, 1);
  std::vector<std::uint64_t> seals;
  for (int i = 0; i < 6; ++i) seals.push_back(send(sender, 0, header));
  EXPECT_EQ(receiver.judge(seals[5], header), verdict::too_early);
  for (const std::uint64_t seal : seals) {
    EXPECT_EQ(receiver.judge(seal, header), verdict::genuine);
  }
  EXPECT_EQ(receiver.judge(seals[5], header), verdict::foreign);
}

TEST_P(Seals, AreInTheOrderOfMessagesOfSeveralThreads) {
  constexpr int threads = 8;
  constexpr int each = 5'000;
  message_seals sender = seals_of(1);
  message_seals receiver = seals_of(0);
  std::vector<std::uint64_t> network;  // one thread at a time, as the stream is claimed
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&] {
      for (int j = 0; j < each; ++j) {
        message_head head{.header = header_from(1)};
        sender.seal_and_send(0, &head, [&] {
          network.push_back(head.seal);
          return 0;
        });
      }
    });
  }
  for (auto& thread : running) thread.join();
  ASSERT_EQ(network.size(), threads * each);
  for (const std::uint64_t seal : network) {
    ASSERT_EQ(receiver.judge(seal, header_from(1)), verdict::genuine);
  }
}

TEST(Unsealed, MessagesAreJudgedBySourceAlone) {
  message_seals receiver(seal_kind::unsealed, secret, 0, 4);
  EXPECT_EQ(receiver.judge(0, header_from(3)), verdict::genuine);
  EXPECT_EQ(receiver.judge(0, header_from(4)), verdict::foreign);
}

}  // namespace
