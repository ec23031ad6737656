// SPDX-License-Identifier: BSD-3-Clause
// Check of spans of equal size.
#pragma once

#include <cstddef>

namespace acre::container {

/// @throws acre::error if unequal
void check_as_many(const char* call, std::size_t keys, std::size_t others);

}  // namespace acre::container
