// SPDX-License-Identifier: BSD-3-Clause
// Objects on their way from rank to rank: "Move" in docs/decisions/017-objects-that-move.md.
#pragma once

#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/detail/parcel.hpp>
#include <acre/global/wire/serialization.hpp>

namespace acre::agas {

/// Sends the object to the rank that the request names, and in the same message what waits for it.
/// Nothing else of the object runs.
/// @return whether it has left; else who asked has heard why not
bool move_object(hosted_object& object, reader& arguments, const parcel_header& request);

}  // namespace acre::agas
