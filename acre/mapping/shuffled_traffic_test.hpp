// SPDX-License-Identifier: BSD-3-Clause
// Makes traffic with hidden structure, for tests of recognition.
#pragma once

#include <acre/mapping/traffic.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

namespace acre::mapping {

struct change {
  double added = 0;  ///< messages to random targets
  double missing = 0;
};

inline traffic shuffled(const traffic& flows, change wanted = {}, std::uint64_t seed = 3) {
  std::mt19937_64 random(seed);
  std::vector<rank_t> number(flows.ranks());
  std::iota(number.begin(), number.end(), rank_t{0});
  std::ranges::shuffle(number, random);
  const auto happens = [&](double part) {
    return std::uniform_real_distribution<double>(0, 1)(random) < part;
  };
  std::vector<traffic::message> messages;
  const traffic pairs = both_ways(flows);
  for (rank_t from = 0; from < pairs.ranks(); ++from) {
    for (const auto& [to, bytes] : pairs.from(from)) {
      if (from > to) continue;
      if (!happens(wanted.missing)) messages.push_back({number[from], number[to], bytes});
      if (happens(wanted.added)) {
        messages.push_back({number[from], static_cast<rank_t>(random() % pairs.ranks()), bytes});
      }
    }
  }
  return {flows.ranks(), messages};
}

inline std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> some) {
  std::ranges::sort(some);
  return some;
}

using place_in_grid = std::vector<std::int64_t>;

/// Steps of squared length up to `farthest`, one of each opposite pair.
inline std::vector<place_in_grid> box_steps(std::size_t dimensions, std::int64_t farthest) {
  std::vector<place_in_grid> steps;
  place_in_grid step(dimensions, -1);
  const place_in_grid middle(dimensions, 0);
  for (bool more = true; more;) {
    std::int64_t length = 0;
    for (const std::int64_t each : step) length += each * each;
    if (step > middle && length <= farthest) steps.push_back(step);
    more = false;
    for (std::size_t d = dimensions; d-- > 0 && !more;) {
      more = step[d] < 1;
      step[d] = more ? step[d] + 1 : -1;
    }
  }
  return steps;
}

inline std::vector<place_in_grid> star_steps(std::size_t dimensions, std::int64_t reach) {
  std::vector<place_in_grid> steps;
  for (std::size_t d = 0; d < dimensions; ++d) {
    for (std::int64_t length = 1; length <= reach; ++length) {
      steps.emplace_back(dimensions, 0);
      steps.back()[d] = length;
    }
  }
  return steps;
}

enum class borders { open, joined };

inline traffic stencil_traffic(
    const std::vector<std::int64_t>& extents, const std::vector<place_in_grid>& steps, borders ends,
    const std::function<bool(const place_in_grid&)>& has_rank = [](auto&) { return true; }) {
  std::vector<place_in_grid> places(1);
  for (const std::int64_t extent : extents) {
    std::vector<place_in_grid> longer;
    for (const place_in_grid& each : places) {
      for (std::int64_t i = 0; i < extent; ++i) {
        longer.push_back(each);
        longer.back().push_back(i);
      }
    }
    places = std::move(longer);
  }
  std::erase_if(places, [&](const place_in_grid& each) { return !has_rank(each); });
  std::vector<traffic::message> messages;
  for (rank_t rank = 0; rank < places.size(); ++rank) {
    for (const place_in_grid& step : steps) {
      place_in_grid to = places[rank];
      for (std::size_t d = 0; d < to.size(); ++d) {
        to[d] += step[d];
        if (ends == borders::joined) to[d] = (to[d] + extents[d]) % extents[d];
      }
      const auto found = std::ranges::lower_bound(places, to);
      if (found == places.end() || *found != to) continue;
      messages.push_back({rank, static_cast<rank_t>(found - places.begin()), 1});
    }
  }
  return {static_cast<rank_t>(places.size()), messages};
}

}  // namespace acre::mapping
