// SPDX-License-Identifier: BSD-3-Clause
// Calls of all members of a collection, each once, wherever they are.
#pragma once

#include <acre/agas/detail/call_digest.hpp>
#include <acre/agas/object_collection.hpp>
#include <acre/base/site.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

namespace agas {

template <class T, class F, class... Arguments>
[[nodiscard]] auto invoke_each(std::span<const gid> names, const F& function,
                               const Arguments&... arguments) {
  std::vector<decltype(invoke(object_id<T>(), function, arguments...))> coming;
  coming.reserve(names.size());
  for (const gid& each : names) {
    coming.push_back(invoke(trusted_id<T>(each), function, arguments...));
  }
  return when_all(std::move(coming));
}

/// Calls members on rank `owner`: one message each way; calls of members that left are forwarded.
template <class T, class F, class... Arguments>
[[nodiscard]] auto invoke_each_at(rank_t owner, const std::vector<gid>& names, const F& function,
                                  const Arguments&... arguments) {
  return rpc(
      owner,
      [](const std::vector<gid>& here, const F& called, const global::owned_t<Arguments>&... each) {
        return invoke_each<T>(std::span(here), called, each...);
      },
      names, function, arguments...);
}

/// Calls the members whose home is this rank; take(names, future of results) for each owner.
template <class T, class Take, class F, class... Arguments>
void invoke_homed(const collection_state& all, Take&& take, const F& f,
                  const Arguments&... arguments) {
  const travelling_t<F> function(f);
  for (const auto& [owner, names] : all.members_by_owner()) {
    if (owner == rank()) {
      take(names, invoke_each<T>(std::span(names), function, arguments...));
    } else {
      take(names, invoke_each_at<T>(owner, names, function, arguments...));
    }
  }
}

template <class F, class... Arguments>
[[nodiscard]] global::common_call call_of_all(const char* name, const collection_state& all,
                                              const F& f, const Arguments&... arguments) {
  call_digest given;
  (given.add(arguments), ...);
  return global::common_call(name, site())
      .with_identity("the collection", all.identity())
      .with_identity("the function", call_digest().add_function(travelling_t<F>(f)).number())
      .with_identity("the arguments", given.number());
}

/// Calls the members homed on this rank and, by a binomial tree, on the next `ranks` − 1 ranks.
template <class T, std::size_t N, class F, class... Arguments>
void spread_call(rank_t ranks, const collection_id<T, N>& all, const F& function,
                 const Arguments&... arguments) {
  while (ranks > 1) {
    const rank_t half = ranks / 2;
    const rank_t there = (rank() + ranks - half) % size();
    rpc_ff(
        there,
        [](rank_t part, const collection_id<T, N>& of, const F& called,
           const global::owned_t<Arguments>&... each) { spread_call(part, of, called, each...); },
        half, all, function, arguments...);
    ranks -= half;
  }
  for (const auto& [owner, names] : collection_access::state(all).members_by_owner()) {
    const auto call_each = [](const std::vector<gid>& here, const F& called, const auto&... each) {
      for (const gid& name : here) invoke_ff(trusted_id<T>(name), called, each...);
    };
    if (owner == rank()) {
      call_each(names, function, arguments...);
    } else {
      rpc_ff(
          owner,
          [](const std::vector<gid>& here, const F& called,
             const global::owned_t<Arguments>&... each) {
            for (const gid& name : here) invoke_ff(trusted_id<T>(name), called, each...);
          },
          names, function, arguments...);
    }
  }
}

}  // namespace agas

/// Calls f(member, arguments...) once for each member; returns when all have run. Collective, with
/// equal functions and arguments. Cost: 1 allreduce, a call per member, 2 M per rank with members
/// of this home.
/// @throws a call's exception on the member's home rank, acre::error on the others; acre::error on
/// all ranks, after the calls, if collections, functions or arguments differ (except lambdas)
template <class T, std::size_t N, class F = global::overload_to_be_chosen_by_static_cast,
          class... Arguments>
void invoke_all(const object_collection<T, N>& members, F&& f, const Arguments&... arguments) {
  using function = agas::travelling_t<std::decay_t<F>>;
  constexpr auto flaw = agas::find_flaw_of_answered_invoke<function, T, Arguments...>();
  if constexpr (global::is_overloaded<F>) {
    return;
  } else if constexpr (flaw != global::rpc_flaw::none) {
    global::explain_call<flaw, agas::on_object<function, T>, Arguments...>();
  } else {
    const agas::collection_state& all = agas::collection_access::state(members);
    const auto call = agas::call_of_all("invoke_all", all, std::decay_t<F>(f), arguments...);
    global::succeed_together(world(), call, [&] {
      std::vector<future<void>> running;
      agas::invoke_homed<T>(
          all,
          [&](const std::vector<gid>&, auto coming) {
            running.push_back(std::move(coming).then(
                [](decltype(coming) done) { static_cast<void>(done.get()); }));
          },
          std::decay_t<F>(f), arguments...);
      when_all(std::move(running)).get();
    });
  }
}

