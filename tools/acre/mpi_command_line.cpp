#include "mpi_command_line.hpp"

#include "command_help.hpp"

#include <memory>
#include <string>

namespace acre::tool {
namespace {

constexpr const char* about_trace =
    "Runs an MPI program and writes who sent how much to whom, as it is, without a change to it:\n"
    "bytes to FILE, messages to the file beside it (traffic.messages.mtx), both in the format of\n"
    "Matrix Market, for acre map. docs/mpi.md says how each call is counted.";

constexpr const char* about_reorder =
    "Runs an MPI program, without a change to it, with the ranks of MPI_COMM_WORLD in a new\n"
    "order: line i of FILE says which slot (the rank that it would have had) new rank i gets.";

void add_mpi(CLI::App& command, std::string& mpi) {
  command.add_option("--mpi", mpi, "which MPI the program uses, where that is not seen")
      ->type_name("NAME")
      ->check(CLI::IsMember({"openmpi", "mpich"}));
}

}  // namespace

CLI::App* add_trace(CLI::App& acre, trace_options& options) {
  CLI::App* trace = acre.add_subcommand("trace", "record what an MPI program sends");
  trace->description(about_trace);
  trace->add_option("-o,--output", options.output, "where to write the matrix of bytes")
      ->type_name("FILE")
      ->capture_default_str();
  add_mpi(*trace, options.mpi);
  trace->formatter(
      std::make_shared<command_help>("trace [-o FILE] [--] mpirun [option ...] program ..."));
  trace->footer("Example: acre trace -o traffic.mtx -- mpirun -n 4 ./app");
  trace->prefix_command();
  return trace;
}

CLI::App* add_reorder(CLI::App& acre, reorder_options& options) {
  CLI::App* reorder = acre.add_subcommand("reorder", "run an MPI program in a new order of ranks");
  reorder->description(about_reorder);
  reorder->add_option("--order", options.order, "the new order: text, or JSON")
      ->type_name("FILE")
      ->required();
  reorder->add_option("--trace", options.trace, "write what is sent between slots, as acre trace")
      ->type_name("FILE");
  add_mpi(*reorder, options.mpi);
  reorder->formatter(
      std::make_shared<command_help>("reorder --order FILE [--] mpirun [option ...] program ..."));
  reorder->footer("Example: acre reorder --order order.txt -- mpirun -n 4 ./app");
  reorder->prefix_command();
  return reorder;
}

}  // namespace acre::tool
