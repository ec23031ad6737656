// Trying what fits, and taking the best.
//
// No single mapping wins: which shape of blocks, which curve and which axes are
// best depends on grid and machine. So all that fit are made and measured, the
// default order among them, and the best are refined with the time that is left.
#pragma once

#include <acre/mapping/metrics.hpp>
#include <acre/mapping/structured.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::mapping {

struct candidate {
  std::string name;  ///< of the algorithm, with what it was given: "blocks 4x3x2, hilbert"
  placement places;
  metrics measured;
  std::chrono::duration<double> took{};
};

struct search_options {
  /// Made and measured until then; the first ones always: packed and what is quickest to make.
  std::chrono::milliseconds at_most{10'000};
  std::uint64_t seed = 1;
};

/// All candidates that time allows, the best first. The default order, "packed", is among them, so
/// the first is never worse than it. Those of the same algorithm that are no better than another
/// of it are left out.
/// @throws acre::error when there are more ranks than slots
[[nodiscard]] std::vector<candidate> search(const problem& given, const search_options& options);

/// The best of them.
[[nodiscard]] candidate automatic(const problem& given, const search_options& options = {});

}  // namespace acre::mapping
