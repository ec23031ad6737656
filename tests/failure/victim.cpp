// SPDX-License-Identifier: BSD-3-Clause
// One rank kills itself (SIGKILL) at PLACE; the others continue.
//
//     failure-victim PLACE RANK
#include <acre/acre.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/matrix_files/npy/npy.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

void die_soon(bool victim) {
  if (!victim) return;
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    die();
  }).detach();
}

void in_barriers(bool victim) {
  die_soon(victim);
  for (;;) acre::barrier();
}

void in_inserts(bool victim) {
  acre::hash_map<std::uint64_t, std::uint64_t> map(acre::world(), 1 << 16);
  die_soon(victim);
  for (std::uint64_t i = 0;; ++i) map.insert(i % (1 << 15), i);
}

void in_rpc_waits(bool victim) {
  die_soon(victim);
  for (acre::rank_t target = 0;; target = (target + 1) % acre::size()) {
    acre::rpc(target, [](int x) { return x + 1; }, 1).get();
  }
}

void in_stores(bool victim, const char* path) {
  acre::array<std::uint64_t> numbers(acre::world(), 100000, 0);
  acre::store_npy(path, numbers);
  die_soon(victim);
  for (std::uint64_t i = 1;; ++i) {
    for (std::uint64_t& each : numbers.local()) each = i;
    acre::store_npy(path, numbers);
  }
}

void in_user_code(bool victim) {
  if (victim) die();
  std::this_thread::sleep_for(std::chrono::seconds(60));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: failure-victim PLACE RANK\n");
    return 2;
  }
  const std::string place = argv[1];
  const auto chosen = static_cast<acre::rank_t>(std::atoi(argv[2]));
  if (place == "start-up") {
    const char* number = std::getenv("PMI_RANK");
    if (number != nullptr && static_cast<acre::rank_t>(std::atoi(number)) == chosen) die();
  }
  const acre::job job;
  const bool victim = acre::rank() == chosen;
  if (place == "barrier") in_barriers(victim);
  if (place == "insert") in_inserts(victim);
  if (place == "rpc") in_rpc_waits(victim);
  if (place == "store") in_stores(victim, std::getenv("ACRE_TEST_FILE"));
  if (place == "user-code") in_user_code(victim);
  // In the early- places the victim lives, but does not take part.
  if (place == "early-barrier" && !victim) acre::barrier();
  if (place == "early-sum" && !victim) std::printf("%d\n", acre::world().allreduce(1));
  if (place == "early-node-barrier" && !victim) acre::node().barrier();
  if (place == "exit" && victim) std::_Exit(0);
  if (place == "throw" && victim) throw acre::error("victim", "thrown on purpose");
  if (place == "abort" && victim) acre::abort_job(7, "aborted on purpose");
  if (place == "finalize" && victim) die();
  return 0;
}
