// SPDX-License-Identifier: BSD-3-Clause
// Refuses outputs that are an input or another output.
#pragma once

#include <string>
#include <vector>

namespace acre::command_line {

struct named_file {
  std::string option;  ///< "--output"; "the input" if positional
  std::string path;    ///< `-`: standard; empty: not given
};

/// Set by `acre run`: "PIPE FILE", the rank's standard output and the launcher's file for it. Child
/// programs may have another standard output.
inline constexpr const char* output_file_variable = "ACRE_OUTPUT_FILE";

/// Device and inode of a file or pipe; or empty.
[[nodiscard]] std::string file_of_descriptor(int descriptor);

/// Compares files by device and inode, missing ones by path.
/// @return the clash, or empty
[[nodiscard]] std::string clash_of(const std::vector<named_file>& outputs,
                                   const std::vector<named_file>& inputs = {});

/// Problem or empty: streams and per-process names cannot be shared.
[[nodiscard]] std::string problem_of_shared_input(const std::string& path);
/// As above, for writing.
[[nodiscard]] std::string problem_of_shared_output(const std::string& path);

}  // namespace acre::command_line
