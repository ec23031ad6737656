// SPDX-License-Identifier: BSD-3-Clause
// Return of the credit of dropped references.
//
//     objects.clear();      // with ACRE_CREDIT_THRESHOLD=4096: fewer than 4096 objects may wait
//     here acre::collect();      // sends their credit to the homes now acre::drain();        //
//     all unreferenced objects have ended
#pragma once

#include <cstddef>

namespace acre {

/// Starts the return of all credit that waits on this rank, of objects to which it has dropped its
/// last reference. Credit below the threshold waits for other objects' credit, and drain() does not
/// wait for it; after collect() it does. Local, thread-safe. Cost: 1 M to each home.
/// @return number of objects whose credit was sent
/// @throws acre::error outside of a job
std::size_t collect();

}  // namespace acre
