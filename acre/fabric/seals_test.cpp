// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/seals.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace {

using acre::fabric::message_header;
using acre::fabric::message_seal;
using acre::fabric::message_seals;
using verdict = acre::fabric::message_seals::verdict;

constexpr acre::secret_key secret{1, 2};

message_header header_from(acre::fabric::rank_t source) {
  return {.payload_bytes = 8, .handler = 3, .argument_count = 1, .source = source, .tag = 7};
}

TEST(Seals, LetMessagesOfTheJobInInTheirOrder) {
  message_seals sender(secret, 3);
  message_seals receiver(secret, 3);
  for (int i = 0; i < 100; ++i) {
    const message_header header = header_from(1);
    const message_seal seal = sender.next(2, header);
    sender.note_sent(2);
    EXPECT_EQ(receiver.judge(seal, header, 2), verdict::genuine);
    EXPECT_EQ(receiver.judge(seal, header, 2), verdict::foreign) << "sent again";
  }
}

TEST(Seals, KeepOutWhatWasMeantForOthersOrOfAnotherJob) {
  const message_seals sender(secret, 4);
  message_seals receiver(secret, 4);
  const message_header header = header_from(1);
  EXPECT_EQ(receiver.judge(sender.next(3, header), header, 2), verdict::foreign);
  EXPECT_EQ(receiver.judge(sender.next(2, header_from(3)), header, 2), verdict::foreign);
  const message_seals intruder({1, 3}, 4);
  EXPECT_EQ(receiver.judge(intruder.next(2, header), header, 2), verdict::foreign);
  EXPECT_EQ(receiver.judge(0, header, 2), verdict::foreign);
  EXPECT_EQ(receiver.judge(sender.next(2, header), header_from(4), 2), verdict::foreign)
      << "rank 4 does not exist";
  EXPECT_EQ(receiver.judge(sender.next(2, header), header, 2), verdict::genuine)
      << "the refused message has changed the state";
}

TEST(Seals, CoverEachBitOfTheHeader) {
  const message_seals sender(secret, 2);
  message_seals receiver(secret, 2);
  const message_header header = header_from(1);
  const message_seal seal = sender.next(0, header);
  for (std::size_t bit = 0; bit < 8 * sizeof header; ++bit) {
    auto words = std::bit_cast<std::array<std::uint64_t, 2>>(header);
    words[bit / 64] ^= std::uint64_t{1} << bit % 64;
    EXPECT_EQ(receiver.judge(seal, std::bit_cast<message_header>(words), 0), verdict::foreign);
  }
  for (std::size_t bit = 0; bit < 64; ++bit) {
    EXPECT_EQ(receiver.judge(seal ^ std::uint64_t{1} << bit, header, 0), verdict::foreign);
  }
  EXPECT_EQ(receiver.judge(seal, header, 0), verdict::genuine);
}

TEST(Seals, TellWhatWasLostFromWhatIsForeign) {
  message_seals sender(secret, 2);
  message_seals receiver(secret, 2);
  const message_header header = header_from(1);
  for (int i = 0; i < 40'000; ++i) {
    sender.note_sent(0);
    ASSERT_EQ(receiver.judge(sender.next(0, header), header, 0), verdict::too_early);
  }
}

TEST(Seals, AreNotGuessed) {
  message_seals receiver(secret, 2);
  std::mt19937_64 chance(26);
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_EQ(receiver.judge(chance(), header_from(1), 0), verdict::foreign);
  }
}

}  // namespace
