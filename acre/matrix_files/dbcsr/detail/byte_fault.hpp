// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with a file of bytes, and where: one error on all members that read it.
#pragma once

#include <acre/global/team/team_file.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace acre::matrix_files {

/// A file cannot be what it should be.
struct byte_fault {
  std::uint64_t byte;  ///< where that is seen, from 0
  std::string problem;
  std::string advice;
};

/// read() on all members, each of which throws what is wrong with its share of the file.
/// Collective. Cost: 1 allreduce and 2 allgathers.
/// @param call  "load_dbcsr"
/// @throws acre::error on all members: the fault of the lowest byte, or what the file failed with
void read_together(global::team_file& file, const char* call, const std::function<void()>& read);

}  // namespace acre::matrix_files
