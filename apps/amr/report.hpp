// SPDX-License-Identifier: BSD-3-Clause
// What a run of the mesh has cost, and whom: for people, and as JSON.
#pragma once

#include <apps/amr/distributed_mesh.hpp>

#include <string>

namespace acre::amr {

/// Rank 0 prints. Collective.
/// @param seconds  of the run, on the clock
/// @param path     of a JSON file with all ranks; none where it is empty
/// @throws acre::error on rank 0 when the file cannot be written
void report(const distributed_mesh& mesh, double seconds, const std::string& path);

}  // namespace acre::amr
