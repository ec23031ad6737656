// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/hostlist.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

namespace acre::machines {
namespace {

using names = std::vector<std::string>;

names expand(std::string_view list) { return expand_hostlist(list, 1 << 20); }

TEST(Hostlist, TakesNamesAsTheyAre) {
  EXPECT_EQ(expand("n1"), (names{"n1"}));
  EXPECT_EQ(expand("n1,gpu-2.cluster,n1"), (names{"n1", "gpu-2.cluster", "n1"}));
}

TEST(Hostlist, KeepsTheZerosInFrontOfNumbers) {
  EXPECT_EQ(expand("node[008-010,20]"), (names{"node008", "node009", "node010", "node20"}));
  EXPECT_EQ(expand("n[9-11]"), (names{"n9", "n10", "n11"}));
}

TEST(Hostlist, RunsFastestThroughTheLastBracket) {
  EXPECT_EQ(expand("r[1-2]n[0-1].x"), (names{"r1n0.x", "r1n1.x", "r2n0.x", "r2n1.x"}));
}

TEST(Hostlist, RefusesSizesBeforeItSpendsMemoryOnThem) {
  EXPECT_THROW(static_cast<void>(expand("node[0-99999999999]")), acre::error);
  EXPECT_THROW(static_cast<void>(expand("node[0-4294967295]")), acre::error);
  EXPECT_THROW(static_cast<void>(expand("node[0-1048576]")), acre::error);
  EXPECT_THROW(static_cast<void>(expand("a[0-99999]b[0-99999]c[0-99999]d[0-99999]")), acre::error);
  EXPECT_THROW(static_cast<void>(expand(std::string(300, 'x'))), acre::error);
  EXPECT_THROW(static_cast<void>(expand("n[" + std::string(300, '0') + "-1]")), acre::error);
  EXPECT_THROW(static_cast<void>(expand_hostlist("a,b,c", 2)), acre::error);
}

TEST(Hostlist, SaysWhatIsWrong) {
  for (const char* wrong : {"", "a,,b", "a,", "n[", "n[1", "n[]", "n[1-]", "n[-1]", "n[2-1]", "n]",
                            "n[1]]", "n[a]", "n[1-2-3]", "a b", "a\tb", "a\1", "n[1,]"}) {
    EXPECT_THROW(static_cast<void>(expand(wrong)), acre::error) << wrong;
  }
}

}  // namespace
}  // namespace acre::machines
