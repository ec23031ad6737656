#include "trace.hpp"

#include "complaint.hpp"
#include "preload.hpp"

namespace acre::tool {

int trace(const trace_options& options) try {
  if (options.output.empty()) {
    throw error("trace", "the trace has no name", "name a file with -o, as traffic.mtx");
  }
  return run_preloaded({"trace", options.command, mpi_named(options.mpi), {}, options.output});
} catch (const error& reason) {
  return complain(reason, usage_error);
}

}  // namespace acre::tool
