// SPDX-License-Identifier: BSD-3-Clause
// Heat in a rod: each rank computes a part and puts its border cells into its neighbours' memory.
#include <acre/acre.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
  const acre::job job;
  constexpr unsigned steps = 100;
  constexpr std::size_t cells = 8;  // per rank, between two halo cells
  const acre::rank_t me = acre::rank();
  const bool has_left = me > 0;
  const bool has_right = me + 1 < acre::size();

  // On each rank: the values from the left (0) and right (1) neighbour, for even and odd steps,
  // and the number of values received from each.
  acre::symmetric_array<double> halo(acre::world(), 4);
  acre::symmetric_array<std::uint64_t> signals(acre::world(), 2, 0);

  std::vector<double> now(cells + 2, 0.0);
  if (!has_left) now[0] = 100.0;  // the left end of the rod is hot
  const acre::operation_counts before = acre::counters();
  for (unsigned step = 0; step < steps; ++step) {
    const unsigned half = 2 * (step % 2);
    const auto send = [&](acre::rank_t to, unsigned side, double value) {
      acre::put_signal(halo.pointer(to) + half + side, value, signals.pointer(to) + side, 1,
                       acre::signal_operation::add);
    };
    const auto receive = [&](unsigned side) {
      const std::atomic_ref<std::uint64_t> signal(signals.local()[side]);
      acre::wait_until([&] { return signal.load(std::memory_order_acquire) > step; });
      return halo.local()[half + side];
    };
    if (has_left) send(me - 1, 1, now[1]);
    if (has_right) send(me + 1, 0, now[cells]);
    if (has_left) now[0] = receive(0);
    if (has_right) now[cells + 1] = receive(1);
    const std::vector<double> old = now;
    for (std::size_t i = 1; i <= cells; ++i) now[i] += (old[i - 1] - 2 * old[i] + old[i + 1]) / 4;
  }
  const acre::operation_counts spent = acre::counters() - before;

  const auto rod = acre::world().gather(std::span(now).subspan(1, cells), 0);
  if (me == 0) {
    for (std::size_t i = 0; i < rod.size(); i += 4) std::printf("%7.2f", rod[i]);
    std::printf("\n%.0f W, %.0f A and %.0f M a step\n", static_cast<double>(spent.writes) / steps,
                static_cast<double>(spent.atomics) / steps,
                static_cast<double>(spent.messages) / steps);
  }
}
