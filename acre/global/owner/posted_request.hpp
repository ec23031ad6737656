// SPDX-License-Identifier: BSD-3-Clause
// Requests to services that nobody waits for but quiet().
#pragma once

#include <acre/global/owner/at_owner.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/remote.hpp>

#include <utility>

namespace acre::at_owner {

/// Sends a request that one message carries; quiet() waits for the answer, and for
/// when_done(answer), which is called where the service has not thrown: in whatever thread finds
/// the answer, short, without sending or waiting. Words and payload are free at return.
/// @throws acre::error when the network is lost
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
