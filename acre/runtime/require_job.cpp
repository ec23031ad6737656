// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/require_job.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/job_nodes.hpp>
#include <acre/runtime/running_code.hpp>

namespace acre::runtime {

void require_job(const char* call) {
  if (the_nodes != nullptr) return;
  if (code_here.serves.how == served_as::child) throw_in_child(call);
  throw error(call, "Acre is not initialised", "create an acre::job first: acre::job job;");
}

}  // namespace acre::runtime
