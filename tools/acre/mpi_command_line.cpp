// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_command_line.hpp"

#include "../command_line/files.hpp"
#include <acre/base/parse_number.hpp>

#include <string>

namespace acre::tool {
namespace {

using command_line::command;

constexpr const char* about_trace =
    "Runs an MPI program and writes who sent how much to whom, as it is, without a change to it:\n"
    "bytes to FILE, messages to the file beside it (traffic.messages.mtx), both in the format of\n"
    "Matrix Market, for acre map. With windows (--every, --signal, --windows) a job that is "
    "killed\n"
    "leaves what it had sent by then, and each is a matrix of its own: traffic.window-0001.mtx.\n"
    "docs/mpi.md says how each call is counted.";

constexpr const char* about_reorder =
    "Runs an MPI program, without a change to it, with the ranks of MPI_COMM_WORLD in a new\n"
    "order: line i of FILE says which slot (the rank that it would have had) new rank i gets.";

void add_mpi(command& owner, std::string& mpi) {
  owner.add("--mpi", mpi, "which MPI the program uses, where that is not seen")
      .type_name("NAME")
      .one_of({"openmpi", "mpich"});
}

std::string no_duration(const std::string& text) {
  const auto number = base::parse_number<double>(text);
  const bool is_well = number && *number >= 0.01 && *number <= 1e7;
  return is_well ? "" : text + " is no number of seconds from 0.01 to 10000000";
}

void add_windows(command& trace, trace_options& options) {
  trace.add("--every", options.every, "write a window of the traffic each so many seconds")
      .type_name("SECONDS")
      .check(no_duration);
  trace.add("--signal", options.signal, "write a window when the ranks get this signal")
      .type_name("NAME")
      .one_of({"USR1", "USR2", "TERM"});
  trace.add("--windows", options.windows, "write a window when the program calls MPI_Pcontrol(2)");
  trace
      .add(
          "--collect", options.parts,
          "run nothing: make matrices of the parts that a job left whose acre trace was killed too")
      .type_name("FOLDER");
}

}  // namespace

command& add_trace(command& acre, trace_options& options) {
  command& trace = acre.add_command("trace", "record what an MPI program sends");
  trace.description(about_trace);
  trace.add("-o,--output", options.output, "where to write the matrix of bytes")
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
  reorder.add("--order", options.order, "the new order: text, or JSON")
      .type_name("FILE")
      .required();
  reorder.add("--trace", options.trace, "write what is sent between slots, as acre trace")
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
