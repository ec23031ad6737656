// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/agreement.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using acre::runtime::bootstrap;
using namespace acre::launch;

class played final : public bootstrap {
 public:
  explicit played(std::vector<std::vector<std::byte>> told) : told_(std::move(told)) {}
  acre::fabric::rank_t rank() const override { return 0; }
  acre::fabric::rank_t size() const override {
    return static_cast<acre::fabric::rank_t>(told_.size());
  }
  std::string job_name() const override { return "played"; }
  std::vector<std::vector<std::byte>> exchange(std::span<const std::byte> mine) override {
    ++exchanges;
    last.assign(mine.begin(), mine.end());
    return told_;
  }
  void barrier() override { ++barriers; }
  std::int64_t program_number() override { return program; }
  void finish() override {}
  [[noreturn]] void abort(int /*status*/, std::string_view /*why*/) override { std::abort(); }

  std::int64_t program = 0;
  int exchanges = 0;
  int barriers = 0;
  std::vector<std::byte> last;

 private:
  std::vector<std::vector<std::byte>> told_;
};

std::vector<fact> with_provider(const std::string& name) {
  return {{.name = "ACRE_CONDUIT", .value = "ofi", .shown = {}},
          {.name = "the provider", .value = name, .shown = {}, .advice = "take another"}};
}

std::vector<std::byte> told_by(const std::vector<fact>& facts, std::int64_t program = 0) {
  played alone({});
  alone.program = program;
  EXPECT_ANY_THROW(require_agreement(alone, facts, std::vector<std::uint64_t>{1, 2}));
  return alone.last;
}

TEST(Agreement, CostsNoExchangeWhereAllIsAlike) {
  const auto facts = with_provider("tcp");
  played launcher({});
  require_agreement(launcher, facts, std::vector(5, digest(facts)));
  require_agreement(launcher, facts, std::vector<std::uint64_t>{digest(facts)});
  EXPECT_EQ(launcher.exchanges, 0);
}

TEST(Agreement, NamesTheFirstRankThatDiffersAndBothValues) {
  const auto tcp = with_provider("tcp");
  const auto sockets = with_provider("sockets");
  EXPECT_NE(digest(tcp), digest(sockets));
  played launcher({told_by(tcp), told_by(tcp), told_by(sockets), told_by(sockets)});
  try {
    require_agreement(launcher, sockets,
                      std::vector{digest(tcp), digest(tcp), digest(sockets), digest(sockets)});
    FAIL();
  } catch (const acre::error& problem) {
    EXPECT_NE(problem.problem().find("the provider is tcp on rank 0"), std::string::npos)
        << problem.what();
    EXPECT_NE(problem.problem().find("but sockets on rank 2"), std::string::npos) << problem.what();
    EXPECT_EQ(problem.advice(), "take another");
  }
  EXPECT_EQ(launcher.exchanges, 1);
  EXPECT_EQ(launcher.barriers, 1);
}

std::vector<fact> built_as(const std::string& build, bool may_differ, const char* conduit = "ofi") {
  return {{.name = "ACRE_CONDUIT", .value = conduit, .shown = {}},
          {.name = "the program",
           .value = build,
           .shown = {},
           .advice = "name it",
           .is_of_program = may_differ}};
}

TEST(Agreement, IsNotNeededOnTheBuildsOfProgramsThatOneCommandNames) {
  const auto a = built_as("a", true);
  const auto b = built_as("b", true);
  const std::vector<std::uint64_t> digests{digest(a), digest(a), digest(b), digest(b)};
  played launcher({told_by(a, 0), told_by(a, 0), told_by(b, 1), told_by(b, 1)});
  require_agreement(launcher, a, digests);
  EXPECT_EQ(launcher.exchanges, 1);
}

TEST(Agreement, IsNeededOnTheBuildOfEachProgramAndOnAllElse) {
  struct expectation {
    std::vector<fact> last;
    std::int64_t program;
    const char* problem;
  };
  const auto a = built_as("a", true);
  const auto b = built_as("b", true);
  for (const auto& each : {
           expectation{built_as("c", true), 1, "the program is b on rank 1"},
           expectation{built_as("b", true, "smp"), 1, "ACRE_CONDUIT is ofi on rank 0"},
           expectation{b, 0, "the program is a on rank 0"},
       }) {
    played launcher({told_by(a, 0), told_by(b, 1), told_by(each.last, each.program)});
    try {
      require_agreement(launcher, a, std::vector{digest(a), digest(b), digest(each.last)});
      ADD_FAILURE() << each.problem;
    } catch (const acre::error& problem) {
      EXPECT_TRUE(problem.problem().starts_with(each.problem)) << problem.what();
    }
  }
  const auto same = built_as("a", false);
  const auto other = built_as("b", false);
  played launcher({told_by(same, 0), told_by(other, 1)});
  EXPECT_THROW(require_agreement(launcher, same, std::vector{digest(same), digest(other)}),
               acre::error);
}

TEST(Agreement, OfListsOfOtherLengthsIsRefusedAsWell) {
  auto longer = with_provider("tcp");
  const auto shorter = longer;
  longer.push_back({.name = "a new one", .value = "x", .shown = {}});
  EXPECT_NE(digest(longer), digest(shorter));
  for (const bool is_first : {true, false}) {
    const auto& of_0 = is_first ? longer : shorter;
    const auto& of_1 = is_first ? shorter : longer;
    played launcher({told_by(of_0), told_by(of_1)});
    EXPECT_THROW(require_agreement(launcher, shorter, std::vector{digest(of_0), digest(of_1)}),
                 acre::error);
  }
}

}  // namespace
