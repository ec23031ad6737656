// SPDX-License-Identifier: BSD-3-Clause
// Names of jobs on a host.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace acre::launch {

/// A name for a new job that no other job of this host has, or will have, and that
/// fits in a file name: acre-PROCESS-NAMESPACE-TIME, by which others find out whether the process
/// that made it still lives.
[[nodiscard]] std::string make_job_name();

/// Names, among those of this host, the namespace in which this process has its number.
[[nodiscard]] std::uint64_t process_namespace();

/// `name` with a dash for each character that does not belong into a file name.
[[nodiscard]] std::string file_name_from(std::string_view name);

}  // namespace acre::launch
