// SPDX-License-Identifier: BSD-3-Clause
// Delivery of parcels: each finds its object, waits for its turn, and runs.
#pragma once

#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/detail/parcel.hpp>
#include <acre/global/rpc/rpc.hpp>

#include <exception>
#include <string>

namespace acre::agas {

/// Reads `arguments` from after the header, and runs the call unless `object` is null.
/// @return true if the call is over; otherwise end_call() ends it
using object_invoker = bool(hosted_object* object, reader& arguments, const parcel_header& parcel);
/// @return true if the object has left
using object_mover = bool(hosted_object& object, reader& arguments, const parcel_header& request);
void move_objects_by(object_mover* mover) noexcept;

void deliver(reader& payload, const global::rpc_return_address& last_hop);

[[nodiscard]] inline global::rpc_return_address caller_of(const parcel_header& parcel) noexcept {
  return {.caller = parcel.caller,
          .promise = parcel.answer[0],
          .finisher = parcel.answer[1],
          .may_be_gathered = true};
}

void receive(parcel_bytes parcel);
void receive(parcel_queue kept);

/// Called with the lock of the space held.
void begin_running(hosted_object& object, running_call& call, const parcel_header& parcel) noexcept;

/// Keeps a returned call running until `ends_by` is ready. `record` replaces the one on the stack.
void let_go_on(hosted_object& object, running_call& record,
               const global::future_state_base* ends_by) noexcept;
void take_back(hosted_object& object, running_call& record) noexcept;
/// Ends a call of let_go_on() or an arrival, returns the credit of `name`, runs waiting parcels.
void end_call(const gid& name, running_call& record) noexcept;

void run_waiting_of(const gid& name) noexcept;

/// Fails a parcel of a missing object; reads the arguments, as they may contain references.
void fail_for_lack(parcel_bytes parcel);

void tell_end(const gid& name);

/// Reports to the caller; if not awaited, keeps the failure on this rank (lost_failure.hpp).
void fail(const parcel_header& parcel, const std::exception_ptr& failure);
void fail(const parcel_header& parcel, const std::string& problem, const std::string& advice = {});

void answer(const global::rpc_return_address& requester);

}  // namespace acre::agas
