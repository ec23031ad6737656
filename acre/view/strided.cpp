// SPDX-License-Identifier: BSD-3-Clause
#include <acre/view/strided.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::view {

void throw_no_stride(std::size_t step, bool is_negative, const site& where) {
  std::string problem = "step 0 is invalid";
  if (is_negative) {
    problem = "step " + std::to_string(static_cast<std::ptrdiff_t>(step)) + " is negative";
  } else if (step != 0) {
    problem = "step " + std::to_string(step) + " is larger than any range";
  }
  throw error("views::strided", problem + describe_place(where),
              "the step between elements must be at least 1");
}

}  // namespace acre::view
