// SPDX-License-Identifier: BSD-3-Clause
#include <apps/uts/search.hpp>

#include <set>

namespace acre::uts {
namespace {

struct part {
  const tree* whole = nullptr;
  std::size_t nodes_a_call = 0;
  search_result counted;
  unsigned bags = 0;
  std::set<rank_t> thieves;
};
part here;

void ask_neighbours() {
  for (rank_t bit = 1; bit < size(); bit *= 2) {
    const rank_t neighbour = rank() ^ bit;
    if (neighbour >= size()) continue;
    rpc_ff(neighbour, [](rank_t thief) { here.thieves.insert(thief); }, rank());
  }
}

}  // namespace

void bag::work(const object_ref<bag>& self) {
  expand_some();
  while (open_.size() > 1 && !here.thieves.empty()) {
    give_half_to(here.thieves.extract(here.thieves.begin()).value());
  }
  if (!open_.empty()) {
    invoke_ff(self, &bag::work, self);
  } else if (--here.bags == 0) {
    ask_neighbours();
  }
}

void bag::expand_some() {
  for (std::size_t i = 0; i < here.nodes_a_call && !open_.empty(); ++i) {
    const node next = open_.back();
    open_.pop_back();
    const std::uint32_t children = here.whole->children(next);
    here.counted.found += {1, children == 0 ? 1U : 0U, next.depth};
    for (std::uint32_t c = 0; c < children; ++c) open_.push_back(tree::child(next, c));
  }
}

/// The oldest nodes have most work.
void bag::give_half_to(rank_t thief) {
  const auto middle = open_.begin() + static_cast<std::ptrdiff_t>(open_.size() / 2);
  const auto half = create_here<bag>(std::vector<node>(open_.begin(), middle));
  open_.erase(open_.begin(), middle);
  static_cast<void>(migrate(half, thief));
  invoke_ff(half, &bag::work, half);  // runs after the move
}

void acre_after_move(bag& /*arrived*/) {
  ++here.bags;
  ++here.counted.stolen;
}

search_result search(const tree& whole, std::size_t nodes_a_call) {
  here = {.whole = &whole, .nodes_a_call = nodes_a_call, .counted = {}, .bags = 0, .thieves = {}};
  barrier();
  if (rank() != 0) ask_neighbours();
  drain();  // all requests are known before the first call
  if (rank() == 0) {
    here.bags = 1;
    const auto first = create_here<bag>(std::vector<node>{whole.root()});
    invoke_ff(first, &bag::work, first);
  }
  drain();
  return world().allreduce(here.counted, [](search_result a, const search_result& b) {
    a.found += b.found;
    a.stolen += b.stolen;
    return a;
  });
}

}  // namespace acre::uts
