// SPDX-License-Identifier: BSD-3-Clause
// Starts and ends a job, to measure time and memory.
#include <acre/acre.hpp>

#include <cstdio>
#include <sys/resource.h>

int main() {
  const acre::job job;
  acre::barrier();
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf("{\"rank\": %u, \"resident_mb\": %.1f}\n", acre::rank(),
              static_cast<double>(usage.ru_maxrss) / 1024);
}
