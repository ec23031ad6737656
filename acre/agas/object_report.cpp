// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/object_report.hpp>

#include <acre/agas/detail/object_census.hpp>
#include <acre/runtime/require_job.hpp>

namespace acre {

std::string object_report() {
  runtime::require_job("object_report");
  return agas::report_objects();
}

}  // namespace acre
