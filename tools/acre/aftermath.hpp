// SPDX-License-Identifier: BSD-3-Clause
// What must not outlive a job: processes and shared memory.
#pragma once

#include <string_view>
#include <sys/types.h>
#include <vector>

namespace acre::tool {

/// The variable in the environment of ranks that names their job.
inline constexpr std::string_view job_variable = "ACRE_JOB=";

/// The processes whose parent is this one.
[[nodiscard]] std::vector<pid_t> children();

/// Kills and reaps all children but `spared`, and what these leave behind,
/// for at most a second. Orphans come to this process if it is a subreaper.
void end_children(const std::vector<pid_t>& spared);

/// Kills the processes that have the job's name in their environment, and those that these
/// start meanwhile, until none is left.
void end_processes_of(std::string_view job_name);

/// Removes the entries of /dev/shm that have the job's name in theirs.
void remove_shared_memory(std::string_view job_name);

/// Removes this user's entries of /dev/shm that have the name of a job of this machine in theirs
/// whose launcher is gone.
void remove_shared_memory_of_lost_jobs();

}  // namespace acre::tool
