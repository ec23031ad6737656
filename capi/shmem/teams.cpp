// SPDX-License-Identifier: BSD-3-Clause
// Teams and contexts.
#include "checks.hpp"
#include "context.hpp"
#include "failure.hpp"
#include "profiling.hpp"
#include <acre/base/bits.hpp>
#include <acre/global/team/team.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

namespace acre::shmem {
namespace {

class living {
 public:
  void add(const void* made) {
    const std::lock_guard hold(lock_);
    them_.insert(made);
  }
  bool remove(const void* ended) {
    const std::lock_guard hold(lock_);
    return them_.erase(ended) != 0;
  }
  [[nodiscard]] bool contains(const void* handle) {
    const std::lock_guard hold(lock_);
    return them_.contains(handle);
  }

 private:
  std::mutex lock_;
  std::set<const void*> them_;
};
living& handles() {
  static auto& made = *new living;
  return made;
}

void destroy(shmem_ctx_t context) {
  handles().remove(context);
  delete context;
}

bool exists(shmem_team_t team) noexcept {
  return team != SHMEM_TEAM_INVALID && team->members.has_value();
}
bool exists(shmem_ctx_t context) noexcept { return context != SHMEM_CTX_INVALID; }

int contexts_wanted(const shmem_team_config_t* config, long mask) {
  return config != nullptr && (mask & SHMEM_TEAM_NUM_CONTEXTS) != 0 ? config->num_contexts : 0;
}

int not_made(const char* routine) {
  require_session(routine);
  return 1;
}

/// Collective over the parent.
/// @param place this PE's position in the part; empty if not a member
shmem_team_t split(const char* routine, shmem_team_t parent, int part, std::optional<int> place,
                   int contexts) {
  return or_fail(routine, [&]() -> shmem_team_t {
    team members = parent->members->split(place ? part : -1, place.value_or(0));
    if (!members) return SHMEM_TEAM_INVALID;
    auto made = std::make_unique<acre_shmem_team>();
    made->members = std::move(members);
    made->num_contexts = contexts;
    handles().add(made.get());
    return made.release();
  });
}

int create_context(const char* routine, shmem_team_t team, long options, shmem_ctx_t* ctx) {
  *ctx = SHMEM_CTX_INVALID;
  if (!exists(team)) return not_made(routine);
  auto made = std::make_unique<acre_shmem_ctx>(
      acre_shmem_ctx{.team = team, .options = options, .owner = std::this_thread::get_id()});
  handles().add(made.get());
  const std::lock_guard hold(team->lock);
  team->contexts.push_back(made.get());
  *ctx = made.release();
  return 0;
}

}  // namespace

bool is_alive(shmem_team_t team) {
  const bool is_given = team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED;
  return is_given ? team->members.has_value() : handles().contains(team);
}
bool is_alive(shmem_ctx_t context) {
  return context == SHMEM_CTX_DEFAULT || handles().contains(context);
}

int rank_in_team(shmem_team_t team, int pe) {
  const auto place = static_cast<rank_t>(pe);
  if (place >= team->members->size()) {
    fail("a routine with a context", "pe is " + std::to_string(pe) +
                                         ", but the context's team has " +
                                         std::to_string(team->members->size()) + " PEs");
  }
  return static_cast<int>(team->members->world_rank(place));
}

void destroy_contexts(shmem_team_t team) {
  const std::lock_guard hold(team->lock);
  if (!team->contexts.empty()) pshmem_quiet();
  for (const shmem_ctx_t each : std::exchange(team->contexts, {})) destroy(each);
}

}  // namespace acre::shmem

using namespace acre::shmem;

