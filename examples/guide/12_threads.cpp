// SPDX-License-Identifier: BSD-3-Clause
// Threads in each rank: they draw work from one counter and send their results by RPC.
#include <acre/acre.hpp>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

std::vector<unsigned> found;  // used only by the main thread

bool is_prime(unsigned n) {
  for (unsigned d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n >= 2;
}

void keep(const std::vector<unsigned>& primes) {
  found.insert(found.end(), primes.begin(), primes.end());
}

int main() {
  const acre::job job;
  const acre::user_code_thread here;  // RPCs run only in this thread
  constexpr unsigned limit = 100'000;
  constexpr unsigned chunk = 1'000;
  acre::hosted_array<unsigned> ticket(acre::world(), acre::hosted_by{0}, 1, 0U);

  std::atomic<int> working = 3;
  const auto work = [&] {
    for (unsigned first; (first = acre::fetch_add(ticket.pointer(0), chunk)) < limit;) {
      std::vector<unsigned> primes;
      for (unsigned n = first; n < first + chunk; ++n) {
        if (is_prime(n)) primes.push_back(n);
      }
      acre::rpc_ff(first / chunk % acre::size(), keep, primes);
    }
    --working;
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(work);
  acre::wait_until([&] { return working == 0; });  // runs RPCs meanwhile
  acre::drain();                                   // waits until all sent calls have run

  const std::size_t all = acre::world().allreduce(found.size());
  if (acre::rank() == 0) std::printf("%zu primes below %u\n", all, limit);
}
