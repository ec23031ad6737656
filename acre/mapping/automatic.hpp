// SPDX-License-Identifier: BSD-3-Clause
// Trying what fits, and taking the best.
//
// No single mapping wins: which shape of blocks, which curve and which axes are
// best depends on grid and machine. So all that fit are made and measured, the
// default order among them, and the best are refined with the time that is left.
#pragma once

#include <acre/mapping/metrics.hpp>
#include <acre/mapping/structured.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acre::mapping {

/// An algorithm that search() does not know by itself: one that needs a library, say.
struct algorithm {
  std::string name;
  std::function<placement(const problem&)> map;
  /// About: where that makes more than the time left, the algorithm is not begun.
  double seconds_a_flow = 0;
};

/// A name as one types it: "blocks-hilbert" of "blocks, hilbert", "reverse-cuthill-mckee".
[[nodiscard]] std::string typed_name(std::string_view algorithm);

struct candidate {
  std::string algorithm;  ///< "blocks, hilbert"
  std::string name;       ///< the same with what it was given: "blocks 4x3x2, hilbert along 0x2x1"
  placement places;
  metrics measured;
  std::chrono::duration<double> took{};
};

struct search_options {
  /// Made and measured until then; two always: packed, and one that promises something.
  std::chrono::milliseconds at_most{10'000};
  std::uint64_t seed = 1;
  /// The only algorithms that are tried, besides packed, by their names or typed_name(); all when
  /// there is none.
  std::vector<std::string> only{};
  std::vector<algorithm> more{};
  /// How many of the best are refined.
  std::size_t refined = 2;
  /// Exchanges that each refinement looks at. With enough time a search repeats exactly.
  std::uint64_t most_trials = UINT64_MAX;
};

/// All candidates that time allows, the best first. The default order, "packed", is among them, and
/// all that are not faster than it by a percent, or slower, at once or in phases, come behind it.
/// Of each algorithm there is the best one, and that one refined. An algorithm that does not take a
/// problem is left out.
/// @throws acre::error when there are more ranks than slots
[[nodiscard]] std::vector<candidate> search(const problem& given, const search_options& options);

/// The default order, "packed", of what search() found.
[[nodiscard]] const candidate& default_order(std::span<const candidate> found);

/// Mappings that were found for one problem, measured for another of as many ranks and slots: other
/// sizes of messages, say. The best first, as search() orders them.
[[nodiscard]] std::vector<candidate> judged(const problem& given, std::vector<candidate> some);

/// The best of them.
[[nodiscard]] candidate automatic(const problem& given, const search_options& options = {});

}  // namespace acre::mapping
