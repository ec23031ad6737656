// Contexts and teams as C sees them.
//
// All contexts share the order and the completion of the default one, which promises at least
// what each of them would; a context of a team counts PEs as its team does.
#pragma once

#include "shmem.h"
#include <acre/global/team.hpp>

#include <mutex>
#include <optional>
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
};

namespace acre::shmem {

/// The number in the job of a PE of a context.
[[nodiscard]] inline int rank_in(shmem_ctx_t context, int pe) {
  if (context == SHMEM_CTX_DEFAULT || context->team == SHMEM_TEAM_WORLD) [[likely]] {
    return pe;
  }
  return static_cast<int>(context->team->members->world_rank(static_cast<rank_t>(pe)));
}

}  // namespace acre::shmem
