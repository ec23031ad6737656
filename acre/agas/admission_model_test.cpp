// SPDX-License-Identifier: BSD-3-Clause
// Exhaustive tests of the admission rules. The last part removes rules, which the search must
// detect.
#include "admission_model_test.hpp"

#include "state_search_test.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace acre::agas::waits;

acre::agas::search_result searched(const settings& rules) {
  const waits_model model(rules);
  return acre::agas::state_search<waits_model>(model).run(3'000'000);
}
void expect_to_end(const settings& rules) {
  const auto found = searched(rules);
  EXPECT_EQ(found.wrong, "") << found.trace;
  EXPECT_TRUE(found.complete);
  testing::Test::RecordProperty("states", std::to_string(found.states));
}

constexpr small x = 0;
constexpr small y = 1;
action call(small object, small function) {
  return {.what = action::call, .object = object, .function = function};
}
action send(small object, small function) {
  return {.what = action::call, .object = object, .function = function, .is_awaited = false};
}
action ask_move(small object, small to) {
  return {.what = action::move, .object = object, .is_awaited = false, .to = to};
}
action wait_move(small object, small to) {
  return {.what = action::move, .object = object, .to = to};
}
action ask_end(small object) {
  return {.what = action::destroy, .object = object, .is_awaited = false};
}
action call_outside(small object, small function) {
  return {.what = action::call, .object = object, .function = function, .is_outside = true};
}
action pin(small object) { return {.what = action::pin, .object = object}; }
action unpin(small object) { return {.what = action::unpin, .object = object}; }

const function concurrent_leaf{};
const function exclusive_leaf{.is_concurrent = false, .body = {}};

TEST(WaitsModel, EndsWhenCallsGoToAndFroWhileBothObjectsMove) {
  for (const bool is_concurrent : {true, false}) {
    const settings rules{
        .functions = {concurrent_leaf,
                      {.is_concurrent = true, .body = {call(x, 0)}},
                      {.is_concurrent = is_concurrent, .body = {call(y, 1)}}},
        .programs = {
            {0, {call(x, 2)}}, {1, {wait_move(x, 1), call(x, 0)}}, {2, {wait_move(y, 2)}}}};
    expect_to_end(rules);
  }
}

TEST(WaitsModel, EndsWhenACallAsksForItsMoveOrEndAndGoesOn) {
  for (const action& change : {ask_move(x, 2), ask_end(x)}) {
    const settings rules{
        .functions = {concurrent_leaf,
                      exclusive_leaf,
                      {.is_concurrent = true, .body = {change, call(x, 0), call(x, 1)}}},
        .programs = {{0, {call(x, 2), call(x, 1)}}, {1, {call(x, 1)}}, {2, {send(x, 0)}}}};
    expect_to_end(rules);
  }
}

TEST(WaitsModel, EndsWhenAnExclusiveCallAwaitsWhatIsBehindOthers) {
  const settings rules{
      .functions = {concurrent_leaf,
                    exclusive_leaf,
                    {.is_concurrent = false, .body = {send(x, 1), call(x, 0)}}},
      .programs = {{0, {send(x, 1), call(x, 2)}}, {1, {call(x, 1)}}, {2, {wait_move(x, 1)}}}};
  expect_to_end(rules);
}

// Two objects each await a concurrent call of the other, sent after a call of the same rank that
// waits.
TEST(WaitsModel, EndsWhenConcurrentCallsAreBehindOthersThatCross) {
  const settings rules{.functions = {concurrent_leaf,
                                     {.is_concurrent = false, .body = {call(y, 0)}},
                                     {.is_concurrent = false, .body = {call(x, 0)}}},
                       .programs = {{0, {send(x, 1), send(y, 2)}}, {1, {send(y, 2), send(x, 1)}}}};
  expect_to_end(rules);
}

TEST(WaitsModel, EndsWhenWhatIsPinnedIsCalledAndShallMove) {
  const settings rules{
      .functions = {concurrent_leaf, exclusive_leaf, {.is_concurrent = true, .body = {call(x, 1)}}},
      .programs = {{0, {pin(x), call(x, 1), call(y, 2), unpin(x)}},
                   {1, {wait_move(x, 2), send(x, 1)}},
                   {2, {ask_end(x)}}}};
  expect_to_end(rules);
}

