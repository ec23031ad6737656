// SPDX-License-Identifier: BSD-3-Clause
// Unanswered own_calls that were issued within calls of objects.
#pragma once

#include <acre/base/spin_lock.hpp>

namespace acre::agas {

class own_call;

/// While locked, these calls' states stay pending, so their continuations can be followed.
struct own_call_list {
  spin_lock lock;
  own_call* first = nullptr;
};
inline constinit own_call_list own_calls;

}  // namespace acre::agas
