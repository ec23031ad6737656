// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/warning.hpp>

#include <apps/genome/share.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <set>

namespace acre::genome {

void warn_once(const std::string& path, std::string_view problem) {
  static std::set<std::string> warned;
  const std::string text = fmt::format("{}: {}", shown_name(path), problem);
  // Ignores failure: the result is valid.
  if (warned.insert(text).second)
    std::fputs(fmt::format("acre: warning: {}\n", text).c_str(), stderr);
}

}  // namespace acre::genome
