#include "trace.hpp"

#include "complaint.hpp"
#include "messages_file.hpp"
#include "preload.hpp"

#include <cstdio>
#include <filesystem>

namespace acre::tool {

namespace fs = std::filesystem;

int trace(const trace_options& options) try {
  const std::string messages = messages_file(options.output);
  std::error_code none;
  fs::remove(options.output, none);
  fs::remove(messages, none);
  const int status = run_preloaded({"trace",
                                    options.command,
                                    mpi_named(options.mpi),
                                    {{"ACRE_MPI_TRACE", fs::absolute(options.output).string()}}});
  if (status != 0) return status;
  if (!fs::exists(options.output, none)) {
    std::fprintf(stderr,
                 "acre: trace: %s was not written: no rank came to MPI_Finalize\n"
                 "      a program that ends without it, or that is not of the MPI which was found, "
                 "leaves no trace\n",
                 options.output.c_str());
    return 1;
  }
  std::fprintf(stderr, "acre: trace: bytes are in %s, messages in %s\n", options.output.c_str(),
               messages.c_str());
  return 0;
} catch (const error& reason) {
  return complain(reason, usage_error);
}

}  // namespace acre::tool
