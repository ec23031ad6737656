// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/detail/as_many.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::container {

void check_as_many(const char* call, std::size_t keys, std::size_t others) {
  if (keys == others) return;
  throw error(
      call,
      std::to_string(keys) + " keys do not match " + std::to_string(others) + " values or results",
      "pass spans of equal size");
}

}  // namespace acre::container
