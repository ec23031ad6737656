// Objects at which parcels wait: their gates open in time, and a wait that can never end fails.
//
// While a parcel waits here, long waits and progress() of this rank look at the time, and now and
// then leave a task that moves the gates on (change_gate.hpp) and asks whether parcels wait for
// what waits for them.
//
// Who waits for a parcel is asked where its answer goes: which calls cannot end there before that
// has come. Those are calls on whose stack a thread waits for it, however deep that is nested, and
// calls whose future depends on it; the thread that waits may also hold a pin. From each of these
// calls the search goes on, to who waits for it: its own caller, and what waits at its object. When
// it comes to what the parcel waits for, none of them can ever go on: each waits for something that
// only ends behind itself. All of that stays as it is, so what was found twice, one search behind
// the other, is true. Then the parcel fails, with an error that names the object and what runs.
//
// What is found is never more than that: a promise that a user keeps somewhere, a condition that a
// wait asks, a pin in memory are unknown. The stall watch tells of those.
#pragma once

#include <acre/agas/detail/hosted_object.hpp>

namespace acre::detail {

/// That parcel has come to wait at the object. Under the lock of the space.
void watch(hosted_object& object, const parcel_header& waits);

}  // namespace acre::detail
