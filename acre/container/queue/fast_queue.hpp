// A queue in the memory of one rank that is filled and emptied in turns.
//
//     acre::fast_queue<edge> found(acre::world(), acre::hosted_by{0}, 1'000'000);
//     found.push(mine);                            // a phase in which ranks push
//     acre::barrier();
//     while (auto each = found.pop()) use(*each);  // and one in which they pop
//
// Any ranks and threads push at once, or pop at once, but not both: a collective
// of the team (or of the world) stands between. So a push is one atomic and one
// write, a pop one atomic and one read. Builds with ACRE_CHECKS throw an
// acre::error when both happen in one phase. Values are popped in the order in
// which pushes reserved their places; "full" and "empty" are exact.
//
// Costs to memory of this node:
//
//     push    A + W    with `local`, on the host while nobody else uses the queue:  l
//     pop     A + R                                                                 l
//
// and A more when the queue seemed full or empty. To another node each operation
// is one round trip, 2 M; spans that no message carries go through memory at the
// host: a push 6 M + W, a pop 4 M + R.
//
// Making, resizing, migrating, clearing and destroying are collective. How it
// works: detail/queue_ends.hpp and detail/fast_ring.hpp.
#pragma once

#include <acre/container/queue/detail/fast_ring.hpp>
#include <acre/container/queue/detail/hosted_queue.hpp>
#include <acre/global/guarantee.hpp>
#include <acre/global/hosted_memory.hpp>
#include <acre/global/put_get.hpp>
#include <acre/global/stored.hpp>
#include <acre/global/team.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <utility>

namespace acre {

/// @tparam T  trivially copyable, or serialisable; of any size
template <storable T>
class fast_queue {
  using here = std::source_location;
  using guts = detail::hosted_queue<T, detail::fast_ring<detail::stored_t<T>>>;
  static constexpr auto pushing = container_operation::push;
  static constexpr auto popping = container_operation::pop;
  static constexpr auto all = detail::portion::all;
  static constexpr auto some = detail::portion::some;

 public:
  using value_type = T;

  /// No queue: good for being assigned to.
  fast_queue() = default;

  /// An empty queue for up to `capacity` values, in the memory of a member of the team.
  /// Collective. Cost: B and 1 allgather. Memory of the host: the values, their number
  /// rounded up to a power of two; it is not touched before it is used.
  /// @throws acre::error on all members when the capacity is 0, the host is no member or
  ///         has no room, or they ask for different hosts or capacities
  fast_queue(const team& members, hosted_by host, std::uint64_t capacity)
      : fast_queue(members, host, capacity, queue_totals{}) {}
  /// The same, as if these numbers of values had been pushed and popped before, equally many.
  fast_queue(const team& members, hosted_by host, std::uint64_t capacity, queue_totals before)
      : guts_(std::make_unique<guts>(members, host, capacity, before)) {}

  /// Moves: local. Destruction: collective, B; queues may be destroyed in any order.
  fast_queue(fast_queue&&) noexcept = default;
  fast_queue& operator=(fast_queue&&) noexcept = default;
  ~fast_queue() = default;

  // --- pushing, in phases of pushing ----------------------------------------------------
  // Any thread; nobody waits for another. @throws acre::error in builds with ACRE_CHECKS
  // when somebody popped in this phase; with `local`: on other ranks than the host

  /// Adds a value at the end. @return whether there was room
  template <guarantee_allowing<pushing> Guarantee = only_guarantee<pushing>>
  bool push(const T& value, Guarantee guarantee = {}, const here& where = here::current()) {
    return get("fast_queue::push").push(std::span(&value, 1), all, guarantee, where) == 1;
  }
  /// Adds the values at the end, with none between them, if there is room for all.
  template <guarantee_allowing<pushing> Guarantee = only_guarantee<pushing>>
  bool push(std::span<const T> values, Guarantee guarantee = {},
            const here& where = here::current()) {
    return get("fast_queue::push").push(values, all, guarantee, where) == values.size();
  }
  /// Adds as many of the values as there is room for, the first ones. @return how many
  template <guarantee_allowing<pushing> Guarantee = only_guarantee<pushing>>
  std::size_t push_some(std::span<const T> values, Guarantee guarantee = {},
                        const here& where = here::current()) {
    return get("fast_queue::push_some").push(values, some, guarantee, where);
  }

