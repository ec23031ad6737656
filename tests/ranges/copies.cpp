// SPDX-License-Identifier: BSD-3-Clause
// Copies from every kind of range to every kind.
#include <acre/algorithm/ranges_of_all_kinds_test.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

namespace {

TEST(Copies, FromEveryKindToEveryKind) {
  acre::testing::ranges_of_all_kinds sources(acre::world(), 13);
  acre::testing::ranges_of_all_kinds targets(acre::world(), 13);
  sources.each(
      [&](auto& from) { targets.each([&](auto& to) { acre::testing::expect_copied(from, to); }); });
}

}  // namespace
