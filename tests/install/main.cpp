// SPDX-License-Identifier: BSD-3-Clause
// The smallest program of an outside project: who am I, and of how many?
#include <acre/acre.hpp>

#include <cstdio>

int main() {
  acre::job job;
  std::printf("outside: rank %u of %u\n", static_cast<unsigned>(acre::rank()),
              static_cast<unsigned>(acre::size()));
}
