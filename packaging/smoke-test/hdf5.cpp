// SPDX-License-Identifier: BSD-3-Clause
// Outside project with HDF5 arrays.
#include <acre/matrix_files/hdf5/hdf5.hpp>

#include <acre/acre.hpp>

#include <cstdio>

int main(int, char** arguments) {
  const acre::job job;
  const acre::array<int> a(acre::world(), 5, 7);
  acre::store_hdf5(arguments[1], "/a", a);
  if (acre::rank() == 0) std::printf("%s\n", acre::hdf5_info(arguments[1]).at(0).type.c_str());
}
