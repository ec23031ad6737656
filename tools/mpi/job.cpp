// SPDX-License-Identifier: BSD-3-Clause
// Start and end of the MPI layer.
#include "matrix_files.hpp"
#include "rules.hpp"
#include "windows.hpp"
#include <acre/base/read_number.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace acre::mpi {
namespace {

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Independent of the program's locale; 0 if invalid.
double number_of(const std::string& text) {
  double number = 0;
  static_cast<void>(base::read_number(text.data(), text.data() + text.size(), number));
  return number;
}

// acre trace --every; 0: off.
double seconds_between_windows() {
  const std::string text = setting("ACRE_MPI_EVERY");
  const double seconds = number_of(text);
  if (text.empty() || (seconds >= 0.01 && seconds <= 1e7)) return seconds;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::fprintf(stderr,
                 "acre: trace: ACRE_MPI_EVERY=%s is not a number of seconds from 0.01 to 1e7: "
                 "windows by time are disabled\n",
                 text.c_str());
  }
  return 0;
}

int signal_named(const std::string& name) {
  if (name == "USR1") return SIGUSR1;
  if (name == "USR2") return SIGUSR2;
  return name == "TERM" ? SIGTERM : 0;
}

void begin_trace() {
  const window_wishes wishes{.folder = setting("ACRE_MPI_PARTS"),
                             .every = seconds_between_windows(),
                             .signal = signal_named(setting("ACRE_MPI_SIGNAL"))};
  begin_recording(wishes.have_writer() ? readers::other_threads : readers::none);
  begin_windows(wishes);
}

}  // namespace

void started() {
  // MPICH's Fortran calls the C functions, so this may run twice.
  static bool before = false;
  if (std::exchange(before, true)) return;
  // A spawned program has a world of its own.
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) return;
  if (const std::string order = setting("ACRE_MPI_ORDER"); !order.empty()) {
    reorder_world(order.c_str());
  }
  if (!setting("ACRE_MPI_TRACE").empty()) begin_trace();
}

void ending() {
  if (!tracing()) return;
  end_recording();
  end_windows();
  write_matrix_files(setting("ACRE_MPI_TRACE"));
}

}  // namespace acre::mpi
