// SPDX-License-Identifier: BSD-3-Clause
// Priority queue's collective calls, at a fixed address.
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/container/priority/detail/heap_parts.hpp>
#include <acre/container/priority/detail/heap_work.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/succeed_together.hpp>
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
    constexpr const char* call = "priority_queue::least";
    meet(call, where);
    std::optional<T> mine;
    global::succeed_together(members(), call, where, [&] { mine = this->peek_own(); });
    if constexpr (reducible<T> && std::default_initializable<T>) {
      const candidate all = members().allreduce(
          candidate{mine ? *mine : T{}, mine ? state::value : state::none}, lesser_of, where);
      if (all.is == state::failure) {
        throw error(call, "a comparison threw an exception" + describe_place(where),
                    "let Compare throw none, or remove the values that it refuses");
      }
      return all.is == state::value ? std::optional(all.value) : std::nullopt;
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
  enum class state : std::uint8_t { none, value, failure };
  struct candidate {
    T value;
    state is;
  };
  static candidate lesser_of(const candidate& a, const candidate& b) noexcept {
    if (a.is != state::value || b.is != state::value) return a.is > b.is ? a : b;
    try {
      return Compare{}(b.value, a.value) ? b : a;
    } catch (...) {
      return {a.value, state::failure};
    }
  }

  void meet(const char* call, const site& where) const {
    global::require_same_object(members(), call, memory().identity(), where);
    members().barrier(where);
  }
};

}  // namespace acre::container
