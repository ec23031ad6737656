// SPDX-License-Identifier: BSD-3-Clause
// Requests to services whose completion only quiet() awaits.
#pragma once

#include <acre/global/owner/at_owner.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/remote.hpp>

#include <utility>

namespace acre::at_owner {

/// Sends a request that fits one message; waits while 1024 are unanswered. quiet() waits until
/// when_done(answer) has run: on success only, in any thread, so it must be short, and must not
/// send or wait. Words and payload are reusable at return.
/// @throws acre::error if the network is lost
template <class WhenDone>
void post(const request& what, WhenDone when_done) {
  runtime::begin_posted();
  try {
    runtime::finish_anywhere<request_record>(
        [when_done = std::move(when_done)](const request_record& done) noexcept {
          if (!done.failed) when_done(done);
          runtime::count_answer(done.failed);
        },
        [&](request_record& record, auto&) { send_request(what, record); });
  } catch (...) {
    runtime::cancel_posted();
    throw;
  }
}

}  // namespace acre::at_owner
