// SPDX-License-Identifier: BSD-3-Clause
// Double-ended queue in the memory of one rank, without a capacity.
//
//     acre::deque<task> tasks(acre::world(), acre::hosted_by{0});
//     tasks.push_back(later);
//     tasks.push_front(urgent);
//     while (auto task = tasks.pop_front()) run(*task);
//
// Thread-safe and linearizable. Writes before a push are visible after its pop. On the host's node
// a lock excludes others; circular_queue is faster, for one end each.
//
// Values not trivially copyable are serialised; those of varying size reside in a private heap of
// the host's node (global/team/stored.hpp).
//
// Cost of n values on the host's node: push A + nW, pop A + nR. Other nodes: 2 M; more than a
// message of values: push 4 M + W, pop 3 M + R.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/container/deque/detail/deque_part.hpp>
#include <acre/container/deque/detail/hosted_deque.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/team/hosted_memory.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acre {

/// Moves: local. Destruction: collective, B; objects in the same order on all members.
/// @tparam T  trivially copyable or serialisable
template <storable T>
class deque {
  using end = container::deque_end;

 public:
  using value_type = T;

  /// Null handle.
  deque() = default;
  /// Creates an empty deque on a member. Collective. Cost: B + 1 allgather.
  /// @throws acre::error on all members if the host is no member or out of memory, or arguments
  /// differ
  deque(const team& members, hosted_by host, const site& where = site::current())
      : values_(base::make_unique_object<container::hosted_deque<T>>(members, host, where)) {}

  // --- values: any thread ---
  //
  // Pushes throw acre::error, without effect, if memory is full.

  void push_back(const T& value, const site& where = site::current()) {
    get("deque::push_back").push(end::back, std::span(&value, 1), "deque::push_back", where);
  }
  void push_front(const T& value, const site& where = site::current()) {
    get("deque::push_front").push(end::front, std::span(&value, 1), "deque::push_front", where);
  }
  /// Adds all values contiguously, in their order.
  void push_back(std::span<const T> values, const site& where = site::current()) {
    get("deque::push_back").push(end::back, values, "deque::push_back", where);
  }
  /// As push_back(): values[0] becomes the front.
  void push_front(std::span<const T> values, const site& where = site::current()) {
    get("deque::push_front").push(end::front, values, "deque::push_front", where);
  }

  /// Removes a value; null if empty.
  [[nodiscard]] std::optional<T> pop_back(const site& where = site::current()) {
    return pop_one(end::back, "deque::pop_back", where);
  }
  [[nodiscard]] std::optional<T> pop_front(const site& where = site::current()) {
    return pop_one(end::front, "deque::pop_front", where);
  }
  /// As many as exist, at most `most`; the first is the back.
  [[nodiscard]] std::vector<T> pop_back_some(std::size_t most,
                                             const site& where = site::current()) {
    return pop_some(end::back, most, "deque::pop_back_some", where);
  }
  /// As pop_back_some(); the first is the front.
  [[nodiscard]] std::vector<T> pop_front_some(std::size_t most,
                                              const site& where = site::current()) {
    return pop_some(end::front, most, "deque::pop_front_some", where);
  }

  /// Copies a value; null if empty. Cost: as a pop.
  [[nodiscard]] std::optional<T> peek_back(const site& where = site::current()) const {
    return get("deque::peek_back").peek(end::back, "deque::peek_back", where);
  }
  [[nodiscard]] std::optional<T> peek_front(const site& where = site::current()) const {
    return get("deque::peek_front").peek(end::front, "deque::peek_front", where);
  }

  /// Number of values at a moment of the call. Cost: R; at other nodes 2 M.
  [[nodiscard]] std::uint64_t size(const site& where = site::current()) const {
    return get("deque::size").size("deque::size", where);
  }
  [[nodiscard]] bool empty(const site& where = site::current()) const { return size(where) == 0; }

  [[nodiscard]] member host() const {
    const auto& held = get("deque::host");
    return held.members()[held.host()];
  }
  [[nodiscard]] const team& members() const { return get("deque::members").members(); }
  /// False if null or moved from.
  [[nodiscard]] explicit operator bool() const noexcept { return values_ != nullptr; }

  /// Calls f(value) with copies, from the front, on the host, without concurrent use. l.
  /// @throws acre::error on other ranks
  template <std::invocable<const T&> F>
  void for_each_local(F&& f) const {
    get("deque::for_each_local").for_each(std::forward<F>(f), "deque::for_each_local");
  }
  /// Copies, as for_each_local(); empty on other ranks. l.
  [[nodiscard]] std::vector<T> own_elements() const {
    std::vector<T> all;
    if (!host().is_this_rank()) return all;
    for_each_local([&](const T& value) { all.push_back(value); });
    return all;
  }

  /// Removes all values, without concurrent use. Collective. Cost: 2 B.
  void clear(const site& where = site::current()) { get("deque::clear").clear(where); }
  /// Local.
  void swap(deque& other) noexcept { std::swap(values_, other.values_); }
  friend void swap(deque& a, deque& b) noexcept { a.swap(b); }

 private:
  [[nodiscard]] container::hosted_deque<T>& get(const char* call) const {
    return global::require_object(values_.get(), call, "deque", "deque{team, host}");
  }
  [[nodiscard]] std::optional<T> pop_one(end at, const char* call, const site& where) {
    std::optional<T> value;
    get(call).pop(at, 1, call, where, [&](T&& popped) { value.emplace(std::move(popped)); });
    return value;
  }
  [[nodiscard]] std::vector<T> pop_some(end at, std::size_t most, const char* call,
                                        const site& where) {
    std::vector<T> values;
    get(call).pop(at, most, call, where, [&](T&& popped) { values.push_back(std::move(popped)); });
    return values;
  }

  base::unique_object<container::hosted_deque<T>> values_;
};

}  // namespace acre
