// SPDX-License-Identifier: BSD-3-Clause
// Advances gates of objects with waiting parcels (change_gate.hpp), and detects cyclic waits. Long
// waits and idle progress() calls post this task about once per millisecond.
//
// The search starts at a waiting parcel. The rank that expects its answer reports dependents: calls
// and RPCs on the stack of a waiting thread, calls whose future depends on it, pins on that stack.
// The search continues with their callers and the parcels that wait for them. Reaching a call for
// which the first parcel waits is a cycle. An edge persists until both ends have ended; hence a
// cycle found twice in succession is real. The parcel fails with an error.
//
// A parcel waiting for a pin of the thread that ends the job fails without a search: job end waits
// for all parcels.
//
// Not detected: user promises, wait_until() conditions, pins off the stack, drain() by a pin's
// holder, RPCs with a returned future.
#pragma once

namespace acre::agas {

void stop_object_watch() noexcept;

}  // namespace acre::agas
