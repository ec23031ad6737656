// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/terminal.hpp>

#include <acre/base/variable_test.hpp>

#include <gtest/gtest.h>

#include <string>

namespace acre::genome {
namespace {

using base_test::variable;

TEST(Terminal, IsWatchedWhenTheLauncherSaysSo) {
  const variable both("ACRE_TERMINAL", "12");
  EXPECT_TRUE(watched_on_terminal());
}

TEST(Terminal, SpeaksUnicodeWhereTheLocaleDoes) {
  const variable none("LC_ALL", "");
  const variable empty("LC_CTYPE", "");
  {
    const variable language("LANG", "de_DE.UTF-8");
    EXPECT_EQ(terminal_glyphs(), glyphs::unicode);
    const variable plain("LC_ALL", "C");
    EXPECT_EQ(terminal_glyphs(), glyphs::ascii);
    const variable other("LC_ALL", "C.utf8");
    EXPECT_EQ(terminal_glyphs(), glyphs::unicode);
  }
  const variable language("LANG", "");
  EXPECT_EQ(terminal_glyphs(), glyphs::ascii);
}

}  // namespace
}  // namespace acre::genome
