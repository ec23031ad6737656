// SPDX-License-Identifier: BSD-3-Clause
// The search for a parcel that waits for a call which, by way of other ranks, waits for it:
// object_watch.hpp describes it.
#pragma once

#include <acre/agas/detail/admission.hpp>
#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/detail/parcel.hpp>
#include <acre/global/future/task.hpp>

#include <cstdint>
#include <vector>

namespace acre::agas {

/// A parcel that waits, and what it waits for.
struct suspect {
  parcel_header parcel;
  std::vector<std::uint64_t> waits_for;  ///< calls
  bool waits_for_pins = false;
  bool waits_for_end_of_job = false;  ///< by a pin of the thread that ends the job
};

/// Whether a parcel waits for what waits for it, as far as it can be found.
[[nodiscard]] task<bool> search_cycle(suspect of);

/// Whether the thread that ends the job holds a pin of the object. It does not end that pin before
/// its wait. (The functions that drain() runs may end a pin of its caller.)
[[nodiscard]] bool is_pinned_by_end_of_job(const hosted_object& object);

/// Calls use(parcel, waits_for_all) for each parcel that waits at an object for calls that run
/// there: changes for all of them; calls for the exclusive one, concurrent calls where the order of
/// their caller puts them behind an exclusive call that waits.
template <class Use>
void for_each_dependent(const hosted_object& object, Use&& use) {
  admission<hosted_object, parcel_header> order(object);
  object.waiting.for_each([&](parcel_bytes bytes) {
    const parcel_header parcel = header_of(bytes);
    if (parcel.kind == parcel_kind::call) order.note_waiting(parcel);
    if (parcel.kind == parcel_kind::concurrent_call && order.passes_calls(parcel)) return;
    if (parcel.is_awaited()) use(parcel, parcel.is_about_object());
  });
}

}  // namespace acre::agas
