// SPDX-License-Identifier: BSD-3-Clause
// Collective checkpoints of priority queues, restored by any number of ranks.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/bag/bag.hpp>
#include <acre/container/bag/bag_checkpoint.hpp>
#include <acre/container/priority/priority_queue.hpp>
#include <acre/global/team/record_file.hpp>
#include <acre/global/team/saved_pieces.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <string>

namespace acre {

/// Without concurrent calls. Cost: B, as of a bag.
template <class T, class Compare>
void checkpoint(const priority_queue<T, Compare>& queue, const std::string& path,
                const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  queue.members().barrier(where);
  global::saved_pieces mine;
  global::run_together(queue.members(), "checkpoint", where,
                       [&] { queue.for_each_local([&](const T& value) { mine.add(value); }); });
  mine.write(queue.members(), global::description_of_values<priority_queue<T, Compare>>(), path,
             where);
}

/// Without concurrent calls. Cost: as of a bag, clear(), a push per value.
template <class T, class Compare>
  requires requires { typename bag<T>; }
void restore(priority_queue<T, Compare>& queue, const std::string& path,
             const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  const bag<T> values =
      container::read_saved_values<priority_queue<T, Compare>>(queue.members(), path, where);
  queue.clear(where);
  global::run_together(queue.members(), "restore", where, [&] {
    for (const T& each : values.local()) queue.push(each, where);
  });
}

}  // namespace acre
