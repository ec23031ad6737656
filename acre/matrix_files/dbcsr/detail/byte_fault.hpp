// SPDX-License-Identifier: BSD-3-Clause
// Fault in a binary file, with its offset.
#pragma once

#include <acre/global/team/team_file.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace acre::matrix_files {

struct byte_fault {
  std::uint64_t byte;
  std::string problem;
  std::string advice;
};

/// Calls read() on all members. Collective. Cost: 1 allreduce + 2 allgathers.
/// @throws acre::error on all members: the lowest byte's fault, or the file's failure
void read_together(global::team_file& file, const char* call, const std::function<void()>& read);

}  // namespace acre::matrix_files
