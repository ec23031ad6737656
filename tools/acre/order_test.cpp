// SPDX-License-Identifier: BSD-3-Clause
#include "order.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace {

using acre::tool::bad_order;
using acre::tool::read_order;
using acre::tool::slot_t;

class Order : public testing::Test {
 protected:
  Order()
      : file(std::filesystem::temp_directory_path() /
             ("acre-order-" + std::to_string(::getpid()))) {}
  ~Order() override { std::filesystem::remove(file); }

  std::vector<slot_t> read(const std::string& text, std::size_t ranks = 0) {
    std::ofstream(file) << text;
    return read_order(file, ranks);
  }

  std::string problem_of(const std::string& text, std::size_t ranks = 0) {
    try {
      (void)read(text, ranks);
    } catch (const bad_order& reason) {
      return reason.problem.substr(file.string().size());
    }
    return "none";
  }

  std::filesystem::path file;
};

const std::vector<slot_t> expected = {2, 0, 1};

TEST_F(Order, IsASlotInEachLine) { EXPECT_EQ(read("2\n0\n1\n"), expected); }

TEST_F(Order, MayHaveCommentsBlanksAndNoLastNewline) {
  EXPECT_EQ(read("# slots\n\n  2 # of rank 0\r\n\t0\n1"), expected);
}

TEST_F(Order, MayBeAnArrayOfJson) { EXPECT_EQ(read(" [2, 0, 1]"), expected); }

TEST_F(Order, MayBeAMemberOfAnObjectOfJson) {
  EXPECT_EQ(read(R"({"made by": "hand", "slot_of_rank": [2, 0, 1]})"), expected);
}

TEST_F(Order, MayBeginWithAByteOrderMark) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "2\n0\n1\n"),
            expected);
  EXPECT_EQ(read("\xEF\xBB\xBF[2, 0, 1]"), expected);
}

TEST_F(Order, NamesTheLineOfASlotThatIsTakenAlready) {
  EXPECT_EQ(problem_of("1\n\n0\n1\n"),
            ":4: slot 1 is a duplicate of the one at " + file.string() + ":1");
}

TEST_F(Order, NamesTheLineOfASlotThatDoesNotExist) {
  EXPECT_EQ(problem_of("0\n3\n1\n"), ":2: slot 3 is out of range for a job of 3 ranks");
  EXPECT_EQ(problem_of("0\n-1\n"), ":2: slot -1 is out of range for a job of 2 ranks");
}

TEST_F(Order, NamesTheLineThatIsNoNumber) {
  EXPECT_EQ(problem_of("0\n1 2\n"), ":2: \"1 2\" is not a number");
}

TEST_F(Order, NamesTheEntryOfJsonThatIsNoNumber) {
  EXPECT_EQ(problem_of("[0, 1.5]"), ": entry 1: 1.5 is not a whole number");
}

TEST_F(Order, NamesTheEntryOfJsonThatIsTooLarge) {
  EXPECT_EQ(problem_of("[0, 18446744073709551615]"),
            ": entry 1: 18446744073709551615 is too large for a slot");
}

TEST_F(Order, IsNoObjectOfJson) {
  EXPECT_EQ(problem_of(R"({"slot_of_rank": {"a": 1, "b": 0}})"), ": the array of slots is missing");
  EXPECT_EQ(problem_of(R"({"slot_of_rank": 0})"), ": the array of slots is missing");
}

TEST_F(Order, MustHaveASlotForEachRank) {
  EXPECT_EQ(problem_of("1\n0\n", 3), ": the order has 2 slots, but the job has 3 ranks");
}

TEST_F(Order, MustNotBeEmpty) {
  EXPECT_EQ(problem_of("# nothing\n"), ": the file contains no slot");
  EXPECT_EQ(problem_of("{}"), ": the array of slots is missing");
  EXPECT_EQ(problem_of("[1,"), ": the JSON is invalid");
}

}  // namespace
