// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/copy.hpp>

#include <string>

namespace acre::algorithm {

void require_equal_sizes(const char* call, std::size_t from, std::size_t to, const site& where) {
  if (from == to) return;
  throw error(call,
              std::to_string(from) + " elements do not fit a range of " + std::to_string(to) +
                  describe_place(where),
              "make the sizes equal, for example with std::views::take or std::views::drop");
}

}  // namespace acre::algorithm
