// SPDX-License-Identifier: BSD-3-Clause
// Waits for a condition.
//
//     std::atomic_ref<int> flag(*mine.local());
//     acre::wait_until([&] { return flag.load(std::memory_order_acquire) != 0; });
#pragma once

#include <acre/base/site.hpp>
#include <acre/runtime/wait.hpp>

#include <concepts>
#include <type_traits>

namespace acre {

namespace global {

template <class Ready>
void wait_until(Ready&& ready, const char* call, const site& where) {
  if (ready()) return;
  using predicate = std::remove_reference_t<Ready>;
  runtime::wait_until(
      [](const void* subject) -> bool {
        return (*static_cast<predicate*>(const_cast<void*>(subject)))();
      },
      &ready, nullptr, call, where);
}

}  // namespace global

/// Waits until `ready()` is true, as for futures: makes progress, runs functions of other ranks,
/// yields, finally sleeps. `ready` is called repeatedly, should be short, and may read plain
/// memory; stores of others are seen within 4 ms. Thread-safe. Cost: l if ready at once.
/// @throws exceptions of `ready`, and one of a user function that ran here or earlier
template <class Ready>
  requires std::predicate<Ready&>
void wait_until(Ready&& ready, const site& where = site::current()) {
  global::wait_until(ready, "wait_until", where);
}

}  // namespace acre
