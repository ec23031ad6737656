// SPDX-License-Identifier: BSD-3-Clause
#include "allocation.hpp"

#include <acre/base/environment.hpp>
#include <acre/base/host_name.hpp>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

namespace acre::tool {
namespace {

std::size_t number_of(const char* name) {
  const std::string text = environment(name).value_or("");
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Number of names in PBS_NODEFILE, which has a line per core.
std::size_t names_in(const std::string& file) {
  std::ifstream lines(file);
  std::set<std::string> names;
  for (std::string name; lines >> name;) names.insert(name);
  return names.size();
}

/// LSB_MCPU_HOSTS: "c0 8 c1 8".
std::size_t pairs_in(const std::string& text) {
  std::istringstream words(text);
  std::size_t count = 0;
  for (std::string word; words >> word;) ++count;
  return count / 2;
}

}  // namespace

std::optional<allocation> current_allocation() {
  if (const std::size_t hosts = number_of("SLURM_JOB_NUM_NODES"); hosts != 0) {
    if (number_of("SLURM_STEP_NUM_TASKS") > 1) return std::nullopt;
    return allocation{"Slurm", hosts, "srun --mpi=pmix -n"};
  }
  if (const auto file = environment("PBS_NODEFILE")) {
    return allocation{"PBS", names_in(*file), "mpirun --hostfile $PBS_NODEFILE -n"};
  }
  if (const auto hosts = environment("LSB_MCPU_HOSTS")) {
    return allocation{"LSF", pairs_in(*hosts), "mpirun -n"};
  }
  if (environment("PE_HOSTFILE")) {
    return allocation{"Grid Engine", number_of("NHOSTS"), "mpirun -n"};
  }
  return std::nullopt;
}

void mention_other_hosts(std::size_t ranks) {
  const auto given = current_allocation();
  if (!given || given->hosts < 2) return;
  std::fprintf(stderr,
               "acre: run: %s has allocated %zu hosts, but all ranks start on this one, %s\n"
               "      use %s %zu to start them on all hosts; -H localhost confirms this one\n",
               given->scheduler.c_str(), given->hosts, host_name().c_str(), given->instead.c_str(),
               ranks);
}

}  // namespace acre::tool
