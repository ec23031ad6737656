// All own_calls of this rank that are asked for within calls of objects, and have no answer yet.
#pragma once

#include <acre/agas/detail/own_call.hpp>
#include <acre/base/spin_lock.hpp>

namespace acre::detail {

/// Whoever holds the lock may look at them, and at what waits for their states: none is fulfilled
/// meanwhile.
struct own_call_list {
  spin_lock lock;
  own_call* first = nullptr;
};
extern constinit own_call_list own_calls;

}  // namespace acre::detail
