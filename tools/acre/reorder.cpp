// SPDX-License-Identifier: BSD-3-Clause
#include "reorder.hpp"

#include "complaint.hpp"
#include "messages_file.hpp"
#include "order.hpp"
#include "preload.hpp"

#include <filesystem>

namespace acre::tool {

namespace fs = std::filesystem;

namespace {

// The trace must not overwrite the order.
void keep_order(const reorder_options& options) {
  if (options.trace.empty()) return;
  for (const std::string& each : {options.trace, messages_file(options.trace)}) {
    std::error_code none;
    if (!fs::equivalent(each, options.order, none)) continue;
    throw error("reorder", "the trace would overwrite the order, " + each,
                "name another file with --trace");
  }
}

}  // namespace

int reorder(const reorder_options& options) try {
  std::error_code none;
  if (fs::exists(options.order, none) && !fs::is_regular_file(options.order, none)) {
    throw bad_order{options.order + " is not a regular file, but rank 0 reads it again",
                    "write the order to a file first"};
  }
  (void)read_order(options.order, 0);
  keep_order(options);
  return run_preloaded({"reorder",
                        options.command,
                        mpi_named(options.mpi),
                        {{"ACRE_MPI_ORDER", fs::absolute(options.order).string()}},
                        options.trace});
} catch (const bad_order& reason) {
  return complain(error("reorder", reason.problem, reason.advice), usage_error);
} catch (const error& reason) {
  return complain(reason, usage_error);
}

}  // namespace acre::tool
