// SPDX-License-Identifier: BSD-3-Clause
// Calls of all members of a collection or a section, each once, wherever they are.
#pragma once

#include <acre/agas/collection_section.hpp>
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

/// Calls members of this home; take(names, future of results) for each owner.
template <class T, class Take, class F, class... Arguments>
void invoke_homed(const members_by_rank& members, Take&& take, const F& f,
                  const Arguments&... arguments) {
  const travelling_t<F> function(f);
  for (const auto& [owner, names] : members) {
    if (owner == rank()) {
      take(names, invoke_each<T>(std::span(names), function, arguments...));
    } else {
      take(names, invoke_each_at<T>(owner, names, function, arguments...));
    }
  }
}

template <class T, std::size_t N>
[[nodiscard]] global::common_call call_on(const char* name, const object_collection<T, N>& all) {
  return global::common_call(name, site())
      .with_identity("the collection", collection_access::state(all).identity());
}
template <class T, std::size_t N, class Select>
[[nodiscard]] global::common_call call_on(const char* name,
                                          const collection_section<T, N, Select>& some) {
  return global::common_call(name, site())
      .with_identity("the collection", collection_access::state(some.collection()).identity())
      .with_identity("the section", some.digest());
}

template <class Members, class F, class... Arguments>
[[nodiscard]] global::common_call call_of_all(const char* name, const Members& members, const F& f,
                                              const Arguments&... arguments) {
  call_digest given;
  (given.add(arguments), ...);
  return call_on(name, members)
      .with_identity("the function", call_digest().add_function(travelling_t<F>(f)).number())
      .with_identity("the arguments", given.number());
}

/// Calls here(arguments...) on this rank and, by a binomial tree, on the next `ranks` − 1 ranks.
template <global::stateless Here, class... Arguments>
void spread(rank_t ranks, const Here& here, const Arguments&... arguments) {
  while (ranks > 1) {
    const rank_t half = ranks / 2;
    const rank_t there = (rank() + ranks - half) % size();
    rpc_ff(
        there,
        [](rank_t part, const global::owned_t<Arguments>&... each) {
          spread(part, Here(), each...);
        },
        half, arguments...);
    ranks -= half;
  }
  here(arguments...);
}

/// Calls the members of this home, by one message for each rank that has some.
struct call_homed {
  template <class Members, class F, class... Arguments>
  void operator()(const Members& members, const F& function, const Arguments&... arguments) const {
    using T = typename Members::object_type;
    for (const auto& [owner, names] : members_homed_here(members)) {
      const auto call_each = [](const std::vector<gid>& here, const F& called,
                                const global::owned_t<Arguments>&... each) {
        for (const gid& name : here) invoke_ff(trusted_id<T>(name), called, each...);
      };
      if (owner == rank()) {
        for (const gid& name : names) invoke_ff(trusted_id<T>(name), function, arguments...);
      } else {
        rpc_ff(owner, call_each, names, function, arguments...);
      }
    }
  }
};

template <class Members, class F, class... Arguments>
void invoke_members(const Members& members, const F& f, const Arguments&... arguments) {
  using T = typename Members::object_type;
  using function = travelling_t<F>;
  constexpr auto flaw = find_flaw_of_answered_invoke<function, T, Arguments...>();
  if constexpr (global::is_overloaded<F>) {
    return;
  } else if constexpr (flaw != global::rpc_flaw::none) {
    global::explain_call<flaw, on_object<function, T>, Arguments...>();
  } else {
    global::succeed_together(world(), call_of_all("invoke_all", members, f, arguments...), [&] {
      std::vector<future<void>> running;
      invoke_homed<T>(
          members_homed_here(members),
          [&](const std::vector<gid>&, auto coming) {
            running.push_back(std::move(coming).then(
                [](decltype(coming) done) { static_cast<void>(done.get()); }));
          },
          f, arguments...);
      when_all(std::move(running)).get();
    });
  }
}

template <class Members, class F, class... Arguments>
void spread_to_members(const Members& members, const F& f, const Arguments&... arguments) {
  using T = typename Members::object_type;
  using function = travelling_t<F>;
  constexpr auto flaw = find_invoke_flaw<function, T, Arguments...>();
  if constexpr (global::is_overloaded<F>) {
    return;
  } else if constexpr (flaw != global::rpc_flaw::none) {
    global::explain_call<flaw, on_object<function, T>, Arguments...>();
  } else {
    spread(size(), call_homed(), members, function(f), arguments...);
  }
}

