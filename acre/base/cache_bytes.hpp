// SPDX-License-Identifier: BSD-3-Clause
// How large the caches of this processor are.
#pragma once

#include <cstddef>

namespace acre::base {

/// Of one cache of the second or third level, in bytes, as Linux describes it; where it does not,
/// as processors of these years have it. (What sysconf() says of the third level is the sum of all
/// of a host's on some.)
[[nodiscard]] std::size_t cache_bytes(int level);

}  // namespace acre::base
