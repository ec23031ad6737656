// Threads in each rank: they draw work from one counter, and send what they find by RPC.
#include <acre/acre.hpp>

#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

// RPCs run in whatever thread of this rank calls progress() or waits: two may run at once.
std::mutex guard;
std::vector<unsigned> found;

bool is_prime(unsigned n) {
  for (unsigned d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n >= 2;
}

void keep(const std::vector<unsigned>& primes) {
  const std::lock_guard lock(guard);
  found.insert(found.end(), primes.begin(), primes.end());
}

int main() {
  const acre::job job;
  constexpr unsigned limit = 100'000;
  constexpr unsigned chunk = 1'000;
  acre::hosted_array<unsigned> ticket(acre::world(), acre::hosted_by{0}, 1, 0U);

  const auto work = [&] {
    for (unsigned first; (first = acre::fetch_add(ticket.pointer(0), chunk)) < limit;) {
      std::vector<unsigned> primes;
      for (unsigned n = first; n < first + chunk; ++n) {
        if (is_prime(n)) primes.push_back(n);
      }
      acre::rpc(first / chunk % acre::size(), keep, primes).get();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(work);
  }  // joined: all that this rank has sent is kept
  acre::barrier();

  const std::size_t all = acre::world().allreduce(found.size());
  if (acre::rank() == 0) std::printf("%zu primes below %u\n", all, limit);
}
