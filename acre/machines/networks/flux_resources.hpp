// SPDX-License-Identifier: BSD-3-Clause
// The resources of a job or an instance of Flux, as `flux resource R` and
// `flux job info JOB R` print them: version 1 of its R, in JSON.
//
//   {"version": 1, "execution": {"R_lite": [{"rank": "0-3", "children": {"core": "0-7"}}],
//                                "nodelist": ["n[01-04]"]}}
//
// The nodes are those of the ranks in their order; each has a slot for each core.
#pragma once

#include <acre/machines/networks/job_node.hpp>
#include <acre/machines/networks/json_text.hpp>
#include <acre/machines/networks/source_text.hpp>

#include <vector>

namespace acre::machines {

/// @param root of the file, with the key "execution"
/// @throws acre::error that names the line: no R_lite, no nodelist, more or fewer nodes than ranks
[[nodiscard]] std::vector<job_node> nodes_of_flux(const source_text& file, const json_value& root);

/// The same of what a command prints.
/// @throws acre::error as above, or when the command does not end well
[[nodiscard]] std::vector<job_node> ask_flux(const char* command);

}  // namespace acre::machines
