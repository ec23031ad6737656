// Heat in a rod: each rank computes a part and puts its border cells into its neighbours' memory.
#include <acre/acre.hpp>

#include <cstdio>
#include <utility>
#include <vector>

int main() {
  const acre::job job;
  constexpr int steps = 100;
  constexpr std::size_t cells = 8;  // of each rank, with a halo cell on either side
  using row = std::vector<double>;

  // Four words a rank, at one offset on all: the halo cells for even steps, and for odd ones.
  const acre::global_ptr<double> halo = acre::allocate_symmetric<double>(4);
  const acre::rank_t me = acre::rank();
  const bool has_left = me > 0;
  const bool has_right = me + 1 < acre::size();
  row now(cells + 2, 0.0);
  row then(cells + 2, 0.0);
  if (!has_left) now[0] = 100.0;  // the left end of the rod is hot

  const acre::operation_counts before = acre::counters();
  for (int step = 0; step < steps; ++step) {
    const int half = 2 * (step % 2);
    if (has_left) acre::put_nbi(acre::at_rank(halo, me - 1) + half + 1, now[1]);
    if (has_right) acre::put_nbi(acre::at_rank(halo, me + 1) + half, now[cells]);
    acre::barrier();  // all puts are complete, and all neighbours' are here
    if (has_left) now[0] = halo.local()[half];
    if (has_right) now[cells + 1] = halo.local()[half + 1];
    then = now;
    for (std::size_t i = 1; i <= cells; ++i) {
      then[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
    }
    std::swap(now, then);
  }
  const acre::operation_counts spent = acre::counters() - before;

  const row all = acre::world().gather(std::span(now).subspan(1, cells), 0);
  if (me == 0) {
    for (std::size_t i = 0; i < all.size(); i += 4) std::printf("%7.2f", all[i]);
    std::printf("\n%.0f W and %.0f B a step\n", static_cast<double>(spent.writes) / steps,
                static_cast<double>(spent.barriers) / steps);
  }
  acre::deallocate_symmetric(halo);
}
