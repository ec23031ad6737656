// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/mass_gather.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace acre::amr {

bool mass_gather::add(masses& what, const location& node) {
  const std::uint32_t bit = std::uint32_t{1} << what.child;
  if ((come_ & bit) != 0 || (come_ != 0 && what.stage != stage_)) {
    throw error("amr::mass_gather", "the node " + std::to_string(node.key()) +
                                        " received masses of stage " + std::to_string(what.stage) +
                                        " out of turn");
  }
  come_ |= bit;
  stage_ = what.stage;
  fastest_ = std::max(fastest_, what.fastest);
  of_children_[what.child] = std::move(what.below);
  return come_ == (std::uint32_t{1} << children_of_node) - 1;
}

masses mass_gather::sum(const location& node) const {
  masses all{.child = static_cast<std::uint8_t>(node.number()),
             .stage = stage_,
             .fastest = fastest_,
             .below = {}};
  if (!of_children_.front().sums.empty()) all.below = sources_of_node(of_children_, node);
  return all;
}

letters mass_gather::hand_down(const handed& from_above, const location& node) {
  letters out;
  for (unsigned number = 0; number < children_of_node; ++number) {
    handed to_child{.stage = from_above.stage, .step = from_above.step, .outside = {}};
    const location child = node.child(number);
    add_seen_from(child, from_above.outside, to_child.outside);
    for (unsigned sibling = 0; sibling < children_of_node; ++sibling) {
      if (sibling != number) add_seen_from(child, of_children_[sibling], to_child.outside);
    }
    out.push_back({child, std::move(to_child)});
  }
  *this = {};
  return out;
}

}  // namespace acre::amr
