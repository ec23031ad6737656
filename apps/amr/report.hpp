// SPDX-License-Identifier: BSD-3-Clause
// Reports a run's costs.
#pragma once

#include <apps/amr/distributed_mesh.hpp>

#include <string>

namespace acre::amr {

/// Prints on rank 0. Collective.
/// @param path  JSON file; empty: not written
/// @throws acre::error on rank 0 if the file cannot be written
void report(const distributed_mesh& mesh, double seconds, const std::string& path);

}  // namespace acre::amr
