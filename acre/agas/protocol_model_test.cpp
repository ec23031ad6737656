// SPDX-License-Identifier: BSD-3-Clause
// Exhaustive tests of the protocol of movable objects. Those AtLength take minutes. The last part
// removes rules, which the search must detect.
#include "protocol_model_test.hpp"

#include "state_search_test.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <iostream>
#include <string>

namespace {

using namespace acre::agas;
using namespace acre::agas::model;

search_result searched(const settings& rules, std::size_t limit = 2'000'000) {
  const protocols model(rules);
  return state_search<protocols>(model).run(limit);
}

void expect_right(const settings& rules, std::size_t limit = 2'000'000) {
  const auto found = searched(rules, limit);
  EXPECT_EQ(found.wrong, "") << found.trace;
  EXPECT_TRUE(found.complete) << "more states than " << limit;
  testing::Test::RecordProperty("states", std::to_string(found.states));
}

TEST(Protocols, LoseNoCallWhileAnObjectMovesThreeTimes) {
  expect_right({.counted = false, .answered = {0, 1, 0}, .moves = 3});
}

TEST(Protocols, LoseNoCallWhenAMoveFails) {
  expect_right({.counted = false, .answered = {0, 1, 0}, .moves = 2, .failures = 1});
}

TEST(Protocols, AnswerWhoAsksForAMove) {
  expect_right({.counted = false, .answered = {0, 1, 0}, .requests = 1, .failures = 1});
  expect_right({.creators = {1}, .answered = {0, 1, 0}, .moves = 1, .requests = 1, .failures = 1});
}

TEST(Protocols, NeedNoComparisonsWhereMessagesComeInOrder) {
  expect_right({.counted = false,
                .answered = {0, 1, 0},
                .moves = 2,
                .failures = 1,
                .wrong = fault::passes_in_circles});
}

TEST(Protocols, KeepTheOrderOfOneCaller) {
  expect_right({.counted = false, .answered = {0, 2, 0}, .moves = 2});
}

TEST(Protocols, RunTheCallsOfAllRanks) {
  expect_right({.counted = false, .answered = {1, 1, 1}, .moves = 1});
  expect_right({.counted = false, .answered = {0, 1, 1}, .moves = 2, .counts_passes = false});
}

TEST(Protocols, PassACallOnOnceAMoveAndOnceByHome) {
  expect_right({.counted = false, .answered = {0, 1, 0}, .moves = 3, .drops_hints = false});
}

TEST(Protocols, HoldWhenMessagesComeInNoOrder) {
  expect_right({.in_order = false, .counted = false, .answered = {0, 1, 0}, .moves = 2});
  expect_right({.in_order = false, .counted = false, .answered = {0, 2, 0}, .moves = 1});
}

TEST(Protocols, LoseNoCallThatGoesRound) {
  settings rules{.in_order = false, .counted = false, .answered = {0, 1, 0}, .moves = 2};
  rules.counts_passes = false;
  rules.wrong = fault::passes_in_circles;
  expect_right(rules);
}

TEST(Protocols, KeepTheOrderAcrossStreams) {
  expect_right({.creators = {1}, .answered = {0, 2, 0}, .moves = 2, .failures = 1, .closes = 1});
}

TEST(Protocols, ConserveCreditWhileReferencesAreSentAndDropped) {
  expect_right({.creators = {1},
                .credit = 2,
                .more_credit = 1,
                .unanswered = {0, 1, 1},
                .moves = 1,
                .references = 1,
                .replenishments = 2});
  expect_right({.creators = {1}, .answered = {0, 0, 1}, .unanswered = {0, 1, 0}, .references = 2});
}

TEST(Protocols, ConserveCreditWhenMessagesComeInNoOrder) {
  expect_right({.creators = {1},
                .in_order = false,
                .credit = 2,
                .more_credit = 1,
                .unanswered = {0, 1, 1},
                .moves = 1,
                .references = 1});
  expect_right(
      {.creators = {1}, .in_order = false, .answered = {0, 1, 0}, .moves = 2, .closes = 1});
}

TEST(Protocols, GiveAnObjectReferencesToItself) {
  expect_right({.creators = {1}, .moves = 2, .own_references = 2});
  expect_right({.creators = {1}, .unanswered = {0, 1, 0}, .moves = 1, .own_references = 1});
  expect_right(
      {.creators = {1}, .in_order = false, .moves = 1, .references = 1, .own_references = 1});
}

TEST(Protocols, HoldForTwoObjectsOfOneHome) {
  expect_right(
      {.objects = 2, .creators = {1, 1}, .credit = 2, .unanswered = {0, 1, 0}, .moves = 1});
}

TEST(Protocols, HoldForTwoObjectsOfTwoHomes) {
  expect_right(
      {.objects = 2, .homes = {0, 1}, .creators = {1, 0}, .answered = {1, 1, 0}, .moves = 2});
}

TEST(ProtocolsAtLength, Hold) {
  const std::size_t limit = 20'000'000;
  expect_right({.creators = {1}, .answered = {0, 2, 0}, .moves = 1, .requests = 2, .failures = 1},
               limit);
  expect_right({.counted = false, .answered = {0, 2, 0}, .moves = 3}, limit);
  expect_right({.counted = false, .answered = {0, 1, 0}, .moves = 4, .failures = 1}, limit);
  expect_right({.counted = false, .answered = {0, 1, 1}, .moves = 2, .closes = 1}, limit);
  expect_right({.creators = {1}, .answered = {0, 2, 0}, .moves = 3, .closes = 1}, limit);
  expect_right({.creators = {1}, .unanswered = {0, 2, 0}, .moves = 2, .references = 1, .closes = 1},
               limit);
}

TEST(ProtocolsAtLength, HoldWhenMessagesComeInNoOrder) {
  const std::size_t limit = 20'000'000;
  expect_right({.in_order = false,
                .counted = false,
                .answered = {0, 2, 0},
                .moves = 2,
                .drops_hints = false,
                .counts_passes = false},
               limit);
  expect_right(
      {.in_order = false, .counted = false, .answered = {0, 1, 0}, .moves = 2, .failures = 1},
      limit);
  expect_right({.creators = {1},
                .in_order = false,
                .unanswered = {0, 1, 0},
                .moves = 2,
                .references = 1,
                .closes = 1,
                .counts_passes = false},
               limit);
}

TEST(ProtocolsAtLength, HoldForTwoObjects) {
  const std::size_t limit = 20'000'000;
  expect_right({.objects = 2,
                .homes = {0, 1},
                .creators = {1, 2},
                .answered = {0, 1, 0},
                .unanswered = {0, 0, 1},
                .moves = 1,
                .references = 1},
               limit);
  expect_right({.objects = 2, .homes = {0, 1}, .counted = false, .answered = {0, 1, 0}, .moves = 2},
               limit);
}

struct missing_rule {
  const char* name;
  settings rules;
  const char* wrong;
};

class MissingRule : public testing::TestWithParam<missing_rule> {};

TEST_P(MissingRule, IsFound) {
  const auto found = searched(GetParam().rules);
  EXPECT_EQ(found.wrong, GetParam().wrong);
  std::cout << GetParam().name << ": " << found.wrong << "\n" << found.trace;
}

INSTANTIATE_TEST_SUITE_P(
    Protocols, MissingRule,
    testing::Values(
        missing_rule{"PassesInCircles",
                     {.in_order = false,
                      .counted = false,
                      .answered = {0, 1, 0},
                      .moves = 1,
                      .wrong = fault::passes_in_circles},
                     "a call was forwarded too often"},
        missing_rule{"FollowsOlderHints",
                     {.counted = false,
                      .answered = {0, 2, 0},
                      .moves = 3,
                      .wrong = fault::follows_older_hints},
                     "a call is forwarded to an older place than its last one"},
        missing_rule{"KeepsNoNote",
                     {.counted = false, .moves = 1, .wrong = fault::keeps_no_note},
                     "the directory does not lead to the object"},
        missing_rule{"SettlesTooMuch",
                     {.counted = false, .moves = 4, .wrong = fault::settles_too_much},
                     "the directory does not lead to the object"},
        missing_rule{"HomeGoesBack",
                     {.counted = false, .moves = 2, .wrong = fault::home_goes_back},
                     "the home's epoch decreased"},
        missing_rule{"HomeForgetsTheFreed",
                     {.counted = false, .moves = 2, .wrong = fault::home_forgets_the_freed},
                     "the home restores a freed object"},
        missing_rule{
            "NumbersNothing",
            {.counted = false, .answered = {0, 2, 0}, .moves = 1, .wrong = fault::numbers_nothing},
            "a call ran before an older one of its caller"},
        missing_rule{"ForgetsWhatWaits",
                     {.counted = false,
                      .answered = {0, 1, 0},
                      .moves = 1,
                      .wrong = fault::forgets_what_waits},
                     "a call is lost"},
        missing_rule{"HurriesAStream",
                     {.counted = false,
                      .answered = {0, 2, 0},
                      .moves = 1,
                      .closes = 1,
                      .wrong = fault::hurries_a_stream},
                     "a call ran before an older one of its caller"},
        missing_rule{"ForgetsStreams",
                     {.creators = {1},
                      .answered = {0, 1, 0},
                      .unanswered = {0, 1, 0},
                      .references = 2,
                      .wrong = fault::forgets_streams},
                     "a call ran before an older one of its caller"},
        missing_rule{"KeepsWhatMoves",
                     {.counted = false, .moves = 1, .wrong = fault::keeps_what_moves},
                     "an object exists twice"},
        missing_rule{
            "LosesWhatFailed",
            {.counted = false, .moves = 1, .failures = 1, .wrong = fault::loses_what_failed},
            "an object is lost"},
        missing_rule{
            "CallsWithoutCredit",
            {.creators = {1}, .unanswered = {0, 1, 0}, .wrong = fault::calls_without_credit},
            "an object was freed before a call that keeps it alive"},
        missing_rule{"CopiesCredit",
                     {.creators = {1}, .references = 1, .wrong = fault::copies_credit},
                     "held, in-flight and queued credit differ from the issued credit"},
        missing_rule{"IssuesUncountedCredit",
                     {.creators = {1}, .credit = 1, .wrong = fault::issues_uncounted_credit},
                     "held, in-flight and queued credit differ from the issued credit"},
        missing_rule{"DropsWhatWaits",
                     {.creators = {1}, .credit = 1, .wrong = fault::drops_what_waits},
                     "credit arrives for a destroyed reference"},
        missing_rule{"DropsWhileCalled",
                     {.creators = {1}, .answered = {0, 1, 0}, .wrong = fault::drops_while_called},
                     "an object was freed before a call that keeps it alive"},
        missing_rule{"FreesOutOfTurn",
                     {.counted = false, .answered = {0, 1, 0}, .wrong = fault::frees_out_of_turn},
                     "an object was freed before an older call of the same rank"},
        missing_rule{
            "RevivesTheUnreferenced",
            {.creators = {1}, .own_references = 1, .wrong = fault::revives_the_unreferenced},
            "an object was freed although credit is outstanding"}),
    [](const auto& of) { return of.param.name; });

}  // namespace
