// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/future/when_any.hpp>

#include <acre/base/error.hpp>

namespace acre::global {

void throw_nothing_to_wait_for(const char* call) {
  throw error(call, "no futures were given: none will ever be ready",
              "ask whether there are any left before you wait for the first of them");
}

}  // namespace acre::global
