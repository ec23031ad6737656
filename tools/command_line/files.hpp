// SPDX-License-Identifier: BSD-3-Clause
// Files that a command line names: none may be written that is read, or written twice.
#pragma once

#include <string>
#include <vector>

namespace acre::command_line {

struct named_file {
  std::string option;  ///< "--output"; "the input" where no option names it
  std::string path;    ///< `-`: a standard stream; empty: not given
};

/// The variable by which `acre run` tells a rank which file it writes the rank's output to: "PIPE
/// FILE", as of file_of_descriptor(), where PIPE is the standard output that it has given the rank.
/// A program that the rank starts may have another standard output.
inline constexpr const char* output_file_variable = "ACRE_OUTPUT_FILE";

/// Device and inode of a descriptor's file or pipe; empty where it is something else, as a
/// terminal.
[[nodiscard]] std::string file_of_descriptor(int descriptor);

/// Compares by device and inode, and files that do not exist by their paths.
/// @return what is wrong, with option and path, or empty: an output is an input, or another output
[[nodiscard]] std::string clash_of(const std::vector<named_file>& outputs,
                                   const std::vector<named_file>& inputs = {});

/// What is wrong with a file that all ranks read from any place, or empty: standard input, and
/// names that mean another file to each process, cannot be.
[[nodiscard]] std::string problem_of_shared_input(const std::string& path);
/// The same for one that all ranks write.
[[nodiscard]] std::string problem_of_shared_output(const std::string& path);

}  // namespace acre::command_line
