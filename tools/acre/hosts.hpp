// SPDX-License-Identifier: BSD-3-Clause
// Hosts in commands for other launchers; only this machine is accepted.
#pragma once

#include <string>
#include <vector>

namespace acre::tool {

/// Parses --host: "c0,c1:4".
[[nodiscard]] std::vector<std::string> hosts_of_list(const std::string& list);

/// Names in a hostfile: first word of each line, # comments.
/// @throws acre::error if unreadable
[[nodiscard]] std::vector<std::string> hosts_of_file(const std::string& file);

/// True for the host's name with or without domain, localhost, or an own address.
[[nodiscard]] bool is_this_machine(const std::string& name);

/// @throws acre::error for another machine or no host
void check_all_here(const std::vector<std::string>& hosts);

}  // namespace acre::tool
