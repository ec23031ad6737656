// SPDX-License-Identifier: BSD-3-Clause
// Cache sizes of this processor.
#pragma once

#include <cstddef>

namespace acre::base {

/// Size of the cache of level 2 or 3; 1 MiB or 32 MiB if unknown.
[[nodiscard]] std::size_t cache_bytes(int level);

}  // namespace acre::base
