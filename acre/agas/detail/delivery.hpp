// How parcels find their objects, take their turn, and run.
#pragma once

#include <acre/agas/detail/parcel.hpp>
#include <acre/global/rpc.hpp>

#include <exception>
#include <string>

namespace acre::detail {

/// Sends a parcel on to another rank.
void forward(rank_t to, parcel_header header, parcel_bytes parcel);

/// Tells home that the object is no more.
void tell_end(const gid& name);

/// Tells the caller, or, where nobody waits, this rank's next progress().
void fail(const parcel_header& parcel, const std::exception_ptr& failure);
void fail(const parcel_header& parcel, const std::string& problem, const std::string& advice = {});

/// Tells whoever waits that all is well.
void answer(const rpc_return_address& asker);

}  // namespace acre::detail
