// SPDX-License-Identifier: BSD-3-Clause
// Collective checkpoints of bags, restored by any number of ranks.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/bag/bag.hpp>
#include <acre/global/team/record_file.hpp>
#include <acre/global/team/saved_pieces.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <string>

namespace acre {

namespace container {

/// Distributed evenly. Collective.
template <class C>
[[nodiscard]] bag<typename C::value_type> read_saved_values(const team& members,
                                                            const std::string& path,
                                                            const site& where) {
  using value = typename C::value_type;
  const global::saved_file file(members, global::description_of_values<C>(), path, where);
  bag<value> values(members);
  global::run_together(members, "restore", where, [&] {
    global::for_each_saved(file.read_share(),
                           [&](reader& from) { values.insert(from.read<value>()); });
  });
  values.rebalance(where);
  return values;
}

}  // namespace container

/// As hash_checkpoint.hpp. Cost: 6 allgathers, a copy of own elements, the writes.
template <class T>
void checkpoint(const bag<T>& elements, const std::string& path,
                const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  global::saved_pieces mine;
  global::run_together(elements.members(), "checkpoint", where, [&] {
    for (const T& each : elements.local()) mine.add(each);
  });
  mine.write(elements.members(), global::description_of_values<bag<T>>(), path, where);
}

/// As hash_checkpoint.hpp. Cost: 5 allgathers, rebalance().
template <class T>
void restore(bag<T>& elements, const std::string& path, const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  bag<T> read = container::read_saved_values<bag<T>>(elements.members(), path, where);
  elements.swap(read);
}

}  // namespace acre
