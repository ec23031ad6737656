// SPDX-License-Identifier: BSD-3-Clause
// Pipelined wave: element (j, i) depends on left and lower neighbours. The sent number is its own
// signal: empty mailbox slots contain NaN.
#include <acre/array/matrix.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/wait_until.hpp>

#include <apps/prk/kernels.hpp>
#include <apps/prk/outcome.hpp>

#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace acre::prk {
namespace {

constexpr double nothing_yet = std::numeric_limits<double>::quiet_NaN();

double receive(double& place) {
  const std::atomic_ref<double> slot(place);
  wait_until([&] { return !std::isnan(slot.load(std::memory_order_acquire)); });
  return slot.exchange(nothing_yet, std::memory_order_relaxed);
}

}  // namespace

void sync_p2p(const sync_p2p_request& wanted) {
  require_for_each_rank("columns", wanted.columns);
  const std::size_t lines = wanted.lines;
  auto grid = make_matrix<double>(
      world(), make_distribution({lines, wanted.columns}, size(), dist::none, dist::balanced));
  auto mail = make_matrix<double>(
      world(), make_distribution({size(), lines}, size(), dist::balanced, dist::none), nothing_yet);
  const auto own = grid.local();
  const std::size_t first = grid.local_box().first[1];
  const std::size_t columns = own.extent(1);
  const std::span<double> mine = mail.local().row(0);
  const bool is_first = rank() == 0;
  const bool is_last = rank() + 1 == size();
  for (std::size_t i = 0; i < columns; ++i) own(0, i) = static_cast<double>(first + i);
  if (is_first) {
    for (std::size_t j = 0; j < lines; ++j) own(j, 0) = static_cast<double>(j);
  }
  barrier();

  const double seconds = seconds_of_one(wanted.iterations, [&] {
    // Left neighbour in the previous line; initially from column `first` - 1.
    double before = is_first ? 0 : static_cast<double>(first) - 1;
    for (std::size_t j = 1; j < lines; ++j) {
      const std::span<double> line = own.row(j);
      const std::span<const double> below = own.row(j - 1);
      double left = is_first ? line[0] : receive(mine[j]);
      double left_below = is_first ? below[0] : before;
      before = left;
      for (std::size_t i = is_first ? 1 : 0; i < columns; ++i) {
        left = left + below[i] - left_below;
        left_below = below[i];
        line[i] = left;
      }
      if (!is_last) atomic_store_nbi(mail.pointer({rank() + 1, j}), left);
    }
    // The corner starts the next wave.
    if (is_last) atomic_store(mail.pointer({0, 0}), -own(lines - 1, columns - 1));
    if (is_first) own(0, 0) = receive(mine[0]);
  });

  const double corner = is_last ? own(lines - 1, columns - 1) : 0;
  require_sum("the corner", world().allreduce(corner),
              (wanted.iterations + 1.0) * static_cast<double>(wanted.columns + lines - 2));
  print_rate("MFlops/s",
             2e-6 * static_cast<double>(wanted.columns - 1) * static_cast<double>(lines - 1),
             seconds);
}

}  // namespace acre::prk
