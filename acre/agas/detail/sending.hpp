// SPDX-License-Identifier: BSD-3-Clause
// How this rank sends parcels: to the place where their object is most likely, and numbered in the
// order of issue.
#pragma once

#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/detail/parcel.hpp>
#include <acre/agas/gid.hpp>
#include <acre/global/wire/with_payload.hpp>
#include <acre/runtime/payload_block.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace acre::agas {

/// @throws acre::error when it is of no object
void require_name(const gid& name, const char* call);

/// Where a parcel for the object should go.
/// @throws acre::error when it is of no object
[[nodiscard]] place where_to_send(const gid& name);

/// Numbers the parcel, whose bytes hold everything else, and sends it.
void send_parcel(rank_t target, std::span<std::byte> parcel);
void send_parcel(rank_t target, runtime::payload_block& parcel);

/// Sends header and values.
template <class... Values>
void send_parcel_of(parcel_header header, const Values&... values) {
  const place to = where_to_send(header.target);
  header.caller = rank();
  header.epoch = to.epoch;
  const auto send = [&](auto&& payload) {
    if constexpr (requires { payload.has_place(); }) {
      send_parcel(to.owner, payload);
    } else {
      // Written by us a moment ago, into memory that is no constant.
      send_parcel(to.owner, {const_cast<std::byte*>(payload.data()), payload.size()});
    }
  };
  if constexpr ((global::may_be_read_twice<Values>() && ...)) {
    global::with_payload_for(to.owner, send, header, values...);
  } else {
    // What references share before something behind them cannot be written is theirs again.
    std::optional<credit_trail> shared(std::in_place);
    const auto send_all = [&](auto&& payload) {
      shared.reset();
      send(std::forward<decltype(payload)>(payload));
    };
    try {
      global::with_payload_for(to.owner, send_all, header, values...);
    } catch (...) {
      if (shared) shared->undo();
      throw;
    }
  }
}

/// The same for a header alone whose object is here, without a message.
/// @return false: it is not here, and nothing has been done
[[nodiscard]] bool call_here(parcel_header header);

/// Ends an object of this home to which nobody refers, where it is.
void end_unreferred(const gid& name);

}  // namespace acre::agas
