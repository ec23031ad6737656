// SPDX-License-Identifier: BSD-3-Clause
// Rules of buffered writers: how an item changes the map at its owner.
#pragma once

#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/container/hash/detail/hash_part.hpp>
#include <acre/container/hash/detail/multimap_operations.hpp>
#include <acre/fabric/message.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/global/wire/transferable.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/world.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace acre {

namespace container {

struct no_operand {};

/// Base of rules without user code: any thread of the owner applies them.
struct rule_for_keys {
  template <class V>
  using operand = no_operand;
  static constexpr bool runs_user_code = false;
};
struct rule_for_values {
  template <class V>
  using operand = V;
  static constexpr bool runs_user_code = false;
};

}  // namespace container

struct counting_rule : container::rule_for_keys {
  template <class Part, class K>
  container::outcome apply(Part& part, typename Part::bucket_type* home, const K& key,
                           std::uint64_t hash, container::no_operand) const {
    using value = typename Part::mapped_type;
    static_assert(std::integral<value>, "counting requires a map with integer values");
    return part.upsert(
        home, key, hash, [](value& count) noexcept { ++count; }, [] { return value{1}; });
  }
};
inline constexpr counting_rule counting;

/// Increments the value; ignores absent keys.
struct counting_present_rule : container::rule_for_keys {
  template <class Part, class K>
  container::outcome apply(Part& part, typename Part::bucket_type*, const K& key,
                           std::uint64_t hash, container::no_operand) const {
    using value = typename Part::mapped_type;
    static_assert(std::integral<value>, "counting requires a map with integer values");
    return part.modify(key, hash, [](value& count) noexcept { ++count; });
  }
};
inline constexpr counting_present_rule counting_present;

/// Adds to the value; an absent key counts as 0.
struct adding_rule : container::rule_for_values {
  template <class Part, class K, class V>
  container::outcome apply(Part& part, typename Part::bucket_type* home, const K& key,
                           std::uint64_t hash, const V& amount) const {
    static_assert(transferable<V>, "adding requires a map of numbers: use updating for others");
    return part.upsert(
        home, key, hash, [&](V& value) noexcept { value = static_cast<V>(value + amount); },
        [&] { return amount; });
  }
};
inline constexpr adding_rule adding;

/// Keeps a key's first value; in a hash_multimap, all.
struct inserting_rule : container::rule_for_values {
  template <class Part, class K, class V>
  container::outcome apply(Part& part, typename Part::bucket_type* home, const K& key,
                           std::uint64_t hash, const V& value) const {
    if constexpr (std::is_same_v<typename Part::mapped_type, container::value_list<V>>) {
      return container::append_to(part, home, key, hash, value);
    } else {
      return part.insert(home, key, hash, value);
    }
  }
};
inline constexpr inserting_rule inserting;

/// Stores the value. If several ranks assign a key, one of their last values stays.
struct assigning_rule : container::rule_for_values {
  template <class Part, class K, class V>
  container::outcome apply(Part& part, typename Part::bucket_type* home, const K& key,
                           std::uint64_t hash, const V& value) const {
    return part.upsert(home, key, hash, container::replaced_by<V>{value},
                       [&]() -> const V& { return value; });
  }
};
inline constexpr assigning_rule assigning;

/// Calls f(value, operand); a new key starts with V{}.
template <class Operand, class F>
struct updating_rule {
  template <class V>
  using operand = Operand;
  static constexpr bool runs_user_code = true;

  template <class Part, class K>
  container::outcome apply(Part& part, typename Part::bucket_type* home, const K& key,
                           std::uint64_t hash, const Operand& with) const {
    using value = typename Part::mapped_type;
    const auto change = [&](value& old) {
      const runtime::under_container_lock held;
      F{}(old, with);
    };
    return part.upsert(home, key, hash, change, [&] {
      value fresh{};
      change(fresh);
      return fresh;
    });
  }
};
/// @tparam Operand  any type that a map can hold
/// @tparam F        stateless, as a lambda without captures
template <storable Operand, class F>
  requires std::is_empty_v<F> && std::default_initializable<F>
[[nodiscard]] constexpr updating_rule<Operand, F> updating(F) {
  return {};
}

/// Rule with a word of state: the writer sends carried(member) to a member's node, where
/// Rule::arrived(word) applies the items.
template <class Rule>
concept carrying_rule = requires(const Rule& rule, rank_t member) {
  { rule.carried(member) } -> std::same_as<fabric::word>;
  requires std::constructible_from<typename Rule::arrived, fabric::word>;
};

namespace container {

template <class Rule>
[[nodiscard]] fabric::word word_of_rule(const Rule& rule, rank_t member) {
  if constexpr (carrying_rule<Rule>) return rule.carried(member);
  return 0;
}
template <class Rule>
[[nodiscard]] auto rule_of_word(fabric::word word) {
  if constexpr (carrying_rule<Rule>) {
    return typename Rule::arrived(word);
  } else {
    return Rule{};
  }
}

}  // namespace container

}  // namespace acre
