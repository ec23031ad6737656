// SPDX-License-Identifier: BSD-3-Clause
// Advances gates of objects with waiting parcels (change_gate.hpp), and detects cyclic waits. Long
// waits and idle progress() calls post this task about once per millisecond.
//
// Search and proof: docs/developers/modules/agas.md.
//
// Not detected: user promises, wait_until() conditions, pins off the stack, drain() by a pin's
// holder, RPCs with a returned future.
#pragma once

namespace acre::agas {

void stop_object_watch() noexcept;

}  // namespace acre::agas
