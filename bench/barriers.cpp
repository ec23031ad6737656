// SPDX-License-Identifier: BSD-3-Clause
// Seconds for many barriers, for oversubscribed hosts.
#include <acre/acre.hpp>

#include <chrono>
#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  const acre::job job;
  const int barriers = argc > 1 ? std::stoi(argv[1]) : 1000;
  acre::barrier();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < barriers; ++i) acre::barrier();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  if (acre::rank() == 0) {
    std::printf("{\"ranks\": %u, \"barriers\": %d, \"seconds\": %.4f}\n", acre::size(), barriers,
                spent.count());
  }
}
