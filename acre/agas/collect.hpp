// SPDX-License-Identifier: BSD-3-Clause
// Return of the credit of dropped references.
//
//     objects.clear();      // with ACRE_CREDIT_THRESHOLD=4096
//     acre::collect();      // sends their credit to the homes now
#pragma once

#include <cstddef>

namespace acre {

/// Starts the return of all credit of objects to which this rank has dropped its last reference,
/// even below the threshold; drain() then waits for it. Local, thread-safe. Cost: 1 M to each home.
/// @return number of objects whose credit is sent at the next progress()
/// @throws acre::error outside of a job
std::size_t collect();

}  // namespace acre
