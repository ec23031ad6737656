// SPDX-License-Identifier: BSD-3-Clause
// The processor that this build requires.
#pragma once

namespace acre {

/// "any" of the architecture, or with ACRE_NATIVE the name of the one that built.
[[nodiscard]] const char* required_processor() noexcept;

/// Ends the process with an error message if its processor lacks instructions of this build.
/// Programs that link this also call it before main().
void require_processor() noexcept;

}  // namespace acre
