// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/future/when_any.hpp>

#include <acre/base/error.hpp>

namespace acre::global {

void throw_nothing_to_wait_for(const char* call) {
  throw error(call, "the list of futures is empty: no future can become ready",
              "test that futures are left before the call");
}

}  // namespace acre::global
