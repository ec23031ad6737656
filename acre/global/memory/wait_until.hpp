// SPDX-License-Identifier: BSD-3-Clause
// Waiting for whatever a program likes: a flag that an RPC sets, a word that others put.
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

/// As acre::wait_until() below, in a call of this name: other waits of users, too, throw at their
/// end what was thrown meanwhile.
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

/// Waits until `ready()`, as futures and barriers wait: it makes progress, runs what others have
/// asked of this rank, lets others have the core when nothing comes, and sleeps at last; the stall
/// watch names the caller's line. `ready` is called again and again and should be short; it may
/// look at plain memory. A store that no call of this rank's brings, by a neighbour or another
/// thread, is seen after 4 ms at the latest.
/// Any thread may call it. Cost: l, when it is ready at once: then nothing else is done.
/// @throws what `ready` throws, and what a function of the user threw that ran here or in an
///         earlier wait of this rank; one a call
template <class Ready>
  requires std::predicate<Ready&>
void wait_until(Ready&& ready, const site& where = site::current()) {
  global::wait_until(ready, "wait_until", where);
}

}  // namespace acre
