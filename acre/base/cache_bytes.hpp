// SPDX-License-Identifier: BSD-3-Clause
// How large the caches of this processor are.
#pragma once

#include <cstddef>

namespace acre::base {

/// Bytes of the level-2 or level-3 cache; 1 MiB or 32 MiB if unknown. (sysconf() may sum over the
/// host.)
[[nodiscard]] std::size_t cache_bytes(int level);

}  // namespace acre::base
