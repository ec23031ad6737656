// SPDX-License-Identifier: BSD-3-Clause
// Priority queue over a team: a heap on each member, with stealing.
//
//     acre::priority_queue<task> tasks(acre::world());
//     tasks.push(first);                             // here; push(member, …) elsewhere
//     while (auto next = tasks.pop()) …              // the least here, or a stolen one
//     tasks.work([&](task next, auto& more) { … more.push(follower); });  // all ranks
//
// pop() returns the least value of one part, the own one unless empty; values of other parts may
// precede it. work_before(b) takes all values less than b, and so bounds the disorder.
//
// No value is lost or returned twice. A steal moves half of a part, at most 32 values; meanwhile
// both parts may seem empty. Writes before a push are visible after the pop.
//
// Costs: in a node; other nodes 2 M, and 2 M + W for a value larger than a message.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/container/order.hpp>
#include <acre/container/priority/detail/heap_parts.hpp>
#include <acre/container/priority/detail/heap_table.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace acre {

namespace container {
template <class F, class T, class Compare>
inline constexpr bool takes_a_value_and_pushes_more =
    std::invocable<F&, T&&, heap_pusher<T, Compare>&>;
}  // namespace container

/// Moves: local. Destruction: collective, B.
/// @tparam T  trivially copyable or serializable
/// @tparam Compare  strict weak order, stateless, without calls of Acre; called in any thread
template <storable T, order_for<T> Compare = less_by_operator>
class priority_queue {
  using table = container::heap_table<T, Compare>;

 public:
  using value_type = T;
  using value_compare = Compare;
  /// Argument of functions of work(): push(value), push(member, value).
  using pusher = container::heap_pusher<T, Compare>;

  priority_queue() = default;

  /// Collective. Cost: B + 1 allgather.
  /// @throws acre::error on all members if one lacks memory
  explicit priority_queue(const team& members, const site& where = site::current())
      : table_(base::make_unique_object<table>(members, where)) {}

  // --- one value ---
  //
  // Any thread. Cost beyond R, W, A: l per level of the heap.
  // @throws exceptions of Compare, without effect; acre::error if memory here, or of a far owner,
  // is full

  /// To this rank's part. Cost: A + W.
  void push(const T& value, const site& where = site::current()) {
    table& all = get("priority_queue::push");
    all.push(all.members().rank(), value, "priority_queue::push", where);
  }
  /// Cost: A + W.
  /// @throws acre::error if the member does not exist
  void push(rank_t member, const T& value, const site& where = site::current()) {
    constexpr const char* call = "priority_queue::push";
    table& all = get(call);
    static_cast<void>(all.members()[member]);
    all.push(member, value, call, where);
  }
  void push(member to, const T& value, const site& where = site::current()) {
    push(members().number_of(to), value, where);
  }

  /// Removes the least value here, after a steal if this part is empty.
  /// @return empty if each part was empty when asked
  /// Cost: A + R; a steal of n values: A + nR, 2 M at another node; per empty part R or 2 M
  [[nodiscard]] std::optional<T> pop(const site& where = site::current()) {
    constexpr const char* call = "priority_queue::pop";
    table& all = get(call);
    if (std::optional<T> own = all.pop_own(nullptr)) return own;
    return all.steal_anywhere(call, where);
  }
  /// Never steals. Cost: A + R.
  [[nodiscard]] std::optional<T> pop_local() {
    return get("priority_queue::pop_local").pop_own(nullptr);
  }
  /// Copies this rank's least value. Cost: A + R.
  [[nodiscard]] std::optional<T> peek_local() const {
    return get("priority_queue::peek_local").peek_own();
  }
  /// Calls f(value) for this rank's values, in any order. f makes no call of Acre. l.
  template <std::invocable<const T&> F>
  void for_each_local(F&& f) const {
    get("priority_queue::for_each_local").for_each_own(f);
  }
  /// Copies, as for_each_local(). l.
  [[nodiscard]] std::vector<T> own_elements() const {
    std::vector<T> all;
    for_each_local([&](const T& value) { all.push_back(value); });
    return all;
  }
  /// Number of this rank's values. l.
  [[nodiscard]] std::uint64_t local_size() const {
    return get("priority_queue::local_size").local_size();
  }

  // --- collective ---

  /// All members call f(value, pusher) with own or stolen values, until all parts are empty and no
  /// f runs. Collective. Only f may push; the pusher aggregates values for other nodes. Cost: as
  /// pop() and push(); B + 2 or more allreduces.
  /// @throws exceptions of f; acre::error on the other members; values stay
  template <class F>
    requires container::takes_a_value_and_pushes_more<F, T, Compare>
  void work(F&& f, const site& where = site::current()) {
    constexpr const char* call = "priority_queue::work";
    get(call).work(nullptr, f, call, where);
  }
  /// As work(), for values less than `bound`, equal on all members.
  template <class F>
    requires container::takes_a_value_and_pushes_more<F, T, Compare>
  void work_before(const T& bound, F&& f, const site& where = site::current()) {
    constexpr const char* call = "priority_queue::work_before";
    get(call).work(&bound, f, call, where);
  }

  /// Least value, if any. Collective. Cost: B + 2 allreduces; 1 an allgather if T is not trivially
  /// copyable.
  /// @throws exceptions of Compare, or acre::error, on all members
  [[nodiscard]] std::optional<T> least(const site& where = site::current()) const {
    return get("priority_queue::least").least(where);
  }
  /// Number of all values. Collective. Cost: B + 1 allreduce.
  [[nodiscard]] std::uint64_t size(const site& where = site::current()) const {
    return get("priority_queue::size").size(where);
  }
  /// Collective. Cost: 2 B.
  void clear(const site& where = site::current()) { get("priority_queue::clear").clear(where); }

  [[nodiscard]] const team& members() const { return get("priority_queue::members").members(); }
  /// False if null.
  [[nodiscard]] explicit operator bool() const noexcept { return table_ != nullptr; }

 private:
  [[nodiscard]] table& get(const char* call) const {
    return global::require_object(table_.get(), call, "queue", "priority_queue{team}");
  }

  base::unique_object<table> table_;
};

}  // namespace acre
