// SPDX-License-Identifier: BSD-3-Clause
// Teams: ordered sets of ranks. All members call collectives in the same order, with equal sizes
// and roots, in the same form (blocking or _async). A rank may be in many teams; one thread at a
// time calls on one. Handles may be copied; destruction is local.
//
// Several _async collectives may be in progress; their spans must stay untouched until the future
// is ready. RPCs of others run in blocking ones.
#pragma once

#include <acre/base/reproducible_sum.hpp>
#include <acre/base/site.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/collectable.hpp>
#include <acre/global/team/detail/refused_values.hpp>
#include <acre/global/team/detail/team_state.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/layout/team_spec.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

namespace mapping {
struct communication;
}

class team;

namespace global {
template <>
inline constexpr bool is_of_its_rank<team> = true;

struct team_maker;
/// Number of a team, unique in the job.
[[nodiscard]] std::uint64_t id_of(const team& members);
[[nodiscard]] const team_ref& reference_of(const team& members);
[[noreturn]] void throw_no_team();
[[noreturn]] void throw_no_elements(const char* call, std::size_t member, std::size_t bytes,
                                    std::size_t element_bytes);
[[noreturn]] void throw_bad_parts(const char* call, std::size_t elements, rank_t size);
/// @throws acre::error unless there are `size` counts that add up to `elements`
void require_counts(std::size_t elements, std::span<const std::size_t> counts, rank_t size);
[[noreturn]] void throw_no_member(const char* call, rank_t root, rank_t size);
}  // namespace global

/// Parts of a machine. Ranks of a node share one if they may run on CPUs of equal sets of sockets
/// or NUMA domains; ranks not bound to CPUs form a team per node.
enum class locality : std::uint8_t {
  node,         ///< shared memory, as acre::node()
  socket,       ///< processor package
  numa_domain,  ///< memory of equal distance
};

class team {
 public:
  /// Null team, as split() returns for negative colors.
  team() = default;

  /// False for a null team.
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

  // Members are numbered 0 … size()-1, also as roots and in results. World ranks are acre::rank().

  /// This rank's number.
  [[nodiscard]] rank_t rank() const { return state().rank; }
  [[nodiscard]] rank_t size() const { return state().size; }

  /// Member `number`. l.
  /// @throws acre::error if it does not exist
  [[nodiscard]] acre::member operator[](rank_t number) const {
    if (number >= state().size) [[unlikely]] {
      global::throw_no_member("team::operator[]", number, state().size);
    }
    return {number, state_->world_rank(number)};
  }
  /// Number in this team of `who`, a member of any team. Cost: l within this team, else as
  /// member().
  /// @throws acre::error if not in this team
  [[nodiscard]] rank_t number_of(acre::member who) const {
    if (who.number() < state().size && state_->world_rank(who.number()) == who.world_rank()) {
      return who.number();
    }
    return find_number(who);
  }

  /// World rank of a member.
  [[nodiscard]] rank_t world_rank(rank_t member) const;
  /// Number of a world rank; empty if not a member.
  [[nodiscard]] std::optional<rank_t> member(rank_t world_rank) const;
  [[nodiscard]] bool contains(rank_t world_rank) const { return member(world_rank).has_value(); }

  /// True if member i is world rank i, for all ranks.
  [[nodiscard]] bool is_world() const { return state().members.empty(); }

  /// Creates a team per non-negative `color`, ordered by `key`, then by rank here. Null for
  /// negative colors. Collective.
  [[nodiscard]] team split(int color, int key = 0, const site& where = site::current()) const;

  /// Creates up to `number` teams of consecutive members; sizes differ by at most 1. Collective.
  /// Cost: as split().
  /// @throws acre::error if `number` is 0
  [[nodiscard]] team split_into(rank_t number, const site& where = site::current()) const;

  /// Creates a team of the members in each part of a machine. Collective. Cost: 2 allgathers.
  [[nodiscard]] team split_by(locality part, const site& where = site::current()) const;

