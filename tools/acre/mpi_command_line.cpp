#include "mpi_command_line.hpp"

#include <string>

namespace acre::tool {
namespace {

using command_line::command;

constexpr const char* about_trace =
    "Runs an MPI program and writes who sent how much to whom, as it is, without a change to it:\n"
    "bytes to FILE, messages to the file beside it (traffic.messages.mtx), both in the format of\n"
    "Matrix Market, for acre map. docs/mpi.md says how each call is counted.";

constexpr const char* about_reorder =
    "Runs an MPI program, without a change to it, with the ranks of MPI_COMM_WORLD in a new\n"
    "order: line i of FILE says which slot (the rank that it would have had) new rank i gets.";

void add_mpi(command& owner, std::string& mpi) {
  owner.add("--mpi", mpi, "which MPI the program uses, where that is not seen")
      .type_name("NAME")
      .one_of({"openmpi", "mpich"});
}

}  // namespace

command& add_trace(command& acre, trace_options& options) {
  command& trace = acre.add_command("trace", "record what an MPI program sends");
  trace.description(about_trace);
  trace.add("-o,--output", options.output, "where to write the matrix of bytes")
      .type_name("FILE")
      .shown_default();
  add_mpi(trace, options.mpi);
  trace.usage("acre trace [-o FILE] [--] mpirun [option ...] program ...");
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
  reorder.usage("acre reorder --order FILE [--] mpirun [option ...] program ...");
  reorder.footer("Example: acre reorder --order order.txt -- mpirun -n 4 ./app");
  reorder.leave_the_rest();
  return reorder;
}

}  // namespace acre::tool
