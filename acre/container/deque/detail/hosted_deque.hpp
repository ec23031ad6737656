// SPDX-License-Identifier: BSD-3-Clause
// A deque in the memory of one member, used directly if mapped here, else by services.
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/container/deque/detail/deque_part.hpp>
#include <acre/container/deque/detail/deque_services.hpp>
#include <acre/container/queue/detail/queue_records.hpp>
#include <acre/container/queue/detail/stored_values.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/team/hosted_memory.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_object.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre::container {

template <class T>
class hosted_deque : public team_object<hosted_memory> {
  using part = deque_part<T>;
  using V = stored_t<T>;
  using form = stored_form<T>;

 public:
  hosted_deque(const team& members, hosted_by host, const site& where)
      : team_object(
            members,
            hosted_memory(members, host, sizeof(deque_head), alignof(deque_head), "deque",
                          {.number = sizeof(deque_head), .unit = "bytes", .type = &typeid(part)},
                          where),
            "the destructor of the deque made", where),
        host_(host.member) {
    const runtime::failures_held until_all_is_done;
    if (members.rank() == host_) std::memset(memory().mine(), 0, sizeof(deque_head));
    members.barrier(where);
  }
  ~hosted_deque() {
    if (release() && memory().mine() != nullptr) own_part().release_all();
  }

  [[nodiscard]] rank_t host() const noexcept { return host_; }

  void push(deque_end end, std::span<const T> values, const char* call, const site& where) const {
    if (values.empty()) return;
    const part there = direct_part();
    if constexpr (storage_of<T> == storage::direct) {
      push_forms(there, end, std::as_bytes(values), values.size(), call, where);
    } else {
      if constexpr (is_separate<T>) {
        if (!there) return push_records(end, values, call, where);
      }
      stored_values<T> forms(values);
      push_forms(there, end, std::as_bytes(forms.get()), values.size(), call, where);
      forms.give_away(values.size());
    }
  }

  /// Calls take(T&&) for each removed value.
  /// @throws exceptions of deserialisation; the value and those after it are lost
  template <class Take>
  void pop(deque_end end, std::uint64_t most, const char* call, const site& where,
           Take&& take) const {
    if (const part there = direct_part()) [[likely]] {
      pop_directly(there, end, most, take);
      return;
    }
    const at_owner::answered popped = ask<deque_pop_service<T>>(end, most, {}, call, where);
    if constexpr (is_separate<T>) {
      for_each_record(popped.bytes, popped.code, [&](std::span<const std::byte> bytes) {
        const copied_bytes aligned(bytes);
        take(deserialize<T>(aligned.bytes()));
      });
    } else {
      if (popped.bytes.size() / sizeof(V) < popped.code) at_owner::throw_not_here();
      for (std::uint64_t i = 0; i < popped.code; ++i) {
        const V stored = global::load_bytes<V>(popped.bytes.data() + i * sizeof(V));
        take(T(form::load(stored)));
      }
    }
  }

  [[nodiscard]] std::optional<T> peek(deque_end end, const char* call, const site& where) const {
    std::optional<T> value;
    if (const part there = direct_part()) [[likely]] {
      const bool found =
          there.peek(end, [&](const V& stored) { value.emplace(form::load(form::copy(stored))); });
      runtime::count(runtime::direct_costs{.reads = found ? 1U : 0U, .atomics = 1});
      return value;
    }
    const at_owner::answered seen = ask<deque_peek_service<T>>(end, 1, {}, call, where);
    if (seen.code == 0) return value;
    if constexpr (is_separate<T>) {
      const copied_bytes aligned(seen.bytes);
      value.emplace(deserialize<T>(aligned.bytes()));
    } else {
      if (seen.bytes.size() < sizeof(V)) at_owner::throw_not_here();
      value.emplace(form::load(global::load_bytes<V>(seen.bytes.data())));
    }
    return value;
  }

  [[nodiscard]] std::uint64_t size(const char* call, const site& where) const {
    if (const part there = direct_part()) [[likely]] {
      runtime::count(runtime::direct_costs{.reads = 1});
      return there.size();
    }
    return ask<deque_size_service<T>>(deque_end::front, 0, {}, call, where).code;
  }

  template <class F>
  void for_each(F&& f, const char* call) const {
    if (members().rank() != host_) [[unlikely]] {
      throw error(call, "this call is reserved for the host, member " + std::to_string(host_),
                  "call it if host().is_this_rank()");
    }
    own_part().for_each([&](const V& stored) { f(form::load(form::copy(stored))); });
  }

  void clear(const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), "deque::clear", memory().identity(), where);
    members().barrier(where);
    if (members().rank() == host_) own_part().release_all();
    members().barrier(where);
  }

 private:
  [[nodiscard]] part direct_part() const noexcept {
    return part(runtime::direct_address(memory().bits()));
  }
  [[nodiscard]] part own_part() const noexcept { return part(memory().mine()); }

  template <class Service>
  at_owner::answered ask(deque_end end, std::uint64_t count, std::span<const std::byte> payload,
                         const char* call, const site& where) const {
    const deque_words words{memory().bits() & offset_mask, static_cast<fabric::word>(end), count};
    return at_owner::ask<Service>(members().world_rank(host_), words, payload, call, where);
  }

  void push_forms(const part& there, deque_end end, std::span<const std::byte> forms,
                  std::uint64_t count, const char* call, const site& where) const {
    if (there) [[likely]] {
      there.push(end, forms.data(), count);
      runtime::count(runtime::direct_costs{.writes = count, .atomics = 1});
      return;
    }
    static_cast<void>(ask<deque_push_service<T>>(end, count, forms, call, where));
  }

  void push_records(deque_end end, std::span<const T> values, const char* call,
                    const site& where) const {
    std::vector<std::byte> records;
    for (const T& each : values) {
      const std::size_t begin = records.size();
      records.resize(begin + record_bytes(serialized_size(each)));
      write_record(records.data() + begin, serialize(each));
    }
    static_cast<void>(ask<deque_push_service<T>>(end, values.size(), records, call, where));
  }

  template <class Take>
  static void pop_directly(const part& there, deque_end end, std::uint64_t most, Take& take) {
    std::uint64_t count = 0;
    if constexpr (storage_of<T> == storage::direct) {
      alignas(T) std::byte one[sizeof(T)];
      std::vector<std::byte> more;
      const std::byte* values = one;
      count = there.pop(end, most, [&](std::uint64_t number, std::uint64_t bytes) {
        if (number == 1) return one;
        more.resize(bytes);
        values = more.data();
        return more.data();
      });
      for (std::uint64_t i = 0; i < count; ++i) {
        take(global::load_bytes<T>(values + i * sizeof(T)));
      }
    } else {
      std::optional<popped_values<T>> forms;
      count = there.pop(end, most, [&](std::uint64_t number, std::uint64_t) {
        forms.emplace(number);
        return forms->bytes();
      });
      if (forms) {
        forms->set_count(count);
        while (!forms->empty()) take(forms->take_front());
      }
    }
    runtime::count(runtime::direct_costs{.reads = count, .atomics = 1});
  }

  rank_t host_;
};

}  // namespace acre::container
