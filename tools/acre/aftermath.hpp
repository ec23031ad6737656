// What must not outlive a job: processes and shared memory.
#pragma once

#include <string_view>
#include <sys/types.h>
#include <vector>

namespace acre::tool {

/// The processes whose parent is this one.
[[nodiscard]] std::vector<pid_t> children();

/// Kills and reaps all children but `spared`, and what these leave behind,
/// for at most a second. Orphans come to this process if it is a subreaper.
void end_children(const std::vector<pid_t>& spared);

/// Removes the entries of /dev/shm that have the job's name in theirs.
void remove_shared_memory(std::string_view job_name);

}  // namespace acre::tool
