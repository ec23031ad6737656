// What is known of the terminal comes from the environment when the launcher holds it.
#include <apps/genome/terminal.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace acre::genome {
namespace {

/// Sets an environment variable for one scope.
class with_environment {
 public:
  with_environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value, 1);
  }
  with_environment(const with_environment&) = delete;
  with_environment& operator=(const with_environment&) = delete;
  ~with_environment() {
    if (old_) {
      ::setenv(name_, old_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(Terminal, IsWatchedWhenTheLauncherSaysSo) {
  const with_environment both("ACRE_TERMINAL", "12");
  EXPECT_TRUE(watched_on_terminal());
}

TEST(Terminal, SpeaksUnicodeWhereTheLocaleDoes) {
  const with_environment none("LC_ALL", "");
  const with_environment empty("LC_CTYPE", "");
  {
    const with_environment language("LANG", "de_DE.UTF-8");
    EXPECT_EQ(terminal_glyphs(), glyphs::unicode);
    const with_environment plain("LC_ALL", "C");
    EXPECT_EQ(terminal_glyphs(), glyphs::ascii);
    const with_environment other("LC_ALL", "C.utf8");
    EXPECT_EQ(terminal_glyphs(), glyphs::unicode);
  }
  const with_environment language("LANG", "");
  EXPECT_EQ(terminal_glyphs(), glyphs::ascii);
}

}  // namespace
}  // namespace acre::genome
