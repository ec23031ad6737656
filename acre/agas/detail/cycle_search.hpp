// SPDX-License-Identifier: BSD-3-Clause
// Search for cyclic waits; see object_watch.hpp.
#pragma once

#include <acre/agas/detail/admission.hpp>
#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/detail/parcel.hpp>
#include <acre/global/future/task.hpp>

#include <cstdint>
#include <vector>

namespace acre::agas {

struct suspect {
  parcel_header parcel;
  std::vector<std::uint64_t> waits_for;
  bool waits_for_pins = false;
  bool waits_for_end_of_job = false;  ///< a pin of the thread ending the job
};

[[nodiscard]] task<bool> search_cycle(suspect of);

/// True if the thread that ends the job has pinned the object, for longer than the wait. (In
/// drain(), other functions may end the pin.)
[[nodiscard]] bool is_pinned_by_end_of_job(const hosted_object& object);

/// Calls use(parcel, waits_for_all) for each queued parcel whose caller waits, if it may depend on
/// running calls: changes on all of them; exclusive calls, and concurrent calls ordered after other
/// calls, on the exclusive one.
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
