// SPDX-License-Identifier: BSD-3-Clause
// Sends parcels to the likely place of their object, numbered in issue order.
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

void require_name(const gid& name, const char* call);

/// @throws acre::error if `name` is null
[[nodiscard]] place where_to_send(const gid& name);

void send_parcel(rank_t target, std::span<std::byte> parcel);
void send_parcel(rank_t target, runtime::payload_block& parcel);

template <class... Values>
void send_parcel_of(parcel_header header, const Values&... values) {
  const place to = where_to_send(header.target);
  header.caller = rank();
  header.epoch = to.epoch;
  const auto send = [&](auto&& payload) {
    if constexpr (requires { payload.has_place(); }) {
      send_parcel(to.owner, payload);
    } else {
      send_parcel(to.owner, {const_cast<std::byte*>(payload.data()), payload.size()});
    }
  };
  if constexpr ((global::may_be_read_twice<Values>() && ...)) {
    global::with_payload_for(to.owner, send, header, values...);
  } else {
    // Undoes shared credit if a later argument cannot be serialized.
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

/// Runs a header-only parcel without a message.
/// @return false, without effect, if the object is not here
[[nodiscard]] bool call_here(parcel_header header);

void end_unreferred(const gid& name);

}  // namespace acre::agas
