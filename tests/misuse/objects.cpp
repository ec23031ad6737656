// SPDX-License-Identifier: BSD-3-Clause
// Invalid calls of objects and collections. Each error has at most 20 lines.
#include <acre/objects.hpp>

#include <cstddef>
#include <ranges>
#include <string>
#include <tuple>
#include <utility>

namespace {

struct cell {
  explicit cell(std::string with) : name(std::move(with)) {}
  void add(int) {}
  void add(double) {}
  void reset() {}
  [[nodiscard]] std::string text() const { return name; }
  [[nodiscard]] std::size_t length() const { return name.size(); }
  std::string name;
};
using cells = acre::object_collection<cell>;
using grid = acre::object_collection<cell, 2>;

void overloads(const cells& all) {
  // names: overload_to_be_chosen_by_static_cast
  // expects: no matching function for call to | '<unresolved overloaded function type>'
  acre::invoke_all_ff(all, &cell::add, 1);
  // expects: no matching function for call to | '<unresolved overloaded function type>'
  acre::invoke(all[0], &cell::add, 1).get();
  // expects: no matching function for call to | '<unresolved overloaded function type>'
  acre::invoke_ff(all[0], &cell::add, 1);
}

void collections_that_travel(const cells& all, const acre::object_id<cell>& one) {
  // expects: send its name, c.id()
  acre::rpc(1, [](const cells& c) { return c.size(); }, all).get();
  // expects: send its name, c.id()
  acre::invoke_ff(one, [](cell&, const cells&) {}, all);
  // expects: send its name, c.id()
  acre::invoke_all(all, [](cell&, const cells&) {}, all);
}

void members() {
  // expects: no member can be created from this
  static_cast<void>(acre::make_collection<cell>(4));
  // expects: no member can be created from this
  static_cast<void>(acre::make_collection<cell>(4, [](std::size_t i) { return i; }));
  // expects: no member can be created from this
  static_cast<void>(
      acre::make_collection<cell>(4, [](std::size_t i) { return std::tuple(i, 2.0); }));
  // expects: take a function of a member's index that creates it
  static_cast<void>(acre::make_collection<cell>(4, "text"));
  // expects: take a function of a member's index that creates it
  static_cast<void>(acre::make_collection<cell>({4, 3}, [](std::size_t, int) { return "text"; }));
  // expects: cannot be created from these arguments: no constructor accepts them
  static_cast<void>(acre::create_here<cell>(4));
  // expects: cannot be created from these arguments: no constructor accepts them
  static_cast<void>(acre::create<cell>(1, "text", 4).get());
}

void numbers_of_members() {
  // names: write make_collection<T>(4)
  // expects: the_class_of_the_members
  acre::make_collection(4);
  // expects: a_number_of_members
  static_cast<void>(acre::make_collection<cell>("4"));
}

void calls_of_all(const cells& all) {
  // expects: this function returns void: call it by invoke_all()
  static_cast<void>(acre::invoke_reduce(all, acre::op::sum, &cell::reset));
  // expects: has no fixed size
  static_cast<void>(acre::invoke_reduce(all, acre::op::sum, &cell::text));
  // expects: cannot combine two of the results
  static_cast<void>(acre::invoke_reduce(all, [](std::size_t) { return 1; }, &cell::length));
  // expects: this function cannot be called with these arguments
  acre::invoke_all(all, &cell::reset, 4);
  // expects: call one member, invoke(c[i], f, ...)
  static_cast<void>(acre::invoke(all, &cell::length).get());
}

void indices(const grid& all) {
  // expects: takes its index in braces: c[{i, j}]
  static_cast<void>(all[1, 2]);
}

void loops(const cells& all) {
  // names: loop over c.local_members(), or call all: invoke_all(c, f)
  // expects: begin() const | attempt to use a deleted function
  for (const auto& each : all) static_cast<void>(each);
}
static_assert(!std::ranges::range<const cells&>);

struct base {};
struct derived : base {};
void references(const acre::object_ref<base>& of_base) {
  // expects: object_ref<{anonymous}::derived> | object_ref<derived>
  const acre::object_ref<derived> other = of_base;
}

void sections(const cells& all) {
  // expects: this predicate cannot be sent to the homes of members
  const int* const limit = nullptr;
  static_cast<void>(acre::section(all, [limit](std::size_t) { return limit != nullptr; }));
}

void contributions(const cells& all, const acre::object_ref<cell>& to) {
  // expects: takes the id of a collection, c.id()
  acre::contribute(all, 1, 1.0, acre::op::sum, to.id(), &cell::reset);
  // expects: the target of contribute() is a name: pass r.id()
  acre::contribute(all.id(), 1, 1.0, acre::op::sum, to, &cell::reset);
  // expects: this operation cannot combine two of the values
  acre::contribute(
      all.id(), 1, std::string("1"), [](int, int) { return 1; }, to.id(), &cell::reset);
  int count = 0;
  // expects: the operation of contribute() has no state
  acre::contribute(
      all.id(), 1, 1, [count](int a, int b) { return a + b + count; }, to.id(), &cell::reset);
}

void copies(const acre::object_ref<cell>& one) {
  // expects: objects of this class cannot be copied, because they cannot be sent
  static_cast<void>(acre::create_copy(one).get());
  // expects: cannot be created from these arguments: no constructor accepts them
  static_cast<void>(acre::create_near<cell>(one, 4.5).get());
}

void sparse_collections(const acre::sparse_collection<cell, int>& all) {
  // expects: send its name, c.id()
  acre::rpc(1, [](const acre::sparse_collection<cell, int>& c) { return c.size(); }, all).get();
  // expects: cannot be created from these arguments: no constructor accepts them
  static_cast<void>(all.insert(1, 'c', 2).get());
  // expects: this function cannot be called with these arguments
  acre::invoke(all[1], &cell::reset, 4).get();
}

void files(const cells& all) {
  // expects: objects of this class cannot be written
  acre::checkpoint(all, "cells");
}

}  // namespace