  /// Creates a grid team, mapped so that communicating ranks are close. Member (x, y, z) of extents
  /// (X, Y, Z) has number (x * Y + y) * Z + z. Matrices on it are distributed over this grid.
  /// Default communication: both neighbours in each dimension, periodic. ACRE_TOPOLOGY describes
  /// the network, ACRE_NODES the job's nodes in it; by default, communicating ranks share nodes.
  /// Further ranks get a null team. Collective over the job; at most half a second and the time to
  /// read a file.
  /// @param extents  0: chosen, for all ranks, little surface, and a fast exchange
  /// @throws acre::error on all ranks if the grid exceeds the job, extents and `communication`
  /// disagree, or a setting is wrong
  [[nodiscard]] static team cartesian(const std::vector<std::uint32_t>& extents,
                                      const site& where = site::current());
  [[nodiscard]] static team cartesian(const std::vector<std::uint32_t>& extents,
                                      const mapping::communication& communication,
                                      const site& where = site::current());
  /// As above, with N chosen extents.
  template <std::size_t N>
  [[nodiscard]] static team cartesian(const site& where = site::current()) {
    return cartesian(std::vector<std::uint32_t>(N, 0), where);
  }
  /// As above, with the least surface of the boxes of `elements`.
  [[nodiscard]] static team cartesian_for(const std::vector<std::size_t>& elements,
                                          const site& where = site::current());

  /// Extents of a grid team; else empty. l.
  [[nodiscard]] const std::vector<rank_t>& extents() const { return state().extents; }
  /// Coordinates of a member of a grid team; else empty. l.
  [[nodiscard]] std::vector<rank_t> coordinates(rank_t number) const;
  /// Member of a grid team. l.
  /// @throws acre::error if it does not exist
  [[nodiscard]] acre::member at(std::initializer_list<rank_t> coordinates) const;
  /// Grid for a pattern of N dimensions: a grid team's extents, if it has as many; else chosen.
  template <std::size_t N>
  [[nodiscard]] team_spec<N> spec() const {
    team_spec<N> result;
    if (extents().size() != N) return result;
    for (std::size_t d = 0; d < N; ++d) result.parts[d] = extents()[d];
    return result;
  }

  /// True for handles of one team.
  friend bool operator==(const team& a, const team& b) noexcept { return a.state_ == b.state_; }

  /// Number of collectives that this rank has entered; equal on all members between synchronising
  /// ones.
  [[nodiscard]] std::uint64_t phase() const { return state().here->entered(); }

  // --- barrier -------------------------------------------------------------------

  /// Waits for all members. Operations issued before, without a future, are then complete (quiet)
  /// and visible to all. Cost: B.
  void barrier(const site& where = site::current()) const;

  /// As barrier(), but the call itself waits only for this rank's own operations (quiet).
  [[nodiscard]] future<> barrier_async() const;

  // --- broadcast -----------------------------------------------------------------

  /// Returns the root's value.
  template <collectable T>
  [[nodiscard]] T broadcast(T value, rank_t root, const site& where = site::current()) const;
  template <collectable T>
  [[nodiscard]] future<T> broadcast_async(T value, rank_t root) const;

  /// Copies the root's elements to all members; sizes must be equal.
  template <reducible_in_place T>
  void broadcast(std::span<T> values, rank_t root, const site& where = site::current()) const;
  /// Non-blocking broadcast().
  template <reducible_in_place T>
  [[nodiscard]] future<> broadcast_async(std::span<T> values, rank_t root) const;

  // `operation` must be associative; operands are combined in rank order.

  /// Returns value(0) op value(1) op …, bitwise equal on all members.
  template <combinable T, operation_on<T> Operation = op::addition>
  [[nodiscard]] T allreduce(T value, Operation operation = {},
                            const site& where = site::current()) const;
  template <combinable T, operation_on<T> Operation = op::addition>
  [[nodiscard]] future<T> allreduce_async(T value, Operation operation = {}) const;

