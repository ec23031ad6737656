// SPDX-License-Identifier: BSD-3-Clause
// Invalid constructors and calls of containers. Each yields one error of at most 20 lines, which
// names the parameter in the comment above.
#include <acre/array/hosted_array.hpp>
#include <acre/array/ragged_array.hpp>
#include <acre/container/bloom/bloom_filter.hpp>
#include <acre/container/distributor.hpp>
#include <acre/container/hash/buffered.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/container/hash/hash_multimap.hpp>
#include <acre/container/sets/disjoint_set.hpp>
#include <acre/container/sets/union_find.hpp>
#include <acre/global/rpc/dist_object.hpp>
#include <acre/global/team/symmetric_array.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

struct label {
  std::string text;
};
using map = acre::hash_map<std::string, int>;

static_assert(requires(map m) { m.insert("a", 1); } && requires(map m) { m.insert("a", {}); });
template <class Map, class Key>
concept can_insert = requires(Map& m, Key key) { m.insert(key, 1); };
static_assert(can_insert<map, const char*> && !can_insert<map, int>);
static_assert(!std::constructible_from<acre::dist_object<int>, std::string> &&
              !std::constructible_from<map, int, acre::team>);

void constructors(const acre::team& all) {
  // names: array(team, size), matrix(team, {rows, columns})
  // expects: the_team_before_the_size
  const map entries(10, all);
  // expects: the_team_before_the_size
  const acre::symmetric_array<int> counts(10, all);
  // names: hash_map<K, V>(team, 4096)
  // expects: a_capacity_as_a_number
  const map named(all, "10");
  // names: (team, acre::hosted_by{0}, size)
  // expects: deleted function 'acre::hosted_array | deleted constructor of 'const
  // acre::hosted_array
  const acre::hosted_array<int> hosted(all, 10);
  // names: ragged_array(team, std::vector<std::size_t>{...})
  // expects: the_lengths_of_own_rows
  const acre::ragged_array<int> rows(all, 10);
  // names: bloom_filter(team, items, rate)
  // expects: the_items_before_a_rate
  const acre::bloom_filter<int> seen(all, 10);
  // expects: the_team_before_the_size
  const acre::union_find elements(10, all);
  // expects: the_team_before_the_size
  const acre::disjoint_set<int> keys(10, all);
  // names: dist_object<T>(team, arguments of a T)
  // expects: arguments_of_a_constructor
  const acre::dist_object<label> object(3);
  // expects: arguments_of_a_constructor
  const acre::dist_object<int> number(all, "3");
}

void multimap_calls(acre::hash_multimap<std::string, int>& places, map& entries) {
  // names: [](V& value, const Operand& x) { ... }
  // expects: a_function_of_each_value
  places.visit("a", [](std::string&) {});
  // names: a buffered writer of a hash_multimap inserts
  // expects: buffered(map, acre::inserting)
  const acre::buffered counts(places, acre::counting);
  // names: holds_no_pointers_and_views
  // expects: no matching
  acre::buffered(entries, acre::updating<std::string_view>([](int&, std::string_view) {})).flush();
}

void calls(map& entries, acre::distributor<int>& numbers, const std::pair<std::string, int>& pair) {
  // names: the key becomes a K
  // expects: a_key_of_the_map
  entries.insert(1, 1);
  // names: the value becomes a V
  // expects: a_value_of_the_map
  entries.insert_or_assign("a", "1");
  // names: insert(key, value), without a pair or braces
  // expects: a_key_and_a_value
  entries.insert(pair);
  // expects: a_key_and_a_value
  entries.insert({"a", 1});
  // names: is_or_becomes_a_key_or_compares_with_one
  // expects: no matching
  static_cast<void>(entries.find(1));
  // names: [](V& value, const Operand& x) { ... }
  // expects: a_function_of_the_value
  entries.apply("a", [](std::string&) {});
  // expects: a_function_of_the_value
  entries.apply_async("a", [](std::optional<int>&, int) { return 1; }, 3).get();
  // names: [&] or [this]
  // expects: this function captures a reference or a pointer
  entries.apply("a", [&pair](int& value) { value = pair.second; });
  // names: takes_a_const_key_and_a_const_value
  // expects: no matching
  entries.for_each_local([](const std::string&) {});
  // names: takes_an_item_or_a_span_of_const_items
  // expects: no matching
  numbers.receive([](const std::string&) {});
}

void guarantees_of_sets(acre::union_find& sets, acre::disjoint_set<std::string>& friends) {
  using namespace acre::guarantees;
  sets.unite(1, 2, only<update>);
  sets.unite(1, 2, only<update, find>);
  static_cast<void>(sets.find(1, only<find>));
  friends.insert("a", only<insert>);
  // names: guarantee_for_sets
  // expects: no matching
  sets.unite(1, 2, only<find>);
  // expects: no matching
  sets.unite(1, 2, local);
  // expects: no matching
  static_cast<void>(sets.find(1, only<update>));
  // expects: no matching
  static_cast<void>(sets.are_together(1, 2, local));
  // expects: no matching
  friends.unite("a", "b", only<insert>);
  // names: pair_of_numbers
  // expects: no matching
  sets.unite_all(std::vector<int>{1, 2});
  // names: range_of_pairs_of_keys
  // expects: no matching
  friends.unite_all(std::vector<std::pair<int, int>>{});
}

}  // namespace
