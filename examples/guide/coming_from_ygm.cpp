// SPDX-License-Identifier: BSD-3-Clause
// Pages and their links, in the containers that YGM has: links, degrees, components, a search.
#include <acre/acre.hpp>
#include <acre/algorithm/elements.hpp>
#include <acre/algorithm/top_k.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <unordered_set>
#include <vector>

using page = std::uint64_t;
constexpr page pages = 200;

struct search {
  explicit search(const acre::hash_map<page, std::vector<page>>& all) : links(all) {}
  const acre::hash_map<page, std::vector<page>>& links;
  std::unordered_set<page> reached;  // of the pages that this rank owns
};

// Runs at the owner of a page, and calls the owners of the pages to which it links.
void visit(acre::dist_object<search>& mine, page at) {
  if (!mine->reached.insert(at).second) return;
  const auto next = mine->links.find(at);
  if (!next) return;
  for (const page to : *next) acre::rpc_ff(mine->links.owner(to), visit, mine, to);
}

int main() {
  const acre::job job;
  acre::hash_map<page, std::vector<page>> links(acre::world(), 2 * pages);
  acre::counting_map<page> degrees(acre::world(), 2 * pages);
  acre::disjoint_set<page> components(acre::world(), 2 * pages);
  {
    acre::buffered link(
        links, acre::updating<page>([](std::vector<page>& all, page to) { all.push_back(to); }));
    acre::buffered count(degrees, acre::counting);
    acre::buffered join(components, acre::uniting);
    for (page at = acre::rank(); at < pages; at += acre::size()) {
      for (const page to : {at * at * at % pages, (at + 50) % 250}) {
        if (to >= pages) continue;
        link.update(at, to);
        count.add(to);
        join.unite(at, to);
      }
    }
  }  // the writers end: this rank's items are applied
  acre::barrier();

  const auto most = acre::top_k_on_all(degrees, 2, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  const auto all = acre::transform_reduce_on_all(
      links, std::size_t{0}, acre::op::sum, [](const auto& entry) { return entry.second.size(); });
  const std::uint64_t sets = components.set_count();

  acre::dist_object<search> found(acre::world(), links);
  if (acre::rank() == 0) acre::rpc_ff(links.owner(2), visit, found, page{2});
  acre::drain();  // no call is under way on any rank
  const auto reached = acre::world().allreduce(found->reached.size());

  if (acre::rank() == 0) {
    std::printf("%zu links, %zu components\n", all, static_cast<std::size_t>(sets));
    for (const auto& [to, times] : most) {
      std::printf("%zu links to page %zu\n", static_cast<std::size_t>(times),
                  static_cast<std::size_t>(to));
    }
    std::printf("%zu pages are reached from page 2\n", reached);
  }
}
