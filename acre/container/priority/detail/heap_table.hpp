// SPDX-License-Identifier: BSD-3-Clause
// Priority queue's collective calls, at a fixed address.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/priority/detail/heap_parts.hpp>
#include <acre/container/priority/detail/heap_work.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace acre::container {

template <class T, class Compare>
class heap_table : public heap_parts<T, Compare> {
  using parent = heap_parts<T, Compare>;
  using parent::memory;

 public:
  using parent::local_size;
  using parent::members;
  using parent::parent;

  [[nodiscard]] std::uint64_t size(const site& where) {
    const runtime::failures_held until_all_is_done;
    meet("priority_queue::size", where);
    return members().allreduce(local_size(), op::sum, where);
  }

  [[nodiscard]] std::optional<T> least(const site& where) {
    const runtime::failures_held until_all_is_done;
    meet("priority_queue::least", where);
    std::optional<T> mine = this->peek_own();
    if constexpr (reducible<T> && std::default_initializable<T>) {
      const candidate all =
          members().allreduce(candidate{mine ? *mine : T{}, mine.has_value()}, lesser_of, where);
      return all.exists ? std::optional(all.value) : std::nullopt;
    } else {
      std::optional<T> result;
      for (std::optional<T>& each : members().allgather(mine, where)) {
        if (each && (!result || Compare{}(*each, *result))) result = std::move(each);
      }
      return result;
    }
  }

  void clear(const site& where) {
    const runtime::failures_held until_all_is_done;
    meet("priority_queue::clear", where);
    this->release_local();
    members().barrier(where);
  }

  template <class F>
  void work(const T* bound, F& f, const char* call, const site& where) {
    meet(call, where);
    heap_work<T, Compare>(*this, bound, call, where).run(f);
  }

 private:
  struct candidate {
    T value;
    bool exists;
  };
  static candidate lesser_of(const candidate& a, const candidate& b) {
    if (!a.exists || !b.exists) return a.exists ? a : b;
    return Compare{}(b.value, a.value) ? b : a;
  }

  void meet(const char* call, const site& where) const {
    global::require_same_object(members(), call, memory().identity(), where);
    members().barrier(where);
  }
};

}  // namespace acre::container
