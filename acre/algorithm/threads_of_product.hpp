// SPDX-License-Identifier: BSD-3-Clause
// Threads of a local product, by environment or cores, and their parts.
#pragma once

#include <acre/algorithm/packed_pieces.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>

namespace acre::algorithm {

[[nodiscard]] inline const char* threads_of_environment() noexcept {
  for (const char* setting : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"}) {
    if (const char* said = std::getenv(setting); said != nullptr) return said;
  }
  return nullptr;
}

/// Even share of the job's cores on this host, at least one.
[[nodiscard]] inline unsigned cores_of_rank() noexcept {
  return static_cast<unsigned>(std::max<std::size_t>(1, runtime::cpus_a_rank()));
}

/// At least one; `said` is a number, or a list of OpenMP, whose first counts.
[[nodiscard]] inline unsigned threads_or_cores(const char* said) noexcept {
  return said == nullptr ? cores_of_rank()
                         : static_cast<unsigned>(std::max(1L, std::strtol(said, nullptr, 10)));
}

/// Rows and columns of at most `threads` parts of c with short edges, at least 4 pieces per side.
[[nodiscard]] inline std::array<unsigned, 2> parts_of_product(std::size_t rows, std::size_t columns,
                                                              unsigned threads) noexcept {
  constexpr std::size_t least_part = 4 * piece_cut::side;
  std::array<unsigned, 2> best{1, 1};
  const auto edge = [&](const std::array<unsigned, 2>& parts) {
    return rows / parts[0] + columns / parts[1];
  };
  const auto most_of = [&](std::size_t extent, unsigned most) {
    return static_cast<unsigned>(std::clamp<std::size_t>(extent / least_part, 1, most));
  };
  for (unsigned i = 1; i <= most_of(rows, threads); ++i) {
    const std::array<unsigned, 2> parts{i, most_of(columns, threads / i)};
    const unsigned more = parts[0] * parts[1];
    const unsigned most = best[0] * best[1];
    if (more > most || (more == most && edge(parts) < edge(best))) best = parts;
  }
  return best;
}

/// Whole pieces of a part, so bits are independent of `parts`.
[[nodiscard]] inline piece_run share_of_pieces(const piece_cut& cut, unsigned parts,
                                               unsigned part) noexcept {
  return {cut, cut.count() * part / parts, cut.count() * (part + 1) / parts};
}

/// Bytes per thread for packing a.
[[nodiscard]] constexpr std::size_t memory_of_thread(unsigned threads) noexcept {
  constexpr std::size_t of_all = std::size_t{128} << 20;
  constexpr std::size_t least = std::size_t{16} << 20;
  return std::max(least, of_all / threads);
}

}  // namespace acre::algorithm