TEST(WaitsModel, EndsWhenCallsComeByAWayThatIsUnknown) {
  const settings rules{
      .functions = {concurrent_leaf,
                    {.is_concurrent = true, .body = {call_outside(x, 0), call_outside(x, 2)}},
                    exclusive_leaf},
      .programs = {{0, {call(x, 1)}}, {1, {send(x, 1)}}, {2, {wait_move(x, 1), ask_end(x)}}}};
  expect_to_end(rules);
}

TEST(WaitsModel, EndsByFailuresWherePartsWaitForThemselves) {
  settings rules{
      .functions = {concurrent_leaf,
                    {.is_concurrent = true, .body = {wait_move(x, 2)}},
                    {.is_concurrent = true, .body = {call(y, 1)}},
                    {.is_concurrent = false, .body = {call(x, 4)}},
                    exclusive_leaf},
      .programs = {{0, {call(x, 2), call(x, 3)}}, {1, {call(x, 0)}}, {2, {wait_move(x, 1)}}}};
  rules.may_fail = true;
  expect_to_end(rules);
  rules.programs = {
      {0, {pin(x), wait_move(x, 1), unpin(x)}}, {1, {call(x, 1)}}, {2, {wait_move(x, 2)}}};
  expect_to_end(rules);
  rules.functions = {exclusive_leaf,
                     {.is_concurrent = false, .body = {call(y, 0)}},
                     {.is_concurrent = false, .body = {call(x, 0)}}};
  rules.programs = {{0, {call(x, 1)}}, {1, {call(y, 2)}}, {2, {wait_move(x, 2)}}};
  expect_to_end(rules);
}

settings waits_by_order() {
  return {.functions = {concurrent_leaf,
                        exclusive_leaf,
                        {.is_concurrent = false, .body = {send(x, 1), call(x, 0)}},
                        {.is_concurrent = false, .body = {call(y, 1)}}},
          .programs = {{0, {call(x, 3)}}, {1, {call(y, 2)}}, {2, {wait_move(x, 2)}}},
          .may_fail = true};
}

TEST(WaitsModel, EndsByAFailureWhereTheOrderOfCallsClosesACircle) {
  expect_to_end(waits_by_order());
}

constexpr const char* endless = "the end is unreachable from here";

struct missing_rule {
  const char* name;
  settings rules;
  const char* wrong = endless;
};
class MissingWaitRule : public testing::TestWithParam<missing_rule> {};

TEST_P(MissingWaitRule, IsFound) {
  const auto found = searched(GetParam().rules);
  EXPECT_EQ(found.wrong, GetParam().wrong);
  std::cout << GetParam().name << ": " << found.wrong << "\n" << found.trace;
}

INSTANTIATE_TEST_SUITE_P(
    WaitsModel, MissingWaitRule,
    testing::Values(
        missing_rule{"KnowsNoFamilies",
                     {.functions = {concurrent_leaf,
                                    exclusive_leaf,
                                    {.is_concurrent = false, .body = {send(x, 1), call(x, 0)}}},
                      .programs = {{0, {call(x, 2)}}},
                      .wrong = fault::knows_no_families},
                     "a right program has failed"},
        missing_rule{
            "OpensNoGate",
            {.functions = {concurrent_leaf, {.is_concurrent = true, .body = {call_outside(x, 0)}}},
             .programs = {{0, {call(x, 1)}}, {2, {wait_move(x, 1)}}},
             .wrong = fault::opens_no_gate}},
        missing_rule{"OpensNoGateForPins",
                     {.functions = {exclusive_leaf},
                      .programs = {{0, {pin(x), call(x, 0), unpin(x)}}, {1, {wait_move(x, 2)}}},
                      .wrong = fault::opens_no_gate}},
        missing_rule{"FindsNoCycles",
                     {.functions = {{.is_concurrent = true, .body = {wait_move(x, 2)}}},
                      .programs = {{0, {call(x, 0)}}},
                      .may_fail = true,
                      .wrong = fault::finds_no_cycles}},
        missing_rule{"ForgetsOrder",
                     [] {
                       settings rules = waits_by_order();
                       rules.wrong = fault::forgets_order;
                       return rules;
                     }()}),
    [](const auto& of) { return of.param.name; });

}  // namespace