/// As invoke_all() from one rank, without waiting; drain() waits. Failures as for invoke_ff().
/// Cost: a call per member, per home M to each other rank with its members; for a tree at most
/// ⌈log2 P⌉ M per rank.
template <class T, std::size_t N, class F = global::overload_to_be_chosen_by_static_cast,
          class... Arguments>
void invoke_all_ff(const collection_id<T, N>& members, F&& f, const Arguments&... arguments) {
  using function = agas::travelling_t<std::decay_t<F>>;
  constexpr auto flaw = agas::find_invoke_flaw<function, T, Arguments...>();
  if constexpr (global::is_overloaded<F>) {
    return;
  } else if constexpr (flaw != global::rpc_flaw::none) {
    global::explain_call<flaw, agas::on_object<function, T>, Arguments...>();
  } else {
    agas::spread_call(size(), members, function(f), arguments...);
  }
}
template <class T, std::size_t N, class F = global::overload_to_be_chosen_by_static_cast,
          class... Arguments>
void invoke_all_ff(const object_collection<T, N>& members, F&& f, const Arguments&... arguments) {
  invoke_all_ff(members.id(), std::forward<F>(f), arguments...);
}

namespace agas {

template <class Result, class T, std::size_t N, class Operation, class F, class... Arguments>
[[nodiscard]] Result reduce_members(const object_collection<T, N>& members, Operation operation,
                                    const F& f, const Arguments&... arguments) {
  std::pair<bool, Result> mine{};
  const collection_state& state = collection_access::state(members);
  const auto call =
      call_of_all("invoke_reduce", state, f, arguments...)
          .with_identity("the operation", global::number_of_operation(typeid(Operation)))
          .with_type("results of", typeid(Result));
  global::succeed_together(world(), call, [&] {
    std::vector<std::pair<std::uint32_t, Result>> results;
    std::vector<future<void>> running;
    invoke_homed<T>(
        state,
        [&](const std::vector<gid>& names, auto coming) {
          running.push_back(std::move(coming).then([&results, names](decltype(coming) done) {
            const auto values = done.get();
            for (std::size_t i = 0; i < names.size(); ++i) {
              results.emplace_back(names[i].slot(), values[i]);
            }
          }));
        },
        f, arguments...);
    when_all(std::move(running)).get();
    std::ranges::sort(results, {}, [](const auto& each) { return each.first; });
    for (const auto& [slot, value] : results) {
      mine = {true, mine.first ? operation(mine.second, value) : value};
    }
  });
  const auto combine = [&](const auto& a, const auto& b) {
    if (!a.first || !b.first) return a.first ? a : b;
    return std::pair<bool, Result>(true, operation(a.second, b.second));
  };
  return world().allreduce(mine, combine).second;
}

}  // namespace agas

/// As invoke_all(); reduces the results on all ranks, per home by index, then by rank, so that the
/// bits depend only on the number of ranks. Without members: a value-initialised result. Cost:
/// invoke_all() and an allreduce.
template <class T, std::size_t N, class Operation,
          class F = global::overload_to_be_chosen_by_static_cast, class... Arguments>
[[nodiscard]] auto invoke_reduce(const object_collection<T, N>& members, Operation operation, F&& f,
                                 const Arguments&... arguments) {
  using function = agas::travelling_t<std::decay_t<F>>;
  constexpr auto flaw = agas::find_flaw_of_answered_invoke<function, T, Arguments...>();
  if constexpr (global::is_overloaded<F>) {
    return global::fits_everything();
  } else if constexpr (flaw != global::rpc_flaw::none) {
    global::explain_call<flaw, agas::on_object<function, T>, Arguments...>();
    return global::fits_everything();
  } else {
    using result = typename agas::invoked<function, T, Arguments...>::brought;
    constexpr bool is_void = std::is_void_v<result>;
    static_assert(!is_void,
                  "this function returns void: call it by invoke_all(), or return a value");
    if constexpr (is_void) {
      return global::fits_everything();
    } else if constexpr (!combinable<result>) {
      static_assert(is_void,
                    "the result of this function has no fixed size, so allreduce() cannot combine "
                    "it: return numbers, or a trivially copyable struct");
      return global::fits_everything();
    } else if constexpr (!operation_on<Operation, result>) {
      static_assert(is_void,
                    "this operation cannot combine two of the results: it takes two of them and "
                    "returns a third, as acre::op::sum does");
      return global::fits_everything();
    } else {
      return agas::reduce_members<result>(members, operation, std::decay_t<F>(f), arguments...);
    }
  }
}

}  // namespace acre
