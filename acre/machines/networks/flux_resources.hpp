// SPDX-License-Identifier: BSD-3-Clause
// Reads Flux resources: R version 1 in JSON, from `flux resource R` or `flux job info JOB R`.
#pragma once

#include <acre/machines/networks/job_node.hpp>
#include <acre/machines/networks/json_text.hpp>
#include <acre/machines/networks/source_text.hpp>

#include <vector>

namespace acre::machines {

/// Nodes in the order of ranks, with a slot per core.
/// @throws acre::error with the line: no R_lite or nodelist, a wrong number of nodes
[[nodiscard]] std::vector<job_node> nodes_of_flux(const source_text& file, const json_value& root);

/// @throws acre::error as above, or if the command fails
[[nodiscard]] std::vector<job_node> ask_flux(const char* command);

}  // namespace acre::machines
