#include <apps/genome/warning.hpp>

#include <apps/genome/share.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <set>

namespace acre::genome {

void warn_once(const std::string& path, std::string_view problem) {
  static std::set<std::string> warned;
  const std::string text = fmt::format("{}: {}", shown_name(path), problem);
  if (warned.insert(text).second) fmt::print(stderr, "acre: warning: {}\n", text);
}

}  // namespace acre::genome
