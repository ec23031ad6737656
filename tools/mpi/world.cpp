// SPDX-License-Identifier: BSD-3-Clause
#include "world.hpp"

#include "../acre/order.hpp"
#include <acre/base/output_taken.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace acre::mpi {

MPI_Comm new_world = MPI_Comm{};
bool has_new_world = false;

namespace {

constexpr int usage_error = 2;

std::vector<int> new_ranks(const char* file, int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size));
  try {
    const std::vector<tool::slot_t> slots = tool::read_order(file, static_cast<std::size_t>(size));
    for (std::size_t rank = 0; rank < slots.size(); ++rank) {
      ranks[slots[rank]] = static_cast<int>(rank);
    }
  } catch (const tool::bad_order& reason) {
    std::fprintf(stderr, "acre: reorder: %s\n      %s\n", reason.problem.c_str(),
                 reason.advice.c_str());
    std::fflush(stderr);
    await_output_taken();
    PMPI_Abort(MPI_COMM_WORLD, usage_error);
    std::abort();
  }
  return ranks;
}

// Called in MPI_Finalize after the program's own attribute callbacks.
int free_world(MPI_Comm, int, void*, void*) {
  has_new_world = false;
  return PMPI_Comm_free(&new_world);
}

}  // namespace

void reorder_world(const char* file) {
  int slot = 0;
  int size = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &slot);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<int> ranks;
  int moves = 0;
  if (slot == 0) {
    ranks = new_ranks(file, size);
    moves = std::ranges::is_sorted(ranks) ? 0 : 1;
  }
  // The default order is as fast as without this library.
  PMPI_Bcast(&moves, sizeof moves, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (moves == 0) return;
  int rank = 0;
  PMPI_Scatter(ranks.data(), sizeof(int), MPI_BYTE, &rank, sizeof(int), MPI_BYTE, 0,
               MPI_COMM_WORLD);
  PMPI_Comm_split(MPI_COMM_WORLD, 0, rank, &new_world);
  PMPI_Comm_set_name(new_world, "MPI_COMM_WORLD");
  int key = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &free_world, &key, nullptr);
  PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  has_new_world = true;
}

MPI_Comm holder_of_attribute(MPI_Comm given, int key) {
  for (const int each : {MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE,
                         MPI_LASTUSEDCODE, MPI_APPNUM}) {
    if (key == each) return given;
  }
  return reordered(given);
}

void set_errhandler_of_world(MPI_Comm of, MPI_Errhandler handler) {
  if (has_new_world && of == new_world) PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
}

}  // namespace acre::mpi
