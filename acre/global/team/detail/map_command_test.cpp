// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/map_command.hpp>

#include <acre/base/error.hpp>
#include <acre/base/variable_test.hpp>

#include <gtest/gtest.h>

#include <string>

namespace acre::global {
namespace {

TEST(MapCommand, ReadsSlotsAndFirstMetrics) {
  const mapped_by_command found = mapped_from(
      R"({"problem":{"nodes":[{"node":4,"slots":2},{"node":0,"slots":1}]},"slot_of_rank":[2,0,1],"rank_of_slot":[1,2,0],"metrics":{"time_seconds":2.5e-10,)"
      R"("hop_bytes":48.0},"default":{"time_seconds":1,"hop_bytes":2}})");
  EXPECT_EQ(found.slot_of_rank, (std::vector<topology::slot_t>{2, 0, 1}));
  EXPECT_EQ(found.slots, (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(found.seconds, 2.5e-10);
  EXPECT_EQ(found.hop_bytes, 48);
  EXPECT_THROW(static_cast<void>(mapped_from("{}")), acre::error);
}

TEST(MapCommand, RefusesOrdersOfOtherNodes) {
  const mapped_by_command found{.slots = {2, 1}, .slot_of_rank = {2, 0, 1}};
  EXPECT_NO_THROW(require_fit(found, {2, 1}, 3));
  EXPECT_THROW(require_fit(found, {1, 2}, 3), acre::error);
  EXPECT_THROW(require_fit(found, {2}, 3), acre::error);
  EXPECT_THROW(require_fit(found, {2, 1}, 2), acre::error);
  EXPECT_THROW(require_fit({.slots = {2, 1}, .slot_of_rank = {2, 2, 1}}, {2, 1}, 3), acre::error);
  EXPECT_THROW(require_fit({.slots = {2, 1}, .slot_of_rank = {3, 0, 1}}, {2, 1}, 3), acre::error);
}

map_request request_of_two_nodes() {
  return {.topology = "machine.conf", .hosts = {"a", "b"}, .slots = {1, 1}};
}

std::string problem_with(const std::string& tool) {
  const base_test::variable chosen("ACRE_TOOL", tool);
  try {
    static_cast<void>(
        map_by_command(request_of_two_nodes(), mapping::make_communication("cart:2")));
  } catch (const acre::error& failure) {
    return failure.problem() + "; " + failure.advice();
  }
  return "";
}

TEST(MapCommand, TellsHowToFindTheCommand) {
  const std::string problem = problem_with("/no/such/acre");
  EXPECT_NE(problem.find("the command /no/such/acre reads"), std::string::npos) << problem;
  EXPECT_NE(problem.find("set ACRE_TOOL to its path"), std::string::npos) << problem;
}

TEST(MapCommand, TellsTheFailureOfTheCommand) {
  const std::string problem = problem_with("false");
  EXPECT_NE(problem.find("ACRE_TOPOLOGY=machine.conf"), std::string::npos) << problem;
  EXPECT_NE(problem.find("acre map --topology machine.conf"), std::string::npos) << problem;
}

}  // namespace
}  // namespace acre::global
