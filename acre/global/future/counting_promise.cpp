// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/future/counting_promise.hpp>

#include <acre/base/error.hpp>

namespace acre::global {

void throw_too_many_arrivals() {
  throw error("counting_promise::arrive", "more operations have arrived than expected",
              "call expect() before the counted operations can arrive, and close() once");
}

}  // namespace acre::global
