// SPDX-License-Identifier: BSD-3-Clause
// Blocking until a condition holds, in calls that need the job.
#pragma once

#include "collective.hpp"
#include "failure.hpp"
#include "polling.hpp"
#include <acre/runtime/wait.hpp>

#include <utility>

namespace acre::gasnet {

template <class Ready>
void wait(const char* call, Ready&& ready) {
  const at_work here;
  or_fail(call, [&] {
    const auto is_over = [&] {
      here.stay_if_over();
      advance_collectives();
      return ready();
    };
    runtime::wait_until(is_over, call);
  });
}

}  // namespace acre::gasnet
