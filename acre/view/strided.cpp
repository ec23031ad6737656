// SPDX-License-Identifier: BSD-3-Clause
#include <acre/view/strided.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::view {

void throw_no_stride(std::size_t step, bool is_negative, const site& where) {
  std::string problem = "there is no every 0-th element";
  if (is_negative) {
    problem =
        "a step of " + std::to_string(static_cast<std::ptrdiff_t>(step)) + ", which is negative";
  } else if (step != 0) {
    problem = "a step of " + std::to_string(step) + ", which is larger than any range";
  }
  throw error("views::strided", problem + describe_place(where),
              "give the step between elements, at least 1");
}

}  // namespace acre::view
