// SPDX-License-Identifier: BSD-3-Clause
// Decides whether the end of a rank ends the job, and with which message.
#pragma once

#include "job_ending.hpp"
#include "memory_watch.hpp"
#include "pmi_server.hpp"

#include <optional>
#include <string>

namespace acre::tool {

struct end_of_rank {
  std::string name;  ///< "acre: rank 3 on host c0 (pid 17)"
  int how;           ///< status of waitpid()
  int asked;         ///< user's last terminating signal, or 0
  pmi_server::stage stage;
};

/// Empty if the other ranks may continue.
[[nodiscard]] std::optional<failure_report> reason_of(const end_of_rank& end,
                                                      const memory_watch& memory);

}  // namespace acre::tool
