// SPDX-License-Identifier: BSD-3-Clause
// What all ranks have sent, as two files of Matrix Market: bytes, and messages.
//
// Rank 0 asks for the rows one after the other and writes each at once: no rank ever holds more
// than its own row, a row that it receives, and a word for each rank.
#pragma once

#include <string>

namespace acre::mpi {

/// Writes the matrices, that of messages beside that of bytes; all ranks call it.
void write_matrix_files(const std::string& bytes_file);

}  // namespace acre::mpi
