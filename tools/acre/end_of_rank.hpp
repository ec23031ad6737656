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
  std::string name;         ///< "acre: rank 3 on host c0 (pid 17)"
  int how;                  ///< the status that waitpid() returned
  int asked;                ///< the last signal by which the user asked for the end, or 0
  pmi_server::stage stage;  ///< of the rank
};

/// @return empty when the other ranks may go on
[[nodiscard]] std::optional<accusation> reason_of(const end_of_rank& end,
                                                  const memory_watch& memory);

}  // namespace acre::tool
