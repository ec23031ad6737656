// SPDX-License-Identifier: BSD-3-Clause
// Makes and measures all mappings that fit, then refines the best in the remaining time.
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

/// An algorithm added by the caller.
struct algorithm {
  std::string name;
  std::function<placement(const problem&)> map;
  /// Estimated seconds per flow; skipped if the estimate exceeds the time left. 0: never skipped.
  double seconds_a_flow = 0;
};

/// Command-line name: "blocks-hilbert" for "blocks, hilbert".
[[nodiscard]] std::string typed_name(std::string_view algorithm);

struct candidate {
  std::string algorithm;
  std::string name;  ///< "blocks 4x3x2, hilbert along 0x2x1"
  placement places;
  metrics measured;
  std::chrono::duration<double> took{};
};

struct search_options {
  /// Time limit; "packed" and one further candidate are always measured.
  std::chrono::milliseconds at_most{10'000};
  std::uint64_t seed = 1;
  /// Only these algorithms and "packed", by name or typed_name(); empty: all.
  std::vector<std::string> only{};
  std::vector<algorithm> more{};
  /// Number of candidates to refine.
  std::size_t refined = 2;
  /// Limit of examined exchanges per refinement; if it ends the search, repeated searches give
  /// equal results.
  std::uint64_t most_trials = UINT64_MAX;
};

/// Returns the best candidate of each algorithm, and refined ones, best first. Those that are
/// slower (at once or in phases) than the default order "packed", or save neither 1 % of the time
/// nor 5 % of the hop-bytes, follow it. Omits algorithms that throw. For objective::cost, only cost
/// counts.
///
/// @throws acre::error on too few slots
[[nodiscard]] std::vector<candidate> search(const problem& given, const search_options& options);

/// The "packed" candidate of search().
[[nodiscard]] const candidate& default_order(std::span<const candidate> found);

/// Measures `some` for another problem with equal numbers of ranks and slots; returns them sorted.
[[nodiscard]] std::vector<candidate> judged(const problem& given, std::vector<candidate> some);

/// Returns the first candidate of search().
[[nodiscard]] candidate automatic(const problem& given, const search_options& options = {});

}  // namespace acre::mapping
