// How parcels find their objects, take their turn, and run.
#pragma once

#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/detail/parcel.hpp>
#include <acre/global/rpc/rpc.hpp>

#include <exception>
#include <string>

namespace acre::detail {

/// The function of the RPC that a parcel is.
[[nodiscard]] callable_token token_of_delivery();

/// A parcel is here: it runs if it may, or waits for that, or goes on to where its object is.
void receive(parcel_bytes parcel);
/// The same for those that home has kept.
void receive(parcel_queue kept);

/// A parcel begins to run. Under the lock of the space.
void begin_running(hosted_object& object, running_call& call, const parcel_header& parcel) noexcept;

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
void answer(const rpc_return_address& asker);

}  // namespace acre::detail