extern "C" {

ACRE_SHMEM_DEFINE(int, team_my_pe, (shmem_team_t team)) {
  ACRE_SHMEM_CHECK(team_my_pe, its.team_or_invalid(team))
  return exists(team) ? static_cast<int>(team->members->rank()) : -1;
}
ACRE_SHMEM_DEFINE(int, team_n_pes, (shmem_team_t team)) {
  ACRE_SHMEM_CHECK(team_n_pes, its.team_or_invalid(team))
  return exists(team) ? static_cast<int>(team->members->size()) : -1;
}
ACRE_SHMEM_DEFINE(int, team_get_config,
                  (shmem_team_t team, long config_mask, shmem_team_config_t* config)) {
  ACRE_SHMEM_CHECK(team_get_config, its.team_or_invalid(team))
  if (!exists(team)) return 1;
  if (config_mask == 0) return 0;
  if (config == nullptr || (config_mask & ~SHMEM_TEAM_NUM_CONTEXTS) != 0) return 1;
  config->num_contexts = team->num_contexts;
  return 0;
}
ACRE_SHMEM_DEFINE(int, team_translate_pe,
                  (shmem_team_t src_team, int src_pe, shmem_team_t dest_team)) {
  ACRE_SHMEM_CHECK(team_translate_pe, its.team_or_invalid(src_team); its.team_or_invalid(dest_team))
  if (!exists(src_team) || !exists(dest_team)) return -1;
  if (src_pe < 0 || static_cast<acre::rank_t>(src_pe) >= src_team->members->size()) return -1;
  const acre::rank_t rank = src_team->members->world_rank(static_cast<acre::rank_t>(src_pe));
  const auto member = dest_team->members->member(rank);
  return member ? static_cast<int>(*member) : -1;
}

ACRE_SHMEM_DEFINE(int, team_split_strided,
                  (shmem_team_t parent_team, int start, int stride, int size,
                   const shmem_team_config_t* config, long config_mask, shmem_team_t* new_team)) {
  ACRE_SHMEM_CHECK(
      team_split_strided, its.team_or_invalid(parent_team); its.config(config, config_mask);
      its.local("new_team", new_team, sizeof *new_team);
      its.alike_in(parent_team, {{"start", start}, {"stride", stride}, {"size", size}}))
  *new_team = SHMEM_TEAM_INVALID;
  if (!exists(parent_team)) return not_made("shmem_team_split_strided");
  const int parents = pshmem_team_n_pes(parent_team);
  const long last = start + long{stride} * (long{size} - 1);
  const bool is_valid = size >= 1 && start >= 0 && start < parents && last >= 0 && last < parents &&
                        (stride != 0 || size == 1);
  if (!is_valid) return 1;
  // Arguments should agree. PEs with equal arguments form a team, for programs in which each PE
  // splits off itself. Different starts never share a part number.
  const auto word = [](int number) { return std::uint64_t{static_cast<std::uint32_t>(number)}; };
  const int parts_of_a_start = std::numeric_limits<int>::max() / parents;
  const auto which = acre::mix_bits(word(stride) << 32 | word(size)) % word(parts_of_a_start);
  const int part = start * parts_of_a_start + static_cast<int>(which);
  const int distance = pshmem_team_my_pe(parent_team) - start;
  std::optional<int> place;
  if (stride == 0 || distance == 0) {
    if (distance == 0) place = 0;
  } else if (distance % stride == 0 && distance / stride > 0 && distance / stride < size) {
    place = distance / stride;
  }
  *new_team = split("shmem_team_split_strided", parent_team, part, place,
                    contexts_wanted(config, config_mask));
  return 0;
}
ACRE_SHMEM_DEFINE(int, team_split_2d,
                  (shmem_team_t parent_team, int xrange, const shmem_team_config_t* xaxis_config,
                   long xaxis_mask, shmem_team_t* xaxis_team,
                   const shmem_team_config_t* yaxis_config, long yaxis_mask,
                   shmem_team_t* yaxis_team)) {
  ACRE_SHMEM_CHECK(team_split_2d, its.team_or_invalid(parent_team);
                   its.config(xaxis_config, xaxis_mask); its.config(yaxis_config, yaxis_mask);
                   its.local("xaxis_team", xaxis_team, sizeof *xaxis_team);
                   its.local("yaxis_team", yaxis_team, sizeof *yaxis_team);
                   its.alike_in(parent_team, {{"xrange", xrange}}))
  *xaxis_team = SHMEM_TEAM_INVALID;
  *yaxis_team = SHMEM_TEAM_INVALID;
  if (!exists(parent_team) || xrange < 1) return not_made("shmem_team_split_2d");
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
  if (team == SHMEM_TEAM_INVALID) return;
  if (team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED) {
    fail("shmem_team_destroy", "the world team and the shared team cannot be destroyed");
  }
  if (!handles().remove(team)) {
    fail("shmem_team_destroy", "team is invalid or already destroyed");
  }
  ACRE_SHMEM_CHECK(team_destroy, its.no_private_context(*team))
  destroy_contexts(team);
  delete team;
}

ACRE_SHMEM_DEFINE(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t* ctx)) {
  ACRE_SHMEM_CHECK(team_create_ctx, its.team_or_invalid(team); its.context_options(options);
                   its.local("ctx", ctx, sizeof *ctx))
  return create_context("shmem_team_create_ctx", team, options, ctx);
}
ACRE_SHMEM_DEFINE(int, ctx_create, (long options, shmem_ctx_t* ctx)) {
  ACRE_SHMEM_CHECK(ctx_create, its.context_options(options); its.local("ctx", ctx, sizeof *ctx))
  return create_context("shmem_ctx_create", SHMEM_TEAM_WORLD, options, ctx);
}
ACRE_SHMEM_DEFINE(void, ctx_destroy, (shmem_ctx_t ctx)) {
  if (!exists(ctx)) return;
  if (ctx == SHMEM_CTX_DEFAULT) {
    fail("shmem_ctx_destroy", "the default context cannot be destroyed");
  }
  if (!is_alive(ctx)) fail("shmem_ctx_destroy", "ctx is invalid or already destroyed");
  ACRE_SHMEM_CHECK(ctx_destroy, its.context(ctx))
  pshmem_quiet();  // a context without stores may have gets under way
  {
    const std::lock_guard hold(ctx->team->lock);
    std::erase(ctx->team->contexts, ctx);
  }
  destroy(ctx);
}
ACRE_SHMEM_DEFINE(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t* team)) {
  ACRE_SHMEM_CHECK(ctx_get_team, its.context_or_invalid(ctx); its.local("team", team, sizeof *team))
  *team = SHMEM_TEAM_INVALID;
  if (!exists(ctx)) return 1;
  *team = ctx == SHMEM_CTX_DEFAULT ? SHMEM_TEAM_WORLD : ctx->team;
  return 0;
}
}
