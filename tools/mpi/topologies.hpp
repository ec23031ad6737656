// SPDX-License-Identifier: BSD-3-Clause
// Topologies as comments of the matrix, with world ranks in the communicator's order:
//
//     cartesian communicator: dims 4x3 periods 1x0 ranks 0-11
//     graph communicator: ranks 0-5,8,7
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
