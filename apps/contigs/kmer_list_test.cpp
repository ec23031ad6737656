// SPDX-License-Identifier: BSD-3-Clause
#include <apps/contigs/kmer_list.hpp>

#include <acre/base/error.hpp>
#include <acre/base/temporary_folder_test.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace acre::contigs {
namespace {

class KmerList : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    return folder_.write(name, text);
  }

  static std::multiset<std::string> read(const std::vector<std::string>& paths, unsigned k,
                                         std::uint32_t ranks) {
    std::multiset<std::string> found;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      read_lists(paths, k, rank, ranks, [&](std::string_view letters, char left, char right) {
        found.insert(std::string(letters) + left + right);
      });
    }
    return found;
  }

  std::string problem_of(const std::string& text, unsigned k) {
    try {
      static_cast<void>(read({write("wrong", text)}, k, 2));
    } catch (const error& wrong) {
      return wrong.problem();
    }
    return "";
  }

  base_test::temporary_folder folder_;
};

TEST_F(KmerList, IsKnownByItsFirstLine) {
  EXPECT_EQ(k_of_list(write("a", "ACGT\tAF\n")), 4U);
  EXPECT_EQ(k_of_list(write("b", "ACGTA\tXX")), 5U);
  EXPECT_EQ(k_of_list(write("c", "ACG\tXT\r\nACC\tXT\r\n")), 3U);
  for (const char* other : {"", ">ACGT\tAF\n", "@r\nACGT\n+\nIIII\n", "ACGT\tA\n", "ACGT AF\n",
                            "ACNT\tAF\n", "ACGT\tAN\n", "\tAF\n"}) {
    EXPECT_FALSE(k_of_list(write("d", other)).has_value()) << other;
  }
  EXPECT_THROW(static_cast<void>(k_of_list(folder_.path("missing"))), error);
}

TEST_F(KmerList, GivesEachLineToOneRank) {
  std::string text;
  std::multiset<std::string> expected;
  for (unsigned i = 0; i < 300; ++i) {
    std::string word;
    for (unsigned at = 0, bits = i * 2'654'435'761U; at < 7; ++at, bits >>= 2) {
      word += "ACGT"[bits & 3];
    }
    const std::string ends{"ACGTFX"[i % 6], "ACGTFX"[i / 6 % 6]};
    text += word + "\t" + ends + (i % 10 == 0 ? "\r\n" : "\n");
    if (ends.find_first_of("FX") == std::string::npos) expected.insert(word + ends);
  }
  const std::string plain = write("plain", text);
  const std::string open = write("open", text.substr(0, text.size() - 1));
  const std::string packed = write("packed", text);
  ASSERT_EQ(std::system(("gzip " + packed).c_str()), 0);
  for (std::uint32_t ranks = 1; ranks < 40; ++ranks) {
    EXPECT_EQ(read({plain}, 7, ranks), expected) << ranks;
    EXPECT_EQ(read({open}, 7, ranks), expected) << ranks;
  }
  auto thrice = expected;
  for (unsigned i = 0; i < 2; ++i) thrice.insert(expected.begin(), expected.end());
  EXPECT_EQ(read({plain, packed + ".gz", open}, 7, 3), thrice);
}

TEST_F(KmerList, SaysWhichLineIsWrong) {
  EXPECT_NE(problem_of("ACGT\tAA\nACG\n", 4).find("wrong:2:"), std::string::npos);
  EXPECT_NE(problem_of("ACGT\tAA\nACCT\tAC\nACGTT\tAA\n", 4).find("wrong:3:"), std::string::npos);
  EXPECT_EQ(problem_of("ACGT\tAA\n\n", 4), "");
}

}  // namespace
}  // namespace acre::contigs
