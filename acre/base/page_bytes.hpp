// SPDX-License-Identifier: BSD-3-Clause
// Alignment of shared mappings: the largest page of any kernel of the architecture.
#pragma once

#include <cstddef>

namespace acre::base {

#if defined(__x86_64__)
inline constexpr std::size_t largest_page_bytes = std::size_t{4} << 10;
#else
inline constexpr std::size_t largest_page_bytes = std::size_t{64} << 10;
#endif

}  // namespace acre::base
