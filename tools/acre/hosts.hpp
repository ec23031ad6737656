// SPDX-License-Identifier: BSD-3-Clause
// The hosts that a job is asked to run on: `acre run` has one, the machine that it runs on.
//
// Commands that were written for other launchers name hosts all the same. Where they name this one,
// there is nothing to do; where they name another, to run here would be wrong.
#pragma once

#include <string>
#include <vector>

namespace acre::tool {

/// The names in a list, as --host takes it: "c0,c1:4".
[[nodiscard]] std::vector<std::string> hosts_of_list(const std::string& list);

/// The names in a hostfile: one begins each line, and a # the comments.
/// @throws acre::error when it cannot be read
[[nodiscard]] std::vector<std::string> hosts_of_file(const std::string& file);

/// Whether a name is one of this machine: the host's own, with or without its domain, localhost, or
/// an address of one of its interfaces. No name server is asked.
[[nodiscard]] bool is_this_machine(const std::string& name);

/// @throws acre::error when one of them is another machine, or there is none
void check_all_here(const std::vector<std::string>& hosts);

}  // namespace acre::tool
