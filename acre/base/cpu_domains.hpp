// SPDX-License-Identifier: BSD-3-Clause
// Sockets and NUMA domains of CPUs, as Linux reports them in /sys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace acre::base {

using cpu_mask = std::vector<std::uint64_t>;

/// CPUs on which this thread may run; the last word is not 0.
[[nodiscard]] cpu_mask usable_cpus();

/// Distinct numbers of domains, ascending; unknown CPUs are omitted.
/// @param system  another folder in tests
[[nodiscard]] std::vector<std::size_t> sockets_of(
    const cpu_mask& cpus, const std::filesystem::path& system = "/sys/devices/system");
[[nodiscard]] std::vector<std::size_t> numa_domains_of(
    const cpu_mask& cpus, const std::filesystem::path& system = "/sys/devices/system");

}  // namespace acre::base
