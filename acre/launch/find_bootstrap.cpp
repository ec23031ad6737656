// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/find_bootstrap.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/launch/detail/bootstraps.hpp>

#include <optional>
#include <string>
#include <sys/stat.h>
#include <utility>

namespace acre::launch {
namespace {

constinit std::unique_ptr<runtime::bootstrap> given_bootstrap;

/// The descriptor may be another launcher's, and closed.
std::optional<int> pmi_socket() {
  const auto descriptor = environment_number("PMI_FD");
  struct stat status{};
  if (!descriptor || *descriptor > 1U << 30) return std::nullopt;
  const int number = static_cast<int>(*descriptor);
  if (::fstat(number, &status) != 0 || !S_ISSOCK(status.st_mode)) return std::nullopt;
  return number;
}

[[noreturn]] void refuse_to_be_one_of_many(std::uint64_t tasks) {
  throw error("bootstrap",
              "srun started " + std::to_string(tasks) +
                  " tasks without PMI: each would be a job of one rank",
              "use srun --mpi=pmix or --mpi=pmi2 (srun --mpi=list lists them), or set "
              "ACRE_LAUNCHER=none for one job per task");
}

/// False for mpirun and mpiexec that start ranks through srun.
bool is_by_slurm() {
  if (pmi_socket()) return environment("PMI_JOBID") && environment("SLURM_STEP_ID");
  return environment("PMIX_NAMESPACE").value_or("").starts_with("slurm.");
}

std::unique_ptr<runtime::bootstrap> join_by_environment() {
  if (const auto socket = pmi_socket()) return join_by_pmi(*socket);
  if (environment("PMIX_RANK") && environment("PMIX_NAMESPACE")) return join_by_pmix();
  if (const auto descriptor = environment("PMI_FD")) {
    throw error(
        "bootstrap", "PMI_FD=" + *descriptor + " is not an open connection to a launcher",
        "start the program with acre run, mpiexec or mpirun; or unset PMI_FD to run it alone");
  }
  const std::uint64_t tasks = environment_number("SLURM_STEP_NUM_TASKS").value_or(1);
  if (tasks > 1 && environment("SLURM_PROCID")) refuse_to_be_one_of_many(tasks);
  return nullptr;
}

}  // namespace

void use_bootstrap(std::unique_ptr<runtime::bootstrap> made) { given_bootstrap = std::move(made); }

std::unique_ptr<runtime::bootstrap> find_bootstrap() {
  if (given_bootstrap != nullptr) return std::move(given_bootstrap);
  const bool is_by_acre = environment("ACRE_LAUNCHER") == "acre";
  if (!is_by_acre && environment_choice("ACRE_LAUNCHER", {"none"})) return stay_alone();
  std::unique_ptr<runtime::bootstrap> joined = join_by_environment();
  if (joined == nullptr) return stay_alone();
  return is_by_slurm() ? speak_for_slurm(std::move(joined), pmi_socket()) : std::move(joined);
}

}  // namespace acre::launch
