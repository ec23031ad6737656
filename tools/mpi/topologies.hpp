// SPDX-License-Identifier: BSD-3-Clause
// Topologies as comments of the matrix (docs/mpi.md).
#pragma once

#include "mpi_header.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace acre::mpi {

/// Records a new communicator at its first rank.
void note_topology(MPI_Comm made);

/// Lines that this rank recorded, from index `first`.
[[nodiscard]] std::vector<std::string> noted_topologies(std::size_t first = 0);

}  // namespace acre::mpi
