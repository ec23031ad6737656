// SPDX-License-Identifier: BSD-3-Clause
// Watches the objects of this rank at which parcels wait: turns their gates, and detects waits that
// can never end.
//
// While a parcel waits, long waits and idle calls of progress() look at the time, and post a task
// about once a millisecond. It advances the gates (change_gate.hpp), and searches for cycles.
//
// The search for a cycle starts at a parcel that waits, and follows its dependents. The rank that
// expects the parcel's answer is asked which running calls cannot end before that answer arrives:
// calls and RPCs whose function is on the stack of a thread that waits for it, at any depth, and
// calls whose future depends on it. It is also asked whether such a thread holds a pin on its
// stack. The search continues with the callers of these calls, and with the parcels that wait for
// them. If it reaches a call for which the first parcel waits, there is a cycle. An edge, once
// there, lasts until the later of its two ends has ended, so a cycle that is found by two searches
// in a row is real. The parcel then fails with an error that names the object and what runs on it.
//
// A parcel that waits for a pin on the stack of a thread that ends the job needs no search: that
// end returns when no parcel waits. It fails in the same way.
//
// Not detected are promises that the program keeps itself, conditions of wait_until(), pins that
// are not on a stack, drain() where its caller holds a pin (another function may end that), and
// RPCs whose function has returned a future. The stall watch describes those waits.
#pragma once

namespace acre::agas {

/// When a job ends.
void stop_object_watch() noexcept;

}  // namespace acre::agas
