// SPDX-License-Identifier: BSD-3-Clause
// Smallest outside project.
#include <acre/acre.hpp>

#include <cstdio>

int main() {
  acre::job job;
  std::printf("rank %u of %u\n", static_cast<unsigned>(acre::rank()),
              static_cast<unsigned>(acre::size()));
}
