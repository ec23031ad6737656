// SPDX-License-Identifier: BSD-3-Clause
// Opens a conduit by its name, without a word of the library under it.
#pragma once

#include <acre/fabric/conduit.hpp>
#include <acre/fabric/conduit_options.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace acre::fabric {

/// The conduits of this build of Acre; "loopback", which joins no processes, is for tests.
[[nodiscard]] std::vector<std::string_view> conduit_names();

/// Whether the conduit of this name uses conduit_options::addresses; an empty name is that of the
/// conduit that open_conduit() prefers. False if this build has no conduit of the name.
[[nodiscard]] bool uses_addresses(std::string_view name);

/// Opens the conduit of this name; of an empty one the best that there is.
///
/// For libfabric that loads the library, chooses a provider, tests it, and opens an endpoint. The
/// first opening in a process costs about 60 ms in Debian's libfabric 1.17, whose verbs provider
/// searches /proc/kallsyms.
///
/// @throws acre::error when there is none of that name, or when the library or the network is not
///         there or does not do what it claims
[[nodiscard]] std::unique_ptr<conduit> open_conduit(std::string_view name,
                                                    const conduit_options& options);

}  // namespace acre::fabric
