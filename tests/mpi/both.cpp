// SPDX-License-Identifier: BSD-3-Clause
// MPI and Acre in one program: equal ranks, containers and MPI's messages side by side.
#include <acre/acre.hpp>

#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <optional>
#include <string_view>

namespace {

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "rank %d: %s\n", static_cast<int>(acre::rank()), what);
  std::exit(1);
}

void exchange_by_both() {
  int mpi_rank = 0;
  int mpi_size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &mpi_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &mpi_size);
  check(mpi_rank == static_cast<int>(acre::rank()), "the ranks differ");
  check(mpi_size == static_cast<int>(acre::size()), "the sizes differ");

  acre::hash_map<int, int> squares(acre::world(), 1000);
  acre::circular_queue<int> received(acre::world(), acre::hosted_by{0}, 1000);
  for (int round = 0; round < 10; ++round) {
    const int key = mpi_size * round + mpi_rank;
    squares.insert(key, key * key);
    received.push(key);
    int sum = 0;
    MPI_Allreduce(&key, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(sum == mpi_size * mpi_size * round + mpi_size * (mpi_size - 1) / 2, "MPI's sum is wrong");
    acre::barrier();
    // Each rank looks for the key of its neighbour, whose number MPI carries.
    int neighbours = 0;
    MPI_Sendrecv(&key, 1, MPI_INT, (mpi_rank + 1) % mpi_size, 0, &neighbours, 1, MPI_INT,
                 (mpi_rank + mpi_size - 1) % mpi_size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(squares.find(neighbours) == neighbours * neighbours, "the map lacks a key");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (mpi_rank == 0)
    check(received.size() == 10 * static_cast<std::size_t>(mpi_size), "a value is lost");
  acre::barrier();
}

}  // namespace

// The argument states who starts first; "late": the job ends after MPI.
int main(int count, char** arguments) {
  const std::string_view order = count < 2 ? "mpi-first" : arguments[1];
  std::optional<acre::job> job;
  if (order != "mpi-first") job.emplace();
  MPI_Init(&count, &arguments);
  if (!job) job.emplace();
  exchange_by_both();
  if (order != "late") job.reset();
  MPI_Finalize();
  return 0;
}
