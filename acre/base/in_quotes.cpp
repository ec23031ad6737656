// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/in_quotes.hpp>

#include <algorithm>
#include <cstddef>

namespace acre {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string shown(text.substr(0, most));
  std::ranges::replace_if(shown, [](char c) { return c < ' ' || c > '~'; }, '?');
  return "'" + shown + (text.size() > most ? "…'" : "'");
}

}  // namespace acre
