// SPDX-License-Identifier: BSD-3-Clause
#include <bench/stencil/fair_shares.hpp>

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace acre::bench {

std::size_t fair_shares::add_bundle(std::vector<std::uint32_t> links, double most) {
  for (const std::uint32_t each : links) {
    links_[each].bundles.push_back(static_cast<std::uint32_t>(bundles_.size()));
  }
  bundles_.push_back({.links = std::move(links), .most = most});
  return bundles_.size() - 1;
}

void fair_shares::change(std::size_t number, int flows) {
  bundle& which = bundles_[number];
  which.flows += static_cast<std::uint32_t>(flows);
  for (const std::uint32_t each : which.links) {
    links_[each].flows += static_cast<std::uint32_t>(flows);
  }
  has_changed_ = true;
}

void fair_shares::set(bundle& which, double rate) {
  which.rate = rate;
  which.is_set = true;
  for (const std::uint32_t each : which.links) {
    link& crossed = links_[each];
    crossed.left -= rate * which.flows;
    crossed.open -= which.flows;
    touched_.push_back(each);
  }
}

void fair_shares::compute() {
  if (!has_changed_) return;
  has_changed_ = false;
  using candidate = std::pair<double, std::uint32_t>;  // share, link
  std::priority_queue<candidate, std::vector<candidate>, std::greater<>> next;
  const auto offer = [&](std::uint32_t number) {
    const link& each = links_[number];
    if (each.open != 0) next.emplace(std::max(each.left, 0.0) / each.open, number);
  };
  std::vector<std::pair<double, std::uint32_t>> limited;
  for (std::uint32_t i = 0; i < bundles_.size(); ++i) {
    bundles_[i].is_set = bundles_[i].flows == 0;
    if (!bundles_[i].is_set && bundles_[i].most < 1e18) limited.emplace_back(bundles_[i].most, i);
  }
  std::ranges::sort(limited);
  for (link& each : links_) {
    each.left = each.bandwidth;
    each.open = each.flows;
  }
  for (std::uint32_t i = 0; i < links_.size(); ++i) offer(i);
  const auto offer_touched = [&] {
    for (const std::uint32_t each : touched_) offer(each);
    touched_.clear();
  };
  auto bound = limited.begin();
  while (!next.empty()) {
    const auto [share, number] = next.top();
    link& busiest = links_[number];
    const bool is_old = busiest.open == 0 || std::max(busiest.left, 0.0) / busiest.open != share;
    if (is_old) {
      next.pop();
      continue;
    }
    while (bound != limited.end() && bundles_[bound->second].is_set) ++bound;
    if (bound != limited.end() && bound->first < share) {
      set(bundles_[bound->second], bound->first);
    } else {
      next.pop();
      for (const std::uint32_t each : busiest.bundles) {
        if (!bundles_[each].is_set) set(bundles_[each], share);
      }
    }
    offer_touched();
  }
}

}  // namespace acre::bench
