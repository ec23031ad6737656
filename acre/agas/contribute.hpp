// SPDX-License-Identifier: BSD-3-Clause
// Reductions of values that members contribute in their functions, as contribute() of Charm++.
//
//     void patch::step(int number, const acre::collection_id<patch, 2>& plate) {
//       …
//       acre::contribute(plate, number, change_, acre::op::max, monitor_, &monitor::take);
//     }
#pragma once

#include <acre/agas/collection_section.hpp>
#include <acre/agas/detail/open_reductions.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/invoke_all.hpp>
#include <acre/agas/object_collection.hpp>
#include <acre/agas/this_object.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/runtime/world.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {
namespace agas {

template <class T, std::size_t N>
[[nodiscard]] const collection_state& state_behind(const collection_id<T, N>& all) {
  return collection_access::state(all);
}
template <class T, std::size_t N, class Select>
[[nodiscard]] const collection_state& state_behind(const collection_section<T, N, Select>& some) {
  return collection_access::state(some.collection());
}

template <class T, std::size_t N>
[[nodiscard]] std::uint64_t section_number(const collection_id<T, N>& /*all*/) noexcept {
  return 0;
}
template <class T, std::size_t N, class Select>
[[nodiscard]] std::uint64_t section_number(const collection_section<T, N, Select>& some) {
  static_assert(is_distinguished<Select>,
                "contributions to this section would mix with those of others: capture integers "
                "without padding, or pass a vector of indices");
  return some.digest() | 1;
}

template <class T, std::size_t N>
[[nodiscard]] bool has_member(const collection_id<T, N>& /*all*/, std::size_t /*number*/) noexcept {
  return true;
}
template <class T, std::size_t N, class Select>
[[nodiscard]] bool has_member(const collection_section<T, N, Select>& some, std::size_t number) {
  return some.contains(index_of<N>(collection_access::state(some.collection()), number));
}

/// Member to home to root. The first home that reports makes the root ask the others, which may
/// have no members of the section.
template <class Members, class Value, class Operation, class Target, class Take>
struct reduction_steps {
  struct whole {
    Members members;
    std::uint64_t round = 0;
    Target target;
    friend auto acre_fields(whole& w)
      requires(!(std::is_trivially_copyable_v<Members> && std::is_trivially_copyable_v<Target>))
    {
      return std::tie(w.members, w.round, w.target);
    }
  };

  struct at_member_home {
    Take take;
    void operator()(const whole& of, std::uint64_t member, const Value& value) const {
      const reduction_key key = key_of(of, false);
      const std::size_t expected = is_open(key) ? 0 : members_here(of);
      std::vector<Value> values;
      const part_added added =
          add_part<Value>(key, expected, typeid(reduction_steps), member, value, values);
      if (added.is_last) send_to_root(of, take, combine(values));
    }
  };
  struct at_root {
    Take take;
    void operator()(const whole& of, rank_t home, const std::optional<Value>& value) const {
      const collection_state& all = state_behind(of.members);
      const reduction_key key = key_of(of, true);
      const std::size_t homes = is_open(key) ? 0 : all.number_of_homes();
      std::vector<Value> values;
      const part_added added =
          add_part<Value>(key, homes, typeid(reduction_steps), home, value, values);
      if (added.is_last) return bring(of.target, combine(values));
      if (!added.is_first) return;
      for (rank_t each = 0; each < size(); ++each) {
        if (each != home && all.is_home(each)) rpc_ff(each, at_home_without_members{take}, of);
      }
    }
    void bring(const Target& target, const Value& result) const {
      if constexpr (names_object<Target>) {
        invoke_ff(target, take, result);
      } else {
        invoke_all_ff(target, take, result);
      }
    }
  };
  struct at_home_without_members {
    Take take;
    void operator()(const whole& of) const {
      if (members_here(of) == 0) send_to_root(of, take, std::nullopt);
    }
  };

