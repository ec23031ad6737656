// SPDX-License-Identifier: BSD-3-Clause
// Traffic of all ranks, as two Matrix Market files.
#pragma once

#include <string>

namespace acre::mpi {

/// Collective. Rank 0 requests one row at a time: memory is a row and a few words per rank.
void write_matrix_files(const std::string& bytes_file);

}  // namespace acre::mpi
