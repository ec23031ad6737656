// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_command_line.hpp"

#include "../command_line/files.hpp"
#include "duration.hpp"

#include <string>

namespace acre::tool {
namespace {

using command_line::command;

constexpr const char* about_trace =
    "Runs an unchanged MPI program and writes the traffic between its ranks: bytes to FILE,\n"
    "messages to the file next to it (traffic.messages.mtx), both as Matrix Market, for acre map.\n"
    "With windows (--every, --signal, --windows) a job that is killed leaves its traffic up to\n"
    "the last window. Each window is a matrix of its own: traffic.window-0001.mtx.\n"
    "See docs/mpi.md for the counting of each call.";

constexpr const char* about_reorder =
    "Runs an unchanged MPI program with the ranks of MPI_COMM_WORLD in a new order: line i of\n"
    "FILE contains the slot (the old rank) of new rank i.";

void add_mpi(command& owner, std::string& mpi) {
  owner.add("--mpi", mpi, "use this MPI (default: the one detected)")
      .type_name("NAME")
      .one_of({"openmpi", "mpich"});
}

void add_windows(command& trace, trace_options& options) {
  trace.add("--every", options.every, "write a window of the traffic every SECONDS")
      .type_name("SECONDS")
      .check(problem_of_duration);
  trace.add("--signal", options.signal, "write a window when the ranks receive this signal")
      .type_name("NAME")
      .one_of({"USR1", "USR2", "TERM"});
  trace.add("--windows", options.windows, "write a window when the program calls MPI_Pcontrol(2)");
  trace
      .add("--collect", options.parts,
           "run no program: make matrices of the parts in FOLDER that a killed acre trace left")
      .type_name("FOLDER");
}

}  // namespace

command& add_trace(command& acre, trace_options& options) {
  command& trace = acre.add_command("trace", "record the traffic of an MPI program");
  trace.description(about_trace);
  trace.add("-o,--output", options.output, "write the matrix of bytes to FILE")
      .type_name("FILE")
      .shown_default();
  add_windows(trace, options);
  add_mpi(trace, options.mpi);
  trace.usage("acre trace [option ...] [--] mpirun [option ...] program ...");
  trace.footer("Example: acre trace -o traffic.mtx -- mpirun -n 4 ./app");
  trace.leave_the_rest();
  return trace;
}

command& add_reorder(command& acre, reorder_options& options) {
  command& reorder = acre.add_command("reorder", "run an MPI program in a new order of ranks");
  reorder.description(about_reorder);
  reorder.add("--order", options.order, "read the new order from FILE (text or JSON)")
      .type_name("FILE")
      .required();
  reorder
      .add("--trace", options.trace, "write the traffic between slots to FILE, as acre trace does")
      .type_name("FILE");
  add_mpi(reorder, options.mpi);
  reorder.refuse([&options] {
    return command_line::clash_of({{"--trace", options.trace}}, {{"--order", options.order}});
  });
  reorder.usage("acre reorder --order FILE [--] mpirun [option ...] program ...");
  reorder.footer("Example: acre reorder --order order.txt -- mpirun -n 4 ./app");
  reorder.leave_the_rest();
  return reorder;
}

}  // namespace acre::tool
