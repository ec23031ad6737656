// SPDX-License-Identifier: BSD-3-Clause
// Moves an object to another rank: see "Move" in docs/decisions/017-objects-that-move.md.
#pragma once

#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/detail/parcel.hpp>
#include <acre/global/wire/serialization.hpp>

namespace acre::agas {

/// Sends the object and its waiting parcels in one message. No other call of the object may run.
/// @return true if the object has left; otherwise the requester has been answered
bool move_object(hosted_object& object, reader& arguments, const parcel_header& request);

}  // namespace acre::agas
