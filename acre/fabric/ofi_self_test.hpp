// SPDX-License-Identifier: BSD-3-Clause
// Tests whether a provider completes puts correctly; fi_getinfo's claims are unreliable.
//
// One endpoint of this process puts to another. Polled alone, it must not complete before its bytes
// are in the target's memory. With both polled it must complete, with the bytes as of issue.
//
// A zero descriptor may crash or hang a provider, so small_put::bare is tested in a child; a
// timeout rejects it for this start only. Successes are cached per provider and libfabric build, if
// all earlier ways were judged.
#pragma once

#include <acre/fabric/ofi_provider.hpp>

#include <optional>
#include <string>

namespace acre::fabric {

/// Describes the provider's defect; no value if correct.
[[nodiscard]] std::optional<std::string> find_ofi_lie(const ofi_choice& choice);

/// As above, in a child process.
/// @throws acre::error without verdict: fork failed or timeout
[[nodiscard]] std::optional<std::string> find_ofi_lie_in_child(const ofi_choice& choice);

/// Selects the first reliable way of small puts; null if libfabric rejects the request.
/// @throws acre::error if all fail
[[nodiscard]] std::optional<ofi_choice> choose_true_ofi(const ofi_request& request,
                                                        const conduit_options& options);

}  // namespace acre::fabric
