// SPDX-License-Identifier: BSD-3-Clause
// The rank after this one.
#pragma once

#include <acre/runtime/world.hpp>

namespace acre::testing {

inline rank_t other(unsigned steps = 1) { return (rank() + steps) % size(); }

}  // namespace acre::testing
