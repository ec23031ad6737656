// SPDX-License-Identifier: BSD-3-Clause
// Does the provider tell the truth?
//
// Two endpoints of this process, on fabrics of their own. One puts; only its
// own side is polled; if the put completes while the bytes are not in the
// target's memory, the provider's "complete" means something else than ours.
// Then both sides are polled, the put must complete, and the bytes must be
// those of the time of issue. What a provider claims in fi_getinfo does not
// count: several claim more than they do.
//
// A provider that reads another thing in a descriptor than zeros may crash where
// it is given them, or hang. So small_put::bare is tried in a child of this
// process, which has a time limit: anything but its clear word for it is a no. A
// child that does not end may only have been late, on a crowded machine: that is
// a no for this start, and the next one asks again.
//
// A verdict is kept in the user's cache folder for this provider in this build
// of libfabric. Only success is kept, and only where all ways before it were
// judged, as a file that holds exactly one word, so a damaged or outdated file
// costs a repetition and nothing else.
#pragma once

#include <acre/fabric/ofi_provider.hpp>

#include <optional>
#include <string>

namespace acre::fabric {

/// What is wrong with the provider as chosen; nothing when it keeps its promises.
[[nodiscard]] std::optional<std::string> find_ofi_lie(const ofi_choice& choice);

/// The same, found out by a child of this process, which may die of it.
/// @throws acre::error when that is not found out: there is no child, or it does not end in time
[[nodiscard]] std::optional<std::string> find_ofi_lie_in_child(const ofi_choice& choice);

/// The first way of issuing small puts with which the provider keeps its
/// promises, with the provider's description for it.
/// @param request the provider and the addressing to use
/// @return nothing when libfabric does not grant the request at all
/// @throws acre::error saying what the provider does wrong when no way is true
[[nodiscard]] std::optional<ofi_choice> choose_true_ofi(const ofi_request& request,
                                                        const conduit_options& options);

}  // namespace acre::fabric
