// SPDX-License-Identifier: BSD-3-Clause
// Heat in a rod: a blocked shared array, loops by affinity, a lock.
#include <acre_upc.h>
#include <cmath>
#include <cstdio>
#include <utility>

namespace upc = acre::upc;

int main(int argc, char** argv) {
  const upc::program run(argc, argv);
  constexpr std::size_t block = 25;
  const std::size_t size = block * upc::threads();

  upc::shared_array<double, block> now(size);    // shared [25] double now[25 * THREADS]
  upc::shared_array<double, block> after(size);  //
  upc::shared_array<double, 0> total(1);         // shared [] double total[1]
  upc::lock guard;                               // upc_lock_t *guard = upc_all_lock_alloc()

  if (upc::mythread() == 0) now[size / 2] = 1000;
  upc::barrier();
  for (int step = 0; step < 100; ++step) {
    now.forall([&](std::size_t i) {  // upc_forall (i = 0; i < size; i++; &now[i])
      const double left = now[(i + size - 1) % size];
      const double right = now[(i + 1) % size];
      after[i] = now[i] + 0.25 * (left - 2 * now[i] + right);
    });
    upc::notify();  // upc_notify; upc_wait
    std::swap(now, after);
    upc::wait();
  }

  double mine = 0;
  for (const double heat : now.local()) mine += heat;
  guard.acquire();  // upc_lock(guard)
  total[0] += mine;
  guard.release();
  upc::barrier();
  if (upc::mythread() == 0) std::printf("heat %.1f in %zu cells\n", double(total[0]), size);
  return std::abs(double(total[0]) - 1000) < 1e-6 ? 0 : 1;
}
