// SPDX-License-Identifier: BSD-3-Clause
// The communicators with a topology that the program has made: Cartesian ones and graphs.
//
// They say in which grid the ranks stand, which a matrix does not. Each is a line of comment in the
// matrix:
//
//     cartesian communicator: dims 4x3 periods 1x0 ranks 0-11
//     graph communicator: ranks 0-5,8,7
//
// with the rank in the world of each member, in the order of the communicator: row by row of a
// grid.
#pragma once

#include "mpi_header.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace acre::mpi {

/// To be told of each new communicator; its first rank keeps it in mind.
void note_topology(MPI_Comm made);

/// The lines of those that this rank is the first of, from the `first` on.
[[nodiscard]] std::vector<std::string> noted_topologies(std::size_t first = 0);

}  // namespace acre::mpi
