// SPDX-License-Identifier: BSD-3-Clause
// Collective checkpoints of queues and deques, restored by any number of ranks.
//
//     acre::checkpoint(tasks, "tasks.acre");
//
//     acre::circular_queue<task> tasks(acre::world(), acre::hosted_by{0}, 1'000);  // another job
//     acre::restore(tasks, "tasks.acre");
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/container/queue/detail/queue_operations.hpp>
#include <acre/global/team/record_file.hpp>
#include <acre/global/team/saved_pieces.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acre {

template <storable T>
class deque;

namespace container {

template <class T, class Ring, class Pushing, class Popping>
void is_a_queue(const queue_operations<T, Ring, Pushing, Popping>&);
template <class T>
void is_a_queue(const deque<T>&);
template <class C>
concept saved_queue = requires(const C& queue) { is_a_queue(queue); };

template <class C>
void require_capacity(const C& queue, std::uint64_t values) {
  if constexpr (requires { queue.capacity(); }) {
    if (values <= queue.capacity()) return;
    throw error("restore",
                std::to_string(values) + " values exceed the queue's capacity of " +
                    std::to_string(queue.capacity()),
                "call resize() of the queue before");
  }
}
template <class C, class T>
void push_saved(C& queue, std::span<const T> values) {
  if constexpr (requires { queue.push_back(values); }) {
    queue.push_back(values);
  } else {
    queue.push(values);
  }
}

}  // namespace container

/// As hash_checkpoint.hpp, without concurrent calls. Cost: B + 6 allgathers, a copy of the values
/// on the host, the writes.
template <container::saved_queue C>
void checkpoint(const C& queue, const std::string& path, const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  queue.members().barrier(where);
  global::saved_pieces mine;
  global::run_together(queue.members(), "checkpoint", where, [&] {
    if (!queue.host().is_this_rank()) return;
    queue.for_each_local([&](const auto& value) { mine.add(value); });
  });
  mine.write(queue.members(), global::description_of_values<C>(), path, where);
}

/// As hash_checkpoint.hpp, without concurrent calls. Cost: 5 allgathers, clear(), reads by the
/// host.
/// @throws acre::error also if the values exceed the capacity
template <container::saved_queue C>
void restore(C& queue, const std::string& path, const site& where = site::current()) {
  using value = typename C::value_type;
  const runtime::failures_held until_all_is_done;
  const global::saved_file file(queue.members(), global::description_of_values<C>(), path, where);
  std::vector<value> values;
  global::run_together(queue.members(), "restore", where, [&] {
    container::require_capacity(queue, file.content().items);
    if (!queue.host().is_this_rank()) return;
    global::for_each_saved(file.read(0, file.content().pieces),
                           [&](reader& from) { values.push_back(from.read<value>()); });
  });
  queue.clear(where);
  global::run_together(queue.members(), "restore", where, [&] {
    if (!values.empty()) container::push_saved(queue, std::span<const value>(values));
  });
}

}  // namespace acre
