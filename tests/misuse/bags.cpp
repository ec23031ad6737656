// SPDX-License-Identifier: BSD-3-Clause
// Invalid elements and calls of bags and deques. Each yields one error of at most 20 lines, which
// names the parameter in the comment above.
#include <acre/container/bag/bag.hpp>
#include <acre/container/bag/tagged_bag.hpp>
#include <acre/container/deque/deque.hpp>

#include <string_view>

namespace {

void bags_and_deques(const acre::team& all, acre::tagged_bag<int>& numbers) {
  using namespace acre::guarantees;
  // names: collectable
  // expects: constraint
  acre::bag<std::string_view> views;
  // names: holds_no_pointers_and_views
  // expects: constraint
  acre::tagged_bag<std::string_view> texts;
  // names: holds_no_pointers_and_views
  // expects: constraint
  acre::deque<int*> addresses;
  // names: hosted_by
  // expects: no matching
  const acre::deque<int> values(all);
  // names: guarantee_allowing
  // expects: no matching
  static_cast<void>(numbers.find(1, only<insert>));
}

}  // namespace