  // --- popping, in phases of popping -------------------------------------------------------

  /// Takes the oldest value, if there is one.
  template <guarantee_allowing<popping> Guarantee = only_guarantee<popping>>
  [[nodiscard]] std::optional<T> pop(Guarantee guarantee = {},
                                     const here& where = here::current()) {
    return get("fast_queue::pop").pop_one(guarantee, where);
  }
  /// Takes the oldest values.size() values, if there are so many. @return whether it did
  template <guarantee_allowing<popping> Guarantee = only_guarantee<popping>>
  bool pop(std::span<T> values, Guarantee guarantee = {}, const here& where = here::current()) {
    return get("fast_queue::pop").pop(values, all, guarantee, where) == values.size();
  }
  /// Takes the oldest values, at most values.size(), into the front of `values`. @return how many
  template <guarantee_allowing<popping> Guarantee = only_guarantee<popping>>
  std::size_t pop_some(std::span<T> values, Guarantee guarantee = {},
                       const here& where = here::current()) {
    return get("fast_queue::pop_some").pop(values, some, guarantee, where);
  }

  // --- what there is -------------------------------------------------------------------------

  /// How many values were ever pushed and popped, modulo 2^64, both at one moment of
  /// the call. Cost: 3 A; 2 M.
  [[nodiscard]] queue_totals totals(const here& where = here::current()) const {
    return get("fast_queue::totals").totals(where);
  }
  /// The number of values at a moment of the call. Cost: as totals().
  [[nodiscard]] std::uint64_t size(const here& where = here::current()) const {
    return get("fast_queue::size").totals(where).size();
  }
  [[nodiscard]] bool empty(const here& where = here::current()) const { return size(where) == 0; }

  /// How many values it takes. l.
  [[nodiscard]] std::uint64_t capacity() const { return get("fast_queue::capacity").capacity(); }
  /// The member of the team in whose memory it lies. l.
  [[nodiscard]] rank_t host() const { return get("fast_queue::host").host(); }
  [[nodiscard]] const team& members() const { return get("fast_queue::members").members(); }
  /// Whether there is a queue: not after it was moved away, or made without a team.
  [[nodiscard]] explicit operator bool() const noexcept { return guts_ != nullptr; }

  /// Calls f(value), with copies, for each value from the oldest to the newest; on the
  /// host, while nobody else uses the queue. l.
  /// @throws acre::error on other ranks
  template <std::invocable<const T&> F>
  void for_each_local(F&& f, const here& where = here::current()) const {
    get("fast_queue::for_each_local").for_each(std::forward<F>(f), where);
  }

  // --- collective --------------------------------------------------------------------------
  // No other operation on the queue is under way on any rank.

  /// Drops all values. The totals go on. Cost: 2 B.
  void clear() { get("fast_queue::clear").clear(); }

  /// Gives the queue another capacity. Values, order and totals stay. Cost: 2 B, 2 collectives.
  /// @throws acre::error on all members, with nothing changed, when the values do not
  ///         fit, the members differ, or the host has no room
  void resize(std::uint64_t capacity) { get("fast_queue::resize").resize(capacity); }
  /// Moves the queue to the memory of another member. Values, order and totals stay.
  /// Cost: 2 B, 2 collectives, and R by the new host.
  /// @throws acre::error on all members, with nothing changed, when the new host is no
  ///         member or has no room, or the members differ
  void migrate(hosted_by host) { get("fast_queue::migrate").migrate(host); }

 private:
  [[nodiscard]] guts& get(const char* call) const {
    if (guts_ == nullptr) [[unlikely]] {
      detail::throw_no_queue(call, "fast_queue{team, host, capacity}");
    }
    return *guts_;
  }

  std::unique_ptr<guts> guts_;
};

}  // namespace acre
