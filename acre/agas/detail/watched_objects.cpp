// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/watched_objects.hpp>

#include <acre/agas/detail/object_space.hpp>

#include <algorithm>
#include <utility>

namespace acre::agas {

constinit std::atomic<bool> has_watched{false};

bool is_likely_cycle(const hosted_object& object, const parcel_header& waits) {
  return waits.is_awaited() &&
         (object.runs(waits.family()) || (waits.is_about_object() && object.pinned_by != nullptr));
}

void watch(hosted_object& object, const parcel_header& waits) {
  waiting_record& record = *object.record;
  if (!record.is_watched || is_likely_cycle(object, waits)) {
    record.looks = 0;
    const std::int64_t soon = nanoseconds_now() + first_look;
    record.look_again = record.is_watched ? std::min(record.look_again, soon) : soon;
  }
  if (std::exchange(record.is_watched, true)) return;
  space().watched.push_back(object.name);
  has_watched.store(true, std::memory_order_relaxed);
}

}  // namespace acre::agas
