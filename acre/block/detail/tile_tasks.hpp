// SPDX-License-Identifier: BSD-3-Clause
// Independent tasks of a tiled product, for the threads of a rank: rows of tiles of c, or groups of
// a few. A block of c belongs to one task, so its bits are independent of the number of threads.
#pragma once

#include <acre/algorithm/in_threads.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>

namespace acre::block_matrices {

class tile_tasks {
 public:
  struct task {
    std::size_t row_tile;
    std::size_t first_column_tile;
    std::size_t last_column_tile;
    std::size_t group;
  };

  tile_tasks(std::size_t row_tiles, std::size_t column_tiles, unsigned threads)
      : row_tiles_(row_tiles), column_tiles_(column_tiles), threads_(threads) {
    if (threads < 2 || row_tiles == 0 || column_tiles == 0) return;
    const std::size_t wanted = (of_thread * threads + row_tiles - 1) / row_tiles;
    groups_ = std::min(wanted, column_tiles);
  }

  /// Largest tile side that gives `threads` enough tiles of rows x columns.
  [[nodiscard]] static std::size_t largest_tile(std::size_t rows, std::size_t columns,
                                                unsigned threads) {
    const double tiles = static_cast<double>(of_thread * threads);
    const double side = std::sqrt(static_cast<double>(rows) * static_cast<double>(columns) / tiles);
    return std::max<std::size_t>(1, static_cast<std::size_t>(side));
  }

  [[nodiscard]] std::size_t groups() const noexcept { return groups_; }

  /// Calls f(thread, task) once per task, concurrently. @throws the first exception of f
  template <class F>
  void run(F&& f) const {
    const std::size_t count = row_tiles_ * groups_;
    // Incremented by all threads; relaxed, as tasks share no results.
    std::atomic<std::size_t> next{0};
    const auto threads = static_cast<unsigned>(std::min<std::size_t>(threads_, count));
    algorithm::in_threads(threads, [&](unsigned thread) {
      for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
        const std::size_t group = i % groups_;
        f(thread, task{.row_tile = i / groups_,
                       .first_column_tile = column_tiles_ * group / groups_,
                       .last_column_tile = column_tiles_ * (group + 1) / groups_,
                       .group = group});
      }
    });
  }

 private:
  static constexpr std::size_t of_thread = 8;

  std::size_t row_tiles_;
  std::size_t column_tiles_;
  unsigned threads_;
  std::size_t groups_ = 1;
};

}  // namespace acre::block_matrices