  [[nodiscard]] static reduction_key key_of(const whole& of, bool is_at_root) {
    return {.collection = state_behind(of.members).identity(),
            .section = section_number(of.members),
            .round = of.round,
            .is_at_root = is_at_root};
  }
  [[nodiscard]] static std::size_t members_here(const whole& of) {
    std::size_t number = 0;
    for (const auto& [owner, names] : members_homed_here(of.members)) number += names.size();
    return number;
  }
  [[nodiscard]] static Value combine(std::vector<Value>& values) {
    Value all = std::move(values[0]);
    for (std::size_t i = 1; i < values.size(); ++i) all = Operation()(all, values[i]);
    return all;
  }
  static void send_to_root(const whole& of, const Take& take, const std::optional<Value>& value) {
    const reduction_key key = key_of(of, true);
    const std::uint64_t mixed = mix_bits(mix_bits(key.collection + key.section) + key.round);
    rpc_ff(static_cast<rank_t>(mixed % size()), at_root{take}, of, rank(), value);
  }
};

template <class Members>
inline constexpr bool is_collection_or_section = false;
template <class T, std::size_t N>
inline constexpr bool is_collection_or_section<collection_id<T, N>> = true;
template <class T, std::size_t N, class Select>
inline constexpr bool is_collection_or_section<collection_section<T, N, Select>> = true;

/// Number of the member whose function this thread runs.
/// @throws acre::error if it is no member of the collection or section
template <class Members>
[[nodiscard]] std::size_t contributing_member(const Members& members) {
  const gid name = name_of_this_object("contribute", type_of<typename Members::object_type>());
  const auto number = state_behind(members).number_of(name);
  if (number && has_member(members, *number)) return *number;
  throw error("contribute",
              to_string(name) + " is no member of this " + (number ? "section" : "collection"),
              "contribute in functions of members, to their own collection");
}

}  // namespace agas

/// Contributes a value, in a function of a member, to reduction `round` of its collection or a
/// section. When all members have contributed, calls take(target, result), or for each member of a
/// target collection. Rounds may overlap and members move; each contributes once to each round,
/// with equal other arguments. Combined by index per home, then by rank. Does not wait; drain()
/// does. Destroy no member while a round is incomplete.
///
/// Cost: M per member away from its home; 2 M per home, and the target's calls.
/// The operation is stateless: op::sum, or a lambda without captures.
/// @param target  an object_id, collection_id or section
/// @throws acre::error outside of members. The home reports repeated and different contributions,
/// and at the end of the collection incomplete rounds.
template <class Members, class Value, class Operation, class Target,
          class Take = global::overload_to_be_chosen_by_static_cast>
void contribute(const Members& members, std::uint64_t round, const Value& value,
                Operation /*operation*/, const Target& target, Take&& take) {
  constexpr bool is_name = agas::is_collection_or_section<Members>;
  static_assert(is_name, "contribute() takes the id of a collection, c.id(), or a section");
  constexpr bool is_stateless = global::stateless<Operation>;
  static_assert(is_stateless,
                "the operation of contribute() has no state: use acre::op::sum, or a lambda "
                "without captures");
  constexpr bool counts = global::counts_references<Target>;
  static_assert(!counts, "the target of contribute() is a name: pass r.id() of a reference");
  constexpr bool can_combine = operation_on<Operation, Value>;
  static_assert(can_combine,
                "this operation cannot combine two of the values: it takes two of them and "
                "returns a third, as acre::op::sum does");
  if constexpr (is_name && is_stateless && !counts && can_combine && !global::is_overloaded<Take>) {
    using steps = agas::reduction_steps<Members, Value, Operation, Target,
                                        agas::travelling_t<std::decay_t<Take>>>;
    const std::size_t member = agas::contributing_member(members);
    const rank_t home = agas::state_behind(members).name_of(member).home();
    rpc_ff(home, typename steps::at_member_home{std::forward<Take>(take)},
           typename steps::whole{members, round, target}, std::uint64_t{member}, value);
  }
}

}  // namespace acre
