// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/distribution.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>
#include <acre/layout/grid_search.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

namespace acre::layout {
namespace {

constexpr const char* call = "make_distribution";

/// Begins of blocks of weight up to `most`, or one index.
std::vector<std::size_t> places_within(std::span<const double> weights, double most) {
  std::vector<std::size_t> places{0};
  double weight = 0;
  for (std::size_t index = 0; index < weights.size(); ++index) {
    if (weight + weights[index] > most && index != places.back()) {
      places.push_back(index);
      weight = 0;
    }
    weight += weights[index];
  }
  return places;
}

}  // namespace

void find_parts(std::span<std::size_t> parts, std::span<const std::size_t> extents,
                member_t members) {
  std::vector<std::size_t> best;
  double least = std::numeric_limits<double>::infinity();
  each_grid(parts, members, [&](std::span<const std::size_t> grid) {
    const double now = contact(grid, extents);
    // The last tie wins: long rows.
    if (!best.empty() && now > least * (1 + 1e-9)) return;
    least = now;
    best.assign(grid.begin(), grid.end());
  });
  if (best.empty()) {
    throw error(call,
                std::to_string(members) + " members do not fit a grid of " + extents_text(parts) +
                    " (0: open)",
                "the product of the parts must be the number of members: leave one open, or use "
                "dist::none in fewer dimensions");
  }
  std::ranges::copy(best, parts.begin());
}

void check_extents(std::span<const std::size_t> extents, member_t members) {
  if (members == 0) throw error(call, "the number of members is 0", "pass a team, or its size");
  std::size_t size = 1;
  for (const std::size_t extent : extents) {
    // Distances must fit a signed type.
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 2;
    if (extent > most || (size != 0 && extent > most / size)) {
      throw error(call, extents_text(extents) + " elements exceed the upper bound of 2^63 - 1",
                  "check for a negative extent");
    }
    size *= extent;
  }
}

void check_tile(std::size_t size) {
  if (size == 0) {
    throw error(call, "tile size 0 is invalid",
                "sizes must be at least 1; dist::tile(1) assigns single indices cyclically");
  }
  if (size > std::numeric_limits<std::size_t>::max() / 2) {
    throw error(call, "tile size " + std::to_string(size) + " is too large",
                "check for a negative size");
  }
}

void check_places(std::span<const std::size_t> places, std::size_t extent, std::size_t parts) {
  const bool are_places = !places.empty() && places.front() == 0 && places.back() == extent &&
                          std::ranges::is_sorted(places);
  if (!are_places) {
    throw error(call, "the block offsets for " + std::to_string(extent) + " indices are invalid",
                "offsets must start with 0, ascend, and end with the extent");
  }
  if (places.size() - 1 > parts) {
    throw error(call,
                std::to_string(places.size() - 1) + " blocks for " + std::to_string(parts) +
                    " parts: each part holds one block",
                "use at most one block per part, or layout::assigned, which allows several");
  }
}

std::vector<std::size_t> places_by_weight(std::span<const double> weights, std::size_t extent,
                                          std::size_t parts) {
  if (weights.size() != extent) {
    throw error(call,
                std::to_string(weights.size()) + " weights do not match " + std::to_string(extent) +
                    " indices",
                "pass one weight per index");
  }
  if (!std::ranges::all_of(weights, [](double weight) { return weight >= 0 && weight < 1e300; })) {
    throw error(call, "a weight is negative, too large or not a number",
                "weights must be at least 0 and below 1e300");
  }
  double enough = std::accumulate(weights.begin(), weights.end(), 0.0);
  double too_little = enough / static_cast<double>(parts) * (1 - 1e-9);
  const double heaviest = weights.empty() ? 0 : std::ranges::max(weights);
  for (int step = 0; step < 60; ++step) {
    const double middle = too_little + (enough - too_little) / 2;
    const bool fits = middle >= heaviest && places_within(weights, middle).size() <= parts;
    (fits ? enough : too_little) = middle;
  }
  std::vector<std::size_t> places = places_within(weights, enough);
  places.resize(parts + 1, extent);
  return places;
}

}  // namespace acre::layout
