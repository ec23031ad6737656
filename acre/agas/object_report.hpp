// SPDX-License-Identifier: BSD-3-Clause
// Reports live objects and their references: for finding leaks.
//
//     2 objects are alive, 1 of them counted: 1 node, 1 tally
//     object 3.1 of rank 0, a node, on rank 2; of its credit of 16777216
//       rank 0 holds 8388608 by 1 reference, rank 2 holds 8388608 by 2 references
//
// ACRE_OBJECT_REPORT=on prints it to standard error at job end; =FILE.txt writes a file.
#pragma once

#include <string>

namespace acre {

/// Returns one text on all ranks: first objects, and counts. Collective over the job,
/// without calls in flight. Cost: 2 allgathers of some kilobytes per rank.
[[nodiscard]] std::string object_report();

}  // namespace acre
