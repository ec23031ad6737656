// SPDX-License-Identifier: BSD-3-Clause
// How parcels that have arrived find their objects, take their turn, and run.
#pragma once

#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/detail/parcel.hpp>
#include <acre/global/rpc/rpc.hpp>

#include <exception>
#include <string>

namespace acre::agas {

/// The function that the token of a parcel names. `arguments` begin at the header's end.
/// @return whether the call is over; else end_call() ends it
/// Without an object it only reads the arguments.
using object_invoker = bool(hosted_object* object, reader& arguments, const parcel_header& parcel);
/// The function that runs a parcel that asks for a move.
/// @return whether the object has left
using object_mover = bool(hosted_object& object, reader& arguments, const parcel_header& request);
/// When a job starts: the function is above this part.
void move_objects_by(object_mover* mover) noexcept;

/// The function of the RPC that a parcel is.
void deliver(reader& payload, const global::rpc_return_address& last_hop);

[[nodiscard]] inline global::rpc_return_address caller_of(const parcel_header& parcel) noexcept {
  return {.caller = parcel.caller,
          .promise = parcel.answer[0],
          .finisher = parcel.answer[1],
          .may_be_gathered = true};
}

/// A parcel is here: it runs if it may, or waits for that, or goes on to where its object is.
void receive(parcel_bytes parcel);
/// The same for those that home has kept.
void receive(parcel_queue kept);

/// A parcel begins to run. Under the lock of the space.
void begin_running(hosted_object& object, running_call& call, const parcel_header& parcel) noexcept;

/// The call that this thread runs goes on when its function has returned, until what it has
/// returned is ready: from then on this is its record.
void let_go_on(hosted_object& object, running_call& record,
               const global::future_state_base* ends_by) noexcept;
/// It was over before its function could return that.
void take_back(hosted_object& object, running_call& record) noexcept;
/// A call that has gone on after its invoker's return is over, and gives back the credit of its
/// name.
void end_call(const gid& name, running_call& record) noexcept;

/// Runs what waits at an object, if that is here, and may begin.
void run_waiting_of(const gid& name) noexcept;

/// There is no such object. What the parcel brings is read, as it may hold references.
void fail_for_lack(parcel_bytes parcel);

/// Tells home that the object is no more.
void tell_end(const gid& name);

/// Tells the caller, or, where nobody waits, this rank's next progress().
void fail(const parcel_header& parcel, const std::exception_ptr& failure);
void fail(const parcel_header& parcel, const std::string& problem, const std::string& advice = {});

/// Tells whoever waits that all is well.
void answer(const global::rpc_return_address& asker);

}  // namespace acre::agas
