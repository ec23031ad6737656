// SPDX-License-Identifier: BSD-3-Clause
#include "end_of_rank.hpp"

#include <csignal>
#include <cstring>
#include <sys/wait.h>

namespace acre::tool {
namespace {

failure_report killed(const end_of_rank& end, int signal, const memory_watch& memory) {
  if (signal == end.asked) return {{128 + signal, evidence::proof, {}}};
  std::string line = end.name + " was killed by signal " + std::to_string(signal) + " (" +
                     ::strsignal(signal) + ")";
  if (const std::string why = signal == SIGKILL ? memory.what_ran_out() : ""; !why.empty()) {
    line += ": " + why;
  }
  line += "; ending the job\n";
  const bool aborted = signal == SIGABRT;
  return {{128 + signal, aborted ? evidence::abortion : evidence::proof, std::move(line)},
          aborted ? settling : std::chrono::milliseconds(0)};
}

failure_report failed(const end_of_rank& end, int status) {
  if (end.asked != 0 && status == 128 + end.asked) return {{status, evidence::proof, {}}};
  // After a regular finalize the other ranks may finish.
  return {{status, evidence::complaint,
           end.name + " exited with status " + std::to_string(status) + "; ending the job\n"},
          end.stage == pmi_server::stage::finished ? grace : settling};
}

failure_report left(const end_of_rank& end) {
  if (end.asked != 0) return {{128 + end.asked, evidence::proof, {}}};
  return {
      {1, evidence::departure, end.name + " exited without finalising the job; ending the job\n"},
      settling};
}

}  // namespace

std::optional<failure_report> reason_of(const end_of_rank& end, const memory_watch& memory) {
  if (WIFSIGNALED(end.how)) return killed(end, WTERMSIG(end.how), memory);
  if (const int status = WEXITSTATUS(end.how); status != 0) return failed(end, status);
  if (end.stage == pmi_server::stage::inside) return left(end);
  return std::nullopt;
}

}  // namespace acre::tool
