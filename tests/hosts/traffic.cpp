// SPDX-License-Identifier: BSD-3-Clause
// Checked traffic between ranks: hosts-traffic SECONDS. Rank 0 prints "started", then "all there".
#include <acre/acre.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace {

std::uint64_t added = 0;

}  // namespace

int main(int count, char** words) {
  const acre::job job;
  const std::chrono::milliseconds time(count > 1 ? 1000 * std::atol(words[1]) : 1000);
  acre::array<std::uint64_t> latest(acre::world(), acre::size(), 0);
  acre::hash_map<std::uint64_t, std::uint64_t> map(acre::world(), 1 << 22);
  acre::barrier();
  if (acre::rank() == 0) {
    std::puts("started");
    std::fflush(stdout);
  }
  const acre::rank_t next = (acre::rank() + 1) % acre::size();
  const auto end = std::chrono::steady_clock::now() + time;
  std::uint64_t round = 0;
  while (std::chrono::steady_clock::now() < end && round < (1 << 21) / acre::size()) {
    ++round;
    acre::put(latest.pointer(next), round);
    const auto other = static_cast<acre::rank_t>((acre::rank() + round) % acre::size());
    acre::rpc(other, [](std::uint64_t more) { added += more; }, round).wait();
    map.insert(round * acre::size() + acre::rank(), round);
  }
  acre::drain();
  acre::barrier();
  const auto sum = [](std::uint64_t value) {
    return acre::world().allreduce(value, std::plus<>());
  };
  std::uint64_t lost = sum(round * (round + 1) / 2) == sum(added) ? 0 : 1;
  lost += acre::get(latest.pointer(next)) == round ? 0U : 1U;
  for (std::uint64_t i = 1; i <= round; ++i) {
    const auto found = map.find(i * acre::size() + acre::rank());
    lost += found && *found == i ? 0U : 1U;
  }
  const std::uint64_t all_lost = sum(lost);
  if (acre::rank() == 0) std::puts(all_lost == 0 ? "all there" : "something is lost");
  return all_lost == 0 ? 0 : 1;
}
