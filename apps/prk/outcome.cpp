// SPDX-License-Identifier: BSD-3-Clause
#include <apps/prk/outcome.hpp>

#include <acre/base/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace acre::prk {

void require_for_each_rank(const char* what, std::uint64_t number) {
  if (number >= size()) return;
  throw error("acre-prk", fmt::format("{} {} are too few for {} ranks", number, what, size()),
              "use more of them, or fewer ranks");
}

void require_sum(const char* what, double found, double expected) {
  constexpr double tolerance = 1e-8;
  // NaN fails the comparison.
  if (!(std::abs(found - expected) <= tolerance * std::abs(expected))) {
    throw error("acre-prk", fmt::format("the solution is wrong: {} is {:.17g}, but {:.17g} is "
                                        "expected",
                                        what, found, expected));
  }
  if (rank() == 0) fmt::print("Solution validates: {} is {:.10g}\n", what, found);
}

void print_rate(const char* unit, double millions, double seconds) {
  if (rank() == 0) {
    fmt::print("Rate ({}): {:.3f}  Avg time (s): {:.9f}\n", unit, millions / seconds, seconds);
  }
  barrier();
}

}  // namespace acre::prk
