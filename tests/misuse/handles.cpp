// SPDX-License-Identifier: BSD-3-Clause
// Object references, teams and lvalue futures used as values. Each error has at most 20 lines.
#include <acre/acre.hpp>
#include <acre/objects.hpp>

#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace {

struct node {
  int value = 0;
  friend auto acre_fields(node& n) { return std::tie(n.value); }
};
using ref = acre::object_ref<node>;
struct nameless {
  std::string text;
};

// expects: ranks read and write the elements of an array<T> as bytes
constexpr auto size_of_refs = sizeof(acre::array<ref>);
// expects: constraint
constexpr auto size_of_refs_by_key = sizeof(acre::hash_map<int, ref>);
// expects: constraint
constexpr auto size_of_waiting_refs = sizeof(acre::circular_queue<ref>);
// names: object_refs_are_given_as_their_id
// expects: ranks read and write the elements of an array<T> as bytes
constexpr auto size_of_teams = sizeof(acre::array<acre::team>);
// expects: constraint
constexpr auto size_of_teams_by_key = sizeof(acre::hash_map<int, acre::team>);
// names: a_team_stays_with_its_members
// expects: ranks read and write the elements of an array<T> as bytes
constexpr auto size_of_references = sizeof(acre::array<int&>);
// expects: constraint
constexpr auto size_of_references_by_key = sizeof(acre::hash_map<int, int&>);
// names: a_value_and_no_reference
// expects: constraint
constexpr auto size_of_nameless = sizeof(acre::fast_queue<nameless>);
// names: is_trivially_copyable_or_has_acre_fields
// expects: constraint
constexpr auto size_of_pointers = sizeof(acre::distributor<const int*>);
// names: holds_no_pointers_and_views

struct sums {
  std::vector<int> values;
  friend auto acre_fields(sums& s) { return std::tie(s.values); }
};

void collectives(const acre::team& all, const ref& mine, const std::vector<ref>& each,
                 const acre::object_collection<node>& nodes) {
  // names: an object_ref is sent once: send its id()
  // expects: a_value_that_travels
  static_cast<void>(all.broadcast(mine, 0));
  // expects: a_value_that_travels
  static_cast<void>(all.gather_async(mine, 0).get());
  // names: give their id(), or write acre_fields(T&)
  // expects: values_that_travel
  static_cast<void>(all.alltoallv(each));
  // names: a team cannot be sent: split() returns each handle
  // expects: a_value_that_travels
  static_cast<void>(all.broadcast(all, 0));
  // names: a collection cannot be sent: send its id()
  // expects: a_value_that_travels
  static_cast<void>(all.allgather(nodes));
}

void values(const acre::team& all, const nameless& x, std::vector<int>& numbers) {
  // names: auto acre_fields(T& x) { return std::tie(x.a, x.b); }
  // expects: a_value_that_travels
  static_cast<void>(all.broadcast(x, 0));
  // names: no pointer or view: a std::string, vector or span
  // expects: a_value_that_travels
  static_cast<void>(all.allgather("text"));
  // expects: a_value_that_travels
  static_cast<void>(all.allreduce(numbers.data()));
  // names: a number, a pair or a struct; std::span(v) for each
  // expects: a_value_that_combines
  static_cast<void>(all.allreduce(numbers, acre::op::sum));
  // expects: a_value_that_combines
  static_cast<void>(all.inclusive_scan_async(sums{}).get());
  // names: op(a, b) of two values is a third, as acre::op::sum
  // expects: a_value_that_combines
  static_cast<void>(all.reduce(1, 0, [](const std::string&, int) { return 1; }));
  // names: exclusive_scan(value, initial, operation)
  // expects: an_initial_value
  static_cast<void>(all.exclusive_scan(1, acre::op::sum));
  // names: trivially copyable, not const, no pointers
  // expects: elements_that_combine
  all.allreduce(std::span<const int>(numbers), acre::op::sum);
  // expects: elements_that_combine
  all.broadcast(std::span<const int>(numbers), 0);
  // names: alltoall(std::span(v)), or alltoallv(v)
  // expects: elements_in_a_span
  static_cast<void>(all.alltoall(numbers));
}

template <class Team, class T>
concept can_gather = requires(const Team& all, T value) { all.gather(value, 0); };
static_assert(can_gather<acre::team, int> && can_gather<acre::team, std::vector<int>> &&
              can_gather<acre::team, std::span<int>> && !can_gather<acre::team, int*> &&
              !can_gather<acre::team, ref> && !can_gather<acre::team, nameless>);
template <class Team, class T>
concept can_reduce = requires(const Team& all, T value) { all.allreduce(value); };
static_assert(can_reduce<acre::team, int> && can_reduce<acre::team, std::span<int>> &&
              !can_reduce<acre::team, std::vector<int>> &&
              !can_reduce<acre::team, std::span<const int>>);

void roots(const acre::team& all) {
  // names: the root's number follows: broadcast(value, 0)
  // expects: a_value_and_the_root
  static_cast<void>(all.broadcast(1));
  // expects: a_value_and_the_root
  static_cast<void>(all.gather(1));
  // names: the root follows the value: 0, or m.number()
  // expects: the_root_as_a_number
  static_cast<void>(all.reduce(1, acre::op::sum));
  // expects: the_root_as_a_number
  static_cast<void>(all.gather(1, all[0]));
  // names: a std::vector of size() elements
  // expects: a_vector_of_values_for_each
  static_cast<void>(all.alltoallv(3));
}

void calls(const acre::team& all) {
  // expects: a team cannot be sent: each member has its own handle, from split()
  // names: dist_object<acre::team>
  acre::rpc(1, [](const acre::team& its) { return its.size(); }, all).get();
}

void members(const acre::team& all) {
  // names: for (rank_t i = 0; i < t.size(); ++i) use(t[i]);
  // expects: begin() const | attempt to use a deleted function
  for (const acre::member& each : all) static_cast<void>(each);
}

void futures(std::vector<acre::future<int>> list) {
  auto f = acre::rpc(1, [] { return 1; });
  auto g = acre::rpc(1, [] { return 2; });
  // expects: when_all() moves the results out of its futures: write when_all(std::move(f)
  acre::when_all(f, g).get();
  // expects: when_all() moves the results out of its futures: write when_all(std::move(f)
  acre::when_all(list).get();
  // expects: when_any() moves its futures in and returns them
  acre::when_any(f, g).get();
  // names: when_all(rpc(...), rpc(...)), or a std::vector
  // expects: futures_or_a_vector_of_them
  acre::when_all(3).get();
  acre::when_all(std::move(f), g.share()).get();
}

}  // namespace
