// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/terminal.hpp>

#include <acre/base/environment.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

namespace acre::genome {

bool watched_on_terminal() {
  const auto streams = environment("ACRE_TERMINAL");
  if (streams && streams->find('2') != std::string::npos) return true;
  return ::isatty(STDERR_FILENO) == 1;
}

unsigned terminal_columns() {
  constexpr unsigned narrowest = 20;
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::max<unsigned>(size.ws_col, narrowest);
  }
  unsigned columns = 80;
  const auto text = environment("COLUMNS").value_or("");
  std::from_chars(text.data(), text.data() + text.size(), columns);
  return std::clamp(columns, narrowest, 1000U);
}

glyphs terminal_glyphs() {
  // The first set variable wins, as in the C library.
  for (const char* name : std::array{"LC_ALL", "LC_CTYPE", "LANG"}) {
    auto locale = environment(name);
    if (!locale) continue;
    std::ranges::transform(*locale, locale->begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    });
    const bool utf8 =
        locale->find("utf-8") != std::string::npos || locale->find("utf8") != std::string::npos;
    return utf8 ? glyphs::unicode : glyphs::ascii;
  }
  return glyphs::ascii;
}

}  // namespace acre::genome
