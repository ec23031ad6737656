// Teams and contexts.
#include "context.hpp"
#include "failure.hpp"
#include "profiling.hpp"
#include <acre/global/team.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

namespace acre::shmem {
namespace {

bool exists(shmem_team_t team) noexcept {
  return team != SHMEM_TEAM_INVALID && team->members.has_value();
}
bool exists(shmem_ctx_t context) noexcept { return context != SHMEM_CTX_INVALID; }

int contexts_wanted(const shmem_team_config_t* config, long mask) {
  return config != nullptr && (mask & SHMEM_TEAM_NUM_CONTEXTS) != 0 ? config->num_contexts : 0;
}

/// The members of a team: one part of its parent, in an order. Collective over the parent.
/// @param place this PE's place in the part; nothing: it is not in any
shmem_team_t split(const char* routine, shmem_team_t parent, int part, std::optional<int> place,
                   int contexts) {
  return or_fail(routine, [&]() -> shmem_team_t {
    team members = parent->members->split(place ? part : -1, place.value_or(0));
    if (!members) return SHMEM_TEAM_INVALID;
    auto made = std::make_unique<acre_shmem_team>();
    made->members = std::move(members);
    made->num_contexts = contexts;
    return made.release();
  });
}

}  // namespace
}  // namespace acre::shmem

using namespace acre::shmem;

extern "C" {

ACRE_SHMEM_DEFINE(int, team_my_pe, (shmem_team_t team)) {
  return exists(team) ? static_cast<int>(team->members->rank()) : -1;
}
ACRE_SHMEM_DEFINE(int, team_n_pes, (shmem_team_t team)) {
  return exists(team) ? static_cast<int>(team->members->size()) : -1;
}
ACRE_SHMEM_DEFINE(int, team_get_config,
                  (shmem_team_t team, long config_mask, shmem_team_config_t* config)) {
  if (!exists(team)) return 1;
  if (config_mask == 0) return 0;
  if (config == nullptr || (config_mask & ~SHMEM_TEAM_NUM_CONTEXTS) != 0) return 1;
  config->num_contexts = team->num_contexts;
  return 0;
}
ACRE_SHMEM_DEFINE(int, team_translate_pe,
                  (shmem_team_t src_team, int src_pe, shmem_team_t dest_team)) {
  if (!exists(src_team) || !exists(dest_team)) return -1;
  if (src_pe < 0 || static_cast<acre::rank_t>(src_pe) >= src_team->members->size()) return -1;
  const acre::rank_t rank = src_team->members->world_rank(static_cast<acre::rank_t>(src_pe));
  const auto member = dest_team->members->member(rank);
  return member ? static_cast<int>(*member) : -1;
}

ACRE_SHMEM_DEFINE(int, team_split_strided,
                  (shmem_team_t parent_team, int start, int stride, int size,
                   const shmem_team_config_t* config, long config_mask, shmem_team_t* new_team)) {
  *new_team = SHMEM_TEAM_INVALID;
  if (!exists(parent_team)) return 1;
  const int parents = pshmem_team_n_pes(parent_team);
  const long last = start + long{stride} * (size - 1);
  const bool is_valid = size >= 1 && start >= 0 && start < parents && last >= 0 && last < parents &&
                        (stride != 0 || size == 1);
  if (!is_valid) return 1;
  const int distance = pshmem_team_my_pe(parent_team) - start;
  std::optional<int> place;
  if (stride == 0 || distance == 0) {
    if (distance == 0) place = 0;
  } else if (distance % stride == 0 && distance / stride > 0 && distance / stride < size) {
    place = distance / stride;
  }
  *new_team = split("shmem_team_split_strided", parent_team, 0, place,
                    contexts_wanted(config, config_mask));
  return 0;
}
ACRE_SHMEM_DEFINE(int, team_split_2d,
                  (shmem_team_t parent_team, int xrange, const shmem_team_config_t* xaxis_config,
                   long xaxis_mask, shmem_team_t* xaxis_team,
                   const shmem_team_config_t* yaxis_config, long yaxis_mask,
                   shmem_team_t* yaxis_team)) {
  *xaxis_team = SHMEM_TEAM_INVALID;
  *yaxis_team = SHMEM_TEAM_INVALID;
  if (!exists(parent_team) || xrange < 1) return 1;
  const int columns = std::min(xrange, pshmem_team_n_pes(parent_team));
  const int me = pshmem_team_my_pe(parent_team);
  const int x = me % columns;
  const int y = me / columns;
  *xaxis_team =
      split("shmem_team_split_2d", parent_team, y, x, contexts_wanted(xaxis_config, xaxis_mask));
  *yaxis_team =
      split("shmem_team_split_2d", parent_team, x, y, contexts_wanted(yaxis_config, yaxis_mask));
  return 0;
}
ACRE_SHMEM_DEFINE(void, team_destroy, (shmem_team_t team)) {
  if (!exists(team)) return;
  if (team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED) {
    fail("shmem_team_destroy", "the world's and the shared team stay until the end");
  }
  for (const shmem_ctx_t each : team->contexts) delete each;
  delete team;
}

ACRE_SHMEM_DEFINE(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t* ctx)) {
  *ctx = SHMEM_CTX_INVALID;
  if (!exists(team)) return 1;
  auto made = std::make_unique<acre_shmem_ctx>(acre_shmem_ctx{.team = team, .options = options});
  const std::lock_guard hold(team->lock);
  team->contexts.push_back(made.get());
  *ctx = made.release();
  return 0;
}
ACRE_SHMEM_DEFINE(int, ctx_create, (long options, shmem_ctx_t* ctx)) {
  return pshmem_team_create_ctx(SHMEM_TEAM_WORLD, options, ctx);
}
ACRE_SHMEM_DEFINE(void, ctx_destroy, (shmem_ctx_t ctx)) {
  if (!exists(ctx)) return;
  if (ctx == SHMEM_CTX_DEFAULT) {
    fail("shmem_ctx_destroy", "the default context stays until the end");
  }
  if ((ctx->options & SHMEM_CTX_NOSTORE) == 0) pshmem_quiet();
  {
    const std::lock_guard hold(ctx->team->lock);
    std::erase(ctx->team->contexts, ctx);
  }
  delete ctx;
}
ACRE_SHMEM_DEFINE(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t* team)) {
  *team = SHMEM_TEAM_INVALID;
  if (!exists(ctx)) return 1;
  *team = ctx == SHMEM_CTX_DEFAULT ? SHMEM_TEAM_WORLD : ctx->team;
  return 0;
}
}
