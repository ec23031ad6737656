// SPDX-License-Identifier: BSD-3-Clause
// Opens a conduit by name; hides the library below.
#pragma once

#include <acre/fabric/conduit.hpp>
#include <acre/fabric/conduit_options.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace acre::fabric {

/// Names that open_conduit() accepts. "loopback" is for tests in one process.
[[nodiscard]] std::vector<std::string_view> conduit_names();

[[nodiscard]] bool uses_addresses(std::string_view name);

/// Opens a conduit; an empty `name` means the preferred one. A process's first libfabric conduit
/// costs about 60 ms: Debian's libfabric 1.17 searches /proc/kallsyms.
/// @throws acre::error if unknown, or if library or network are missing or defective
[[nodiscard]] std::unique_ptr<conduit> open_conduit(std::string_view name,
                                                    const conduit_options& options);

}  // namespace acre::fabric