  /// Reduces each element, in place.
  template <reducible_in_place T, operation_on<T> Operation = op::addition>
  void allreduce(std::span<T> values, Operation operation = {},
                 const site& where = site::current()) const;
  template <reducible_in_place T, operation_on<T> Operation = op::addition>
  [[nodiscard]] future<> allreduce_async(std::span<T> values, Operation operation = {}) const;

  /// Exact sum, rounded once: the same bits for any number and order of members. Cost: allreduce()
  /// of a reproducible_sum.
  template <reproducible_addend T>
  [[nodiscard]] T allreduce(T value, op::reproducible_addition,
                            const site& where = site::current()) const;
  template <reproducible_addend T>
  [[nodiscard]] future<T> allreduce_async(T value, op::reproducible_addition) const;
  /// Sums each element exactly. Cost: an allgather of a word, 1 alltoallv and 1 allgatherv.
  /// @throws acre::error on all members if the numbers of elements differ
  template <reproducible_addend T>
  void allreduce(std::span<T> values, op::reproducible_addition,
                 const site& where = site::current()) const;

  /// As allreduce(), but only the root has a result; others return an empty optional.
  template <combinable T, operation_on<T> Operation = op::addition>
  std::optional<T> reduce(T value, rank_t root, Operation operation = {},
                          const site& where = site::current()) const;
  template <combinable T, operation_on<T> Operation = op::addition>
  [[nodiscard]] future<std::optional<T>> reduce_async(T value, rank_t root,
                                                      Operation operation = {}) const;

  template <reproducible_addend T>
  std::optional<T> reduce(T value, rank_t root, op::reproducible_addition,
                          const site& where = site::current()) const;

  /// Reduces each element, in place on the root; other members' elements are unchanged.
  template <reducible_in_place T, operation_on<T> Operation = op::addition>
  void reduce(std::span<T> values, rank_t root, Operation operation = {},
              const site& where = site::current()) const;
  template <reducible_in_place T, operation_on<T> Operation = op::addition>
  [[nodiscard]] future<> reduce_async(std::span<T> values, rank_t root,
                                      Operation operation = {}) const;

  /// Returns value(0) op … op value(rank()).
  template <combinable T, operation_on<T> Operation = op::addition>
  [[nodiscard]] T inclusive_scan(T value, Operation operation = {},
                                 const site& where = site::current()) const;
  template <combinable T, operation_on<T> Operation = op::addition>
  [[nodiscard]] future<T> inclusive_scan_async(T value, Operation operation = {}) const;

  /// Returns initial op value(0) op … op value(rank() - 1); `initial` on member 0.
  template <combinable T, operation_on<T> Operation = op::addition>
  [[nodiscard]] T exclusive_scan(T value, std::type_identity_t<T> initial = T{},
                                 Operation operation = {},
                                 const site& where = site::current()) const;
  template <combinable T, operation_on<T> Operation = op::addition>
  [[nodiscard]] future<T> exclusive_scan_async(T value, std::type_identity_t<T> initial = T{},
                                               Operation operation = {}) const;

  // Results are in rank order; those of gather are empty except on the root.

  /// Returns all members' values on the root.
  template <collectable T>
  [[nodiscard]] std::vector<T> gather(const T& value, rank_t root,
                                      const site& where = site::current()) const;
  template <collectable T>
  [[nodiscard]] future<std::vector<T>> gather_async(const T& value, rank_t root) const;

  /// Returns all members' values.
  template <collectable T>
  [[nodiscard]] std::vector<T> allgather(const T& value, const site& where = site::current()) const;
  template <collectable T>
  [[nodiscard]] future<std::vector<T>> allgather_async(const T& value) const;

