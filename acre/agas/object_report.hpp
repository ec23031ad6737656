// SPDX-License-Identifier: BSD-3-Clause
// What objects are alive, where, and who holds them: for finding out why one does not end.
//
//     if (acre::rank() == 0) std::puts(report.c_str());    // of acre::object_report(), on all
//     ranks
//
//     2 objects are alive, 1 of them counted: 1 node, 1 tally
//     object 3.1 of rank 0, a node, on rank 2; of its credit of 16777216
//       rank 0 holds 8388608 by 1 reference, rank 2 holds 8388608 by 2 references
//       it has the name "/mesh/root"
//     object 4.1 of rank 0, a tally, on rank 0; not counted
//
// With ACRE_OBJECT_REPORT=on in the environment the same goes to the standard error when a job
// ends, of objects that it has left; with ACRE_OBJECT_REPORT=FILE.txt to that file. Objects that
// refer to each other in a circle are found so: their references are on the ranks where they are
// themselves.
#pragma once

#include <string>

namespace acre {

/// Collective over the job, when no call is under way; the same text on all ranks. Of very many
/// objects only the first are described, and all are counted. Which reference is in which
/// object, nobody knows: only what a rank holds in all. Cost: an allgather of at most some
/// kilobytes from each rank.
[[nodiscard]] std::string object_report();

}  // namespace acre
