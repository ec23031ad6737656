// SPDX-License-Identifier: BSD-3-Clause
// Unique names of jobs on a host.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace acre::launch {

/// Job name that is valid as a file name: acre-PROCESS-NAMESPACE-TIME.
[[nodiscard]] std::string make_job_name();

[[nodiscard]] std::uint64_t process_namespace();

/// Replaces all but letters, digits, `_`, `.` and `-` by dashes.
[[nodiscard]] std::string file_name_from(std::string_view name);

}  // namespace acre::launch
