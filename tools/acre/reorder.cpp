#include "reorder.hpp"

#include "complaint.hpp"
#include "order.hpp"
#include "preload.hpp"

#include <filesystem>
#include <utility>

namespace acre::tool {

namespace fs = std::filesystem;

int reorder(const reorder_options& options) try {
  if (fs::exists(options.order) && !fs::is_regular_file(options.order)) {
    throw bad_order{options.order + " is not a file that rank 0 could read again",
                    "write the order to a file first"};
  }
  (void)read_order(options.order, 0);  // how many ranks there are, only the job knows
  preload what{"reorder", options.command, mpi_named(options.mpi), {}};
  const auto add = [&](const char* name, const std::string& file) {
    what.settings.emplace_back(name, fs::absolute(file).string());
  };
  add("ACRE_MPI_ORDER", options.order);
  if (!options.trace.empty()) add("ACRE_MPI_TRACE", options.trace);
  return run_preloaded(what);
} catch (const bad_order& reason) {
  return complain(error("reorder", reason.problem, reason.advice), usage_error);
} catch (const error& reason) {
  return complain(reason, usage_error);
}

}  // namespace acre::tool
