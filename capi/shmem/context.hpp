// SPDX-License-Identifier: BSD-3-Clause
// Contexts and teams as C sees them.
//
// All contexts share the order and the completion of the default one, which promises at least
// what each of them would; a context of a team counts PEs as its team does.
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

  /// Contexts that were made of it and not destroyed; threads make and destroy them at once.
  std::mutex lock;
  std::vector<shmem_ctx_t> contexts;
};

struct acre_shmem_ctx {
  shmem_team_t team;
  long options;
  std::thread::id owner;  ///< who created it
};

namespace acre::shmem {

/// Whether a handle, whatever it is, names something that was not destroyed.
[[nodiscard]] bool is_alive(shmem_team_t team);
[[nodiscard]] bool is_alive(shmem_ctx_t context);

/// When their team ends.
void destroy_contexts(shmem_team_t team);

/// The number in the job of a PE of a context.
[[nodiscard]] int rank_in_team(shmem_team_t team, int pe);
[[nodiscard]] inline int rank_in(shmem_ctx_t context, int pe) {
  if (context == SHMEM_CTX_DEFAULT || context->team == SHMEM_TEAM_WORLD) [[likely]] {
    return pe;
  }
  return rank_in_team(context->team, pe);
}

}  // namespace acre::shmem