  /// Concatenates all members' elements; equal sizes.
  template <reducible T>
  [[nodiscard]] std::vector<std::remove_const_t<T>> gather(
      std::span<T> values, rank_t root, const site& where = site::current()) const;
  template <reducible T>
  [[nodiscard]] std::vector<std::remove_const_t<T>> allgather(
      std::span<T> values, const site& where = site::current()) const;
  /// Non-blocking gather().
  template <reducible T>
  [[nodiscard]] future<std::vector<std::remove_const_t<T>>> gather_async(std::span<T> values,
                                                                         rank_t root) const;
  template <reducible T>
  [[nodiscard]] future<std::vector<std::remove_const_t<T>>> allgather_async(
      std::span<T> values) const;

  /// Returns a vector per member, in rank order; sizes may differ.
  template <reducible T>
  [[nodiscard]] std::vector<std::vector<std::remove_const_t<T>>> gatherv(
      std::span<T> values, rank_t root, const site& where = site::current()) const;
  template <reducible T>
  [[nodiscard]] std::vector<std::vector<std::remove_const_t<T>>> allgatherv(
      std::span<T> values, const site& where = site::current()) const;

  // --- all to all ----------------------------------------------------------------------

  /// Sends part i of size() equal parts to member i. values.size() is a multiple of size(), equal
  /// on all members.
  /// @throws acre::error otherwise
  template <reducible T>
  [[nodiscard]] std::vector<std::remove_const_t<T>> alltoall(
      std::span<T> values, const site& where = site::current()) const;
  /// Non-blocking alltoall().
  template <reducible T>
  [[nodiscard]] future<std::vector<std::remove_const_t<T>>> alltoall_async(
      std::span<T> values) const;

  /// Sends element i, of any size, to member i.
  /// @throws acre::error unless there are size() elements
  template <collectable T>
  [[nodiscard]] std::vector<T> alltoallv(const std::vector<T>& values,
                                         const site& where = site::current()) const;
  template <collectable T>
  [[nodiscard]] future<std::vector<T>> alltoallv_async(const std::vector<T>& values) const;

  /// Elements received from all members, in rank order; counts[i] of them are member i's.
  template <class T>
  struct parts {
    std::vector<T> values;
    std::vector<std::size_t> counts;
  };
  /// Sends counts[i] elements to member i.
  /// @throws acre::error unless size() counts add up to values.size()
  template <reducible T>
  [[nodiscard]] parts<std::remove_const_t<T>> alltoallv(std::span<T> values,
                                                        std::span<const std::size_t> counts,
                                                        const site& where = site::current()) const;
  /// Exchanges packed bytes, so that members can first agree on success.
  [[nodiscard]] std::vector<global::owned_bytes> alltoallv(
      std::vector<global::owned_bytes> packed, const site& where = site::current()) const;

  // --- compile error ---
  const acre::member* begin() const = delete;  // for (rank_t i = 0; i < t.size(); ++i) use(t[i]);
  const acre::member* end() const;

