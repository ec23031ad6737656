// SPDX-License-Identifier: BSD-3-Clause
#include "trace.hpp"

#include "complaint.hpp"
#include "preload.hpp"
#include "trace_files.hpp"
#include "trace_parts.hpp"
#include "window_files.hpp"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace acre::tool {
namespace {

namespace fs = std::filesystem;

bool asks_for_windows(const trace_options& options) {
  return options.windows || options.every > 0 || !options.signal.empty();
}

/// @throws acre::error for a signal that ends the launcher
preload with_windows(preload what, const trace_options& options) {
  if (options.signal == "USR2" && look_at(options.command).launcher == mpi::mpich) {
    throw error("trace", "the launcher of MPICH ends when it receives USR2",
                "use --signal USR1, which it forwards to the ranks");
  }
  what.parts = parts_folder(options.output);
  what.settings.emplace_back("ACRE_MPI_PARTS", fs::absolute(what.parts).string());
  if (options.every > 0) {
    what.settings.emplace_back("ACRE_MPI_EVERY", std::to_string(options.every));
  }
  if (!options.signal.empty()) what.settings.emplace_back("ACRE_MPI_SIGNAL", options.signal);
  return what;
}

int collect(const trace_options& options) {
  if (!options.command.empty() || asks_for_windows(options)) {
    throw error("trace",
                "--collect does not run a program; a command and options of windows are invalid",
                "give the folder of parts only, and -o for the matrix");
  }
  const trace_files files("trace", options.output);
  const trace_parts parts(options.parts);  // checks the parts before files are removed
  if (std::error_code none; fs::exists(options.output, none)) {
    std::fprintf(stderr, "acre: trace: %s already exists, perhaps written by the job: it is kept\n",
                 options.output.c_str());
  } else {
    files.remove_old();
  }
  return put_together(options.parts, options.output) == put_together_result::nothing ? 1 : 0;
}

}  // namespace

int trace(const trace_options& options) try {
  if (options.output.empty()) {
    throw error("trace", "the name of the trace is empty", "name a file by -o, e.g. traffic.mtx");
  }
  if (!options.parts.empty()) return collect(options);
  preload what{"trace", options.command, mpi_named(options.mpi), {}, options.output};
  return run_preloaded(asks_for_windows(options) ? with_windows(std::move(what), options) : what);
} catch (const error& reason) {
  return complain(reason, usage_error);
}

}  // namespace acre::tool
