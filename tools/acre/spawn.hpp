// SPDX-License-Identifier: BSD-3-Clause
// Starts one rank: a process in a group of its own, its output in pipes, and a
// PMI connection to the launcher.
//
// The child shares the launcher's memory until it runs the program (vfork), so
// that starting costs the same however large the launcher is, and a program that
// cannot be run is known at once, by its errno.
#pragma once

#include <acre/base/descriptor.hpp>
#include <acre/fabric/message.hpp>

#include <csignal>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

namespace acre::tool {

using fabric::rank_t;

/// The launcher's ends of a rank that runs.
struct started {
  pid_t pid = -1;
  descriptor pmi;
  descriptor output;
  descriptor errors;
};

/// What all ranks of a job have in common.
struct program {
  std::vector<std::string> command;
  rank_t ranks = 1;
  std::string job;
  std::string terminals;    ///< which of 1, 2 are terminals: "", "1", "2" or "12"
  std::string output_file;  ///< of file_of_descriptor(): what the launcher writes their output to
  sigset_t signals{};       ///< the signal mask ranks start with
  rlimit open_files{};      ///< the limit ranks start with
};

class starter {
 public:
  /// @throws acre::error when the program cannot be found; status() of `not_started` tells which
  explicit starter(const program& what);

  /// @param input what the rank reads as its standard input
  /// @throws not_started
  [[nodiscard]] started start(rank_t rank, int input);

 private:
  void prepare_environment();

  const program& what_;
  std::string path_;
  std::vector<char*> arguments_;
  std::vector<std::string> variables_;
  std::vector<char*> environment_;
};

/// Why a program did not start, and what a shell would return for it.
struct not_started {
  std::string problem;
  std::string advice;
  int status;
};

}  // namespace acre::tool