  // --- compile errors ---
#define ACRE_REFUSE_VALUE(call, ...)                           \
  void call(__VA_ARGS__, const site& = site::current()) const; \
  future<global::fits_everything> call##_async(__VA_ARGS__) const;
  ACRE_REFUSE_VALUE(broadcast, global::a_value_that_travels, rank_t)
  ACRE_REFUSE_VALUE(gather, global::a_value_that_travels, rank_t)
  ACRE_REFUSE_VALUE(allgather, global::a_value_that_travels)
  ACRE_REFUSE_VALUE(alltoallv, global::values_that_travel)
#undef ACRE_REFUSE_VALUE
#define ACRE_REFUSE_ROOT(call)                   \
  void call(global::a_value_and_the_root) const; \
  template <class T, class... Rest>              \
  void call(const T&, global::the_root_as_a_number, const Rest&...) const;
  ACRE_REFUSE_ROOT(broadcast)
  ACRE_REFUSE_ROOT(broadcast_async)
  ACRE_REFUSE_ROOT(gather)
  ACRE_REFUSE_ROOT(gather_async)
  ACRE_REFUSE_ROOT(reduce)
  ACRE_REFUSE_ROOT(reduce_async)
  ACRE_REFUSE_ROOT(gatherv)
#undef ACRE_REFUSE_ROOT
  void alltoallv(global::a_vector_of_values_for_each) const;
  void alltoall(global::elements_in_a_span, const site& = site::current()) const;
#define ACRE_REFUSE_REDUCTION(result, call, ...)                                             \
  template <class... Rest>                                                                   \
  result call(global::a_value_that_travels, const Rest&...) const;                           \
  template <class Operation = op::addition>                                                  \
    requires(!std::is_arithmetic_v<Operation>) /* allreduce<long>(x) names the value type */ \
  result call(std::type_identity_t<global::a_value_that_combines<Operation>> __VA_OPT__(, )  \
                  __VA_ARGS__,                                                               \
              const Operation& = {}, const site& = site::current()) const;
  ACRE_REFUSE_REDUCTION(void, allreduce)
  ACRE_REFUSE_REDUCTION(future<global::fits_everything>, allreduce_async)
  ACRE_REFUSE_REDUCTION(void, reduce, rank_t)
  ACRE_REFUSE_REDUCTION(future<global::fits_everything>, reduce_async, rank_t)
  ACRE_REFUSE_REDUCTION(void, inclusive_scan)
  ACRE_REFUSE_REDUCTION(future<global::fits_everything>, inclusive_scan_async)
#undef ACRE_REFUSE_REDUCTION
  template <class... Rest>
  void exclusive_scan(global::a_value_that_travels, const Rest&...) const;
  template <class Initial, class Operation = op::addition>
  void exclusive_scan(std::type_identity_t<global::a_value_that_combines<Operation>>,
                      const Initial&, const Operation& = {}, const site& = site::current()) const;
  template <combinable T, class... Rest>
  void exclusive_scan(const T&, std::type_identity_t<global::an_initial_value<T>>,
                      const Rest&...) const;
  template <class Operation = op::addition>
  void allreduce(std::type_identity_t<global::elements_that_combine<Operation>>,
                 const Operation& = {}, const site& = site::current()) const;
  template <class Operation = op::addition>
  void reduce(std::type_identity_t<global::elements_that_combine<Operation>>, rank_t,
              const Operation& = {}, const site& = site::current()) const;
  void broadcast(global::elements_that_combine<op::addition>, rank_t,
                 const site& = site::current()) const;

 private:
  static team of_grid(std::pair<team, std::vector<rank_t>> made);
  friend struct global::team_maker;
  friend class collective_end;

  explicit team(global::team_ref state) noexcept : state_(std::move(state)) {}

  [[nodiscard]] rank_t find_number(acre::member who) const;

  [[nodiscard]] const global::team_state& state() const {
    if (state_ == nullptr) [[unlikely]] {
      global::throw_no_team();
    }
    return *state_;
  }
  [[nodiscard]] const global::team_ref& reference() const {
    static_cast<void>(state());
    return state_;
  }
  [[nodiscard]] const global::team_ref& reference(const char* call, rank_t root) const {
    if (root >= state().size) [[unlikely]] {
      global::throw_no_member(call, root, state().size);
    }
    return state_;
  }

  global::team_ref state_;
};

namespace global {
struct team_maker {
  [[nodiscard]] static team make(std::vector<rank_t> members, std::uint32_t number) {
    return team(team_ref(new team_state(std::move(members), number)));
  }
  [[nodiscard]] static const team_ref& reference_of(const team& made) { return made.reference(); }
};
}  // namespace global

/// All ranks of the job.
[[nodiscard]] const team& world();

/// Ranks that share memory with this one.
[[nodiscard]] const team& node();

/// world().barrier()
void barrier(const site& where = site::current());

}  // namespace acre

#include <acre/global/team/detail/team_collectives.hpp>
