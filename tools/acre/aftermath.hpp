// SPDX-License-Identifier: BSD-3-Clause
// Cleans up processes and shared memory after a job.
#pragma once

#include <string_view>
#include <sys/types.h>
#include <vector>

namespace acre::tool {

inline constexpr std::string_view job_variable = "ACRE_JOB=";

[[nodiscard]] std::vector<pid_t> children();

/// Kills and reaps all children but `spared`, and their orphans if this process is a subreaper.
/// Takes at most a second.
void end_children(const std::vector<pid_t>& spared);

/// Kills all processes with the job's name in their environment, until all have ended.
void end_processes_of(std::string_view job_name);

void remove_shared_memory(std::string_view job_name);

/// Removes this user's entries of /dev/shm of jobs of this machine without a launcher.
void remove_shared_memory_of_lost_jobs();

}  // namespace acre::tool