template <class Result, class Members, class Operation, class F, class... Arguments>
[[nodiscard]] Result reduce_members(const Members& members, Operation operation, const F& f,
                                    const Arguments&... arguments) {
  using T = typename Members::object_type;
  std::pair<bool, Result> mine{};
  const auto call =
      call_of_all("invoke_reduce", members, f, arguments...)
          .with_identity("the operation", global::number_of_operation(typeid(Operation)))
          .with_type("results of", typeid(Result));
  global::succeed_together(world(), call, [&] {
    std::vector<std::pair<std::uint32_t, Result>> results;
    std::vector<future<void>> running;
    invoke_homed<T>(
        members_homed_here(members),
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

template <class Members, class Operation, class F, class... Arguments>
[[nodiscard]] auto reduce_checked(const Members& members, Operation operation, const F& f,
                                  const Arguments&... arguments) {
  using T = typename Members::object_type;
  using function = travelling_t<F>;
  constexpr auto flaw = find_flaw_of_answered_invoke<function, T, Arguments...>();
  if constexpr (global::is_overloaded<F>) {
    return global::fits_everything();
  } else if constexpr (flaw != global::rpc_flaw::none) {
    global::explain_call<flaw, on_object<function, T>, Arguments...>();
    return global::fits_everything();
  } else {
    using result = typename invoked<function, T, Arguments...>::brought;
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
      return reduce_members<result>(members, operation, f, arguments...);
    }
  }
}

/// Calls of all members; specialised for each kind of collection and section. can_call: collective
/// calls, which are call() and reduce(); spread() is called by one rank.
template <class Members>
struct members_of;

template <class Members>
struct calls_by_homes {
  static constexpr bool can_call = true;

  template <class F, class... Arguments>
  static void call(const Members& members, const F& f, const Arguments&... arguments) {
    invoke_members(members, f, arguments...);
  }
  template <class Operation, class F, class... Arguments>
  static auto reduce(const Members& members, Operation operation, const F& f,
                     const Arguments&... arguments) {
    return reduce_checked(members, operation, f, arguments...);
  }
};
template <class T, std::size_t N>
struct members_of<object_collection<T, N>> : calls_by_homes<object_collection<T, N>> {
  template <class F, class... Arguments>
  static void spread(const object_collection<T, N>& members, const F& f,
                     const Arguments&... arguments) {
    spread_to_members(members.id(), f, arguments...);
  }
};
template <class T, std::size_t N>
struct members_of<collection_id<T, N>> {
  static constexpr bool can_call = false;

  template <class F, class... Arguments>
  static void spread(const collection_id<T, N>& members, const F& f,
                     const Arguments&... arguments) {
    spread_to_members(members, f, arguments...);
  }
};
template <class T, std::size_t N, class Select>
struct members_of<collection_section<T, N, Select>>
    : calls_by_homes<collection_section<T, N, Select>> {
  template <class F, class... Arguments>
  static void spread(const collection_section<T, N, Select>& members, const F& f,
                     const Arguments&... arguments) {
    spread_to_members(members, f, arguments...);
  }
};

template <class Members>
concept has_members = requires { members_of<Members>::can_call; };
template <class Members>
concept can_be_called_together = has_members<Members> && members_of<Members>::can_call;

}  // namespace agas

/// Calls f(member, arguments...) once for each member; returns when all have run. Collective, with
/// equal functions and arguments. Cost: 1 allreduce, a call per member, 2 M per rank with members
/// of this home; for a section l per other member with this home.
/// @param members  an object_collection, a section, or a sparse_collection
/// @throws a call's exception on the member's home rank, acre::error on the others; acre::error on
/// all ranks, after the calls, if collections, sections, functions or arguments differ (except
/// lambdas)
template <agas::can_be_called_together Members,
          class F = global::overload_to_be_chosen_by_static_cast, class... Arguments>
void invoke_all(const Members& members, F&& f, const Arguments&... arguments) {
  agas::members_of<Members>::call(members, std::decay_t<F>(f), arguments...);
}

/// As invoke_all() from one rank, without waiting; drain() waits. Failures as for invoke_ff().
/// Cost: a call per member, per home M to each other rank with its members; for a tree at most
/// ⌈log2 P⌉ M per rank.
/// @param members  as for invoke_all(), or an id
template <agas::has_members Members, class F = global::overload_to_be_chosen_by_static_cast,
          class... Arguments>
void invoke_all_ff(const Members& members, F&& f, const Arguments&... arguments) {
  agas::members_of<Members>::spread(members, std::decay_t<F>(f), arguments...);
}

/// As invoke_all(); reduces the results on all ranks, per home by index, then by rank, so that the
/// bits depend only on the number of ranks. Without members: a value-initialised result. Cost:
/// invoke_all() and an allreduce.
template <agas::can_be_called_together Members, class Operation,
          class F = global::overload_to_be_chosen_by_static_cast, class... Arguments>
[[nodiscard]] auto invoke_reduce(const Members& members, Operation operation, F&& f,
                                 const Arguments&... arguments) {
  return agas::members_of<Members>::reduce(members, operation, std::decay_t<F>(f), arguments...);
}

}  // namespace acre
