// SPDX-License-Identifier: BSD-3-Clause
// The reason that the end of a rank gives to end the job.
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

/// Reason to end the job; empty if the others may continue.
[[nodiscard]] std::optional<accusation> reason_of(const end_of_rank& end,
                                                  const memory_watch& memory);

}  // namespace acre::tool
