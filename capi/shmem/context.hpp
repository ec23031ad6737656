// SPDX-License-Identifier: BSD-3-Clause
// C handles of contexts and teams. All contexts share the default context's ordering and
// completion, which is at least as strong.
#pragma once

#include "shmem.h"
#include <acre/global/team/team.hpp>

#include <mutex>
#include <optional>
#include <thread>
#include <vector>

struct acre_shmem_team {
  std::optional<acre::team> members;
  int num_contexts = 0;

  /// Live contexts of the team; threads change them concurrently.
  std::mutex lock;
  std::vector<shmem_ctx_t> contexts;
};

struct acre_shmem_ctx {
  shmem_team_t team;
  long options;
  std::thread::id owner;
};

namespace acre::shmem {

/// True if the team is live; accepts any value.
[[nodiscard]] bool is_alive(shmem_team_t team);
[[nodiscard]] bool is_alive(shmem_ctx_t context);

void destroy_contexts(shmem_team_t team);

[[nodiscard]] int rank_in_team(shmem_team_t team, int pe);
[[nodiscard]] inline int rank_in(shmem_ctx_t context, int pe) {
  if (context == SHMEM_CTX_DEFAULT || context->team == SHMEM_TEAM_WORLD) [[likely]] {
    return pe;
  }
  return rank_in_team(context->team, pe);
}

}  // namespace acre::shmem
