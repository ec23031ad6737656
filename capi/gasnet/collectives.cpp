// SPDX-License-Identifier: BSD-3-Clause
// GASNet's collectives as lists of blocks. A broadcast follows a binomial tree; in the others each
// node sends its blocks to their targets.
#include "checking.hpp"
#include "collective.hpp"
#include "gasnet_coll.h"
#include "state.hpp"
#include "waiting.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace acre::gasnet {
namespace {

std::vector<gasnet_coll_fn_entry_t> functions;

std::byte* bytes_at(void* address) { return static_cast<std::byte*>(address); }
gasnet_node_t me() { return runtime::world.rank; }
gasnet_node_t nodes() { return all_segments.nodes; }

void check_call(const char* call, gasnet_team_handle_t team, int flags) {
  if (nodes() == 0) fail(call, "gasnet_attach() must be called before");
  if (team != GASNET_TEAM_ALL) fail(call, "the only team is GASNET_TEAM_ALL");
  constexpr int in = GASNET_COLL_IN_NOSYNC | GASNET_COLL_IN_MYSYNC | GASNET_COLL_IN_ALLSYNC;
  constexpr int out = GASNET_COLL_OUT_NOSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_OUT_ALLSYNC;
  if ((flags & in) == 0 || (flags & out) == 0) {
    fail(call, "flags need one of GASNET_COLL_IN_… and one of GASNET_COLL_OUT_…");
  }
}
void check_call(const char* call, gasnet_team_handle_t team, int flags, gasnet_image_t root) {
  check_call(call, team, flags);
  if (root >= nodes()) fail(call, "image " + std::to_string(root) + " is out of range");
}

/// This node's address of a list of the job's or of this node's images.
void* mine_of(void* const* list, int flags) {
  return list[(flags & GASNET_COLL_LOCAL) != 0 ? 0 : me()];
}

transfers blocks_of(std::size_t bytes, int flags) {
  transfers made;
  made.bytes = bytes;
  made.flags = flags;
  return made;
}
/// Blocks of all other nodes: block i of `first`, or `first` itself if `stride` is 0.
std::vector<transfers::block> blocks_of_others(void* first, std::size_t stride) {
  std::vector<transfers::block> result;
  result.reserve(nodes() - 1);
  for (gasnet_node_t node = 0; node < nodes(); ++node) {
    if (node != me()) result.push_back({node, bytes_at(first) + node * stride});
  }
  return result;
}

void copy_block(void* to, const void* from, std::size_t bytes) {
  if (bytes != 0 && to != from) std::memmove(to, from, bytes);
}
/// Copies this node's block when data may move.
std::function<void()> copy_of_own(void* to, const void* from, std::size_t bytes) {
  return [=] { copy_block(to, from, bytes); };
}

gasnet_coll_handle_t begin(const char* call, transfers&& own) {
  const at_work here;
  return or_fail(call, [&] { return begin_collective(std::move(own)); });
}

gasnet_coll_handle_t broadcast(const char* call, gasnet_team_handle_t team, void* dst,
                               gasnet_image_t root, void* src, std::size_t bytes, int flags) {
  check_call(call, team, flags, root);
  transfers own = blocks_of(bytes, flags);
  own.forwards = true;
  const gasnet_node_t place = (me() + nodes() - root) % nodes();
  const auto node_at = [&](gasnet_node_t other) { return (other + root) % nodes(); };
  if (place == 0) {
    own.start = copy_of_own(dst, src, bytes);
  } else {
    own.received.push_back({node_at(place & (place - 1)), bytes_at(dst)});
  }
  auto* const held = bytes_at(place == 0 ? src : dst);
  const gasnet_node_t limit = place == 0 ? nodes() : place & (~place + 1);
  for (gasnet_node_t step = 1; step < limit && step < nodes() - place; step *= 2) {
    own.sent.push_back({node_at(place + step), held});
  }
  std::ranges::sort(own.sent, {}, &transfers::block::node);
  return begin(call, std::move(own));
}

gasnet_coll_handle_t scatter(const char* call, gasnet_team_handle_t team, void* dst,
                             gasnet_image_t root, void* src, std::size_t bytes, int flags) {
  check_call(call, team, flags, root);
  transfers own = blocks_of(bytes, flags);
  if (me() == root) {
    own.start = copy_of_own(dst, bytes_at(src) + root * bytes, bytes);
    own.sent = blocks_of_others(src, bytes);
  } else {
    own.received = {{root, bytes_at(dst)}};
  }
  return begin(call, std::move(own));
}

gasnet_coll_handle_t gather(const char* call, gasnet_team_handle_t team, gasnet_image_t root,
                            void* dst, void* src, std::size_t bytes, int flags) {
  check_call(call, team, flags, root);
  transfers own = blocks_of(bytes, flags);
  if (me() == root) {
    own.start = copy_of_own(bytes_at(dst) + root * bytes, src, bytes);
    own.received = blocks_of_others(dst, bytes);
  } else {
    own.sent = {{root, bytes_at(src)}};
  }
  return begin(call, std::move(own));
}

gasnet_coll_handle_t gather_all(const char* call, gasnet_team_handle_t team, void* dst, void* src,
                                std::size_t bytes, int flags) {
  check_call(call, team, flags);
  transfers own = blocks_of(bytes, flags);
  own.start = copy_of_own(bytes_at(dst) + me() * bytes, src, bytes);
  own.sent = blocks_of_others(src, 0);
  own.received = blocks_of_others(dst, bytes);
  return begin(call, std::move(own));
}

gasnet_coll_handle_t exchange(const char* call, gasnet_team_handle_t team, void* dst, void* src,
                              std::size_t bytes, int flags) {
  check_call(call, team, flags);
  transfers own = blocks_of(bytes, flags);
  own.start = copy_of_own(bytes_at(dst) + me() * bytes, bytes_at(src) + me() * bytes, bytes);
  own.sent = blocks_of_others(src, bytes);
  own.received = blocks_of_others(dst, bytes);
  return begin(call, std::move(own));
}

struct reduction {
  gasnet_coll_fn_entry_t function;
  std::size_t element_bytes;
  int argument;

  /// Folds `images` rows of `bytes` into `result`, in the order of the images.
  void fold(std::byte* result, const std::byte* rows, gasnet_node_t images,
            std::size_t bytes) const {
    copy_block(result, rows, bytes);
    for (gasnet_node_t image = 1; image < images; ++image) {
      const std::byte* const row = rows + image * bytes;
      for (std::size_t at = 0; at < bytes; at += element_bytes) {
        function.fnptr(result + at, 1, result + at, 1, row + at, element_bytes,
                       static_cast<int>(function.flags), argument);
      }
    }
  }
};

struct elements {
  std::size_t block;
  std::size_t offset;
  std::size_t bytes;
  std::size_t count;
};

gasnet_coll_handle_t reduce(const char* call, gasnet_team_handle_t team, gasnet_image_t root,
                            void* dst, void* src, elements of, gasnet_coll_fn_handle_t function,
                            int argument, int flags) {
  check_call(call, team, flags, root);
  if (of.block != 0 || of.offset != 0) fail(call, "src_blksz and src_offset must be 0");
  const auto index = static_cast<std::size_t>(function);
  if (function < 0 || index >= functions.size()) {
    fail(call, "function " + std::to_string(function) + " was not given to gasnet_coll_init()");
  }
  const std::size_t bytes = of.bytes * of.count;
  transfers own = blocks_of(bytes, flags);
  if (me() == root) {
    auto rows = std::make_shared<std::vector<std::byte>>(bytes * nodes());
    own.start = copy_of_own(rows->data() + root * bytes, src, bytes);
    own.received = blocks_of_others(rows->data(), bytes);
    own.finish = [=, folded = reduction{functions[index], of.bytes, argument}, images = nodes()] {
      folded.fold(bytes_at(dst), rows->data(), images, bytes);
    };
  } else {
    own.sent = {{root, bytes_at(src)}};
  }
  return begin(call, std::move(own));
}

/// @return number of handles that became invalid, and of those that are valid still
std::pair<std::size_t, std::size_t> reap(gasnet_coll_handle_t* handles, std::size_t count) {
  std::size_t ended = 0;
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (handles[i] == GASNET_COLL_INVALID_HANDLE) continue;
    if (!is_complete(handles[i])) {
      ++left;
      continue;
    }
    end_collective(std::exchange(handles[i], GASNET_COLL_INVALID_HANDLE));
    ++ended;
  }
  return {ended, left};
}

enum class enough : std::uint8_t { some, all };

bool try_several(gasnet_coll_handle_t* handles, std::size_t count, enough wanted) {
  const auto [ended, left] = reap(handles, count);
  return left == 0 || (wanted == enough::some && ended != 0);
}
int try_several(const char* call, gasnet_coll_handle_t* handles, std::size_t count, enough wanted) {
  poll(call);
  return try_several(handles, count, wanted) ? GASNET_OK : GASNET_ERR_NOT_READY;
}
void wait_several(const char* call, gasnet_coll_handle_t* handles, std::size_t count,
                  enough wanted) {
  wait(call, [&] { return try_several(handles, count, wanted); });
}

}  // namespace
}  // namespace acre::gasnet

using namespace acre::gasnet;

#define ACRE_GASNET_COLL_DEFINE(RESULT, FORM, BODY)                                                \
  RESULT gasnet_coll_broadcast##FORM(gasnet_team_handle_t team, void* dst,                         \
                                     gasnet_image_t srcimage, void* src, size_t nbytes,            \
                                     int flags) {                                                  \
    BODY(broadcast("gasnet_coll_broadcast" #FORM, team, dst, srcimage, src, nbytes, flags));       \
  }                                                                                                \
  RESULT gasnet_coll_broadcastM##FORM(gasnet_team_handle_t team, void* const* dstlist,             \
                                      gasnet_image_t srcimage, void* src, size_t nbytes,           \
                                      int flags) {                                                 \
    BODY(broadcast("gasnet_coll_broadcastM" #FORM, team, mine_of(dstlist, flags), srcimage, src,   \
                   nbytes, flags));                                                                \
  }                                                                                                \
  RESULT gasnet_coll_scatter##FORM(gasnet_team_handle_t team, void* dst, gasnet_image_t srcimage,  \
                                   void* src, size_t nbytes, int flags) {                          \
    BODY(scatter("gasnet_coll_scatter" #FORM, team, dst, srcimage, src, nbytes, flags));           \
  }                                                                                                \
  RESULT gasnet_coll_scatterM##FORM(gasnet_team_handle_t team, void* const* dstlist,               \
                                    gasnet_image_t srcimage, void* src, size_t nbytes,             \
                                    int flags) {                                                   \
    BODY(scatter("gasnet_coll_scatterM" #FORM, team, mine_of(dstlist, flags), srcimage, src,       \
                 nbytes, flags));                                                                  \
  }                                                                                                \
  RESULT gasnet_coll_gather##FORM(gasnet_team_handle_t team, gasnet_image_t dstimage, void* dst,   \
                                  void* src, size_t nbytes, int flags) {                           \
    BODY(gather("gasnet_coll_gather" #FORM, team, dstimage, dst, src, nbytes, flags));             \
  }                                                                                                \
  RESULT gasnet_coll_gatherM##FORM(gasnet_team_handle_t team, gasnet_image_t dstimage, void* dst,  \
                                   void* const* srclist, size_t nbytes, int flags) {               \
    BODY(gather("gasnet_coll_gatherM" #FORM, team, dstimage, dst, mine_of(srclist, flags), nbytes, \
                flags));                                                                           \
  }                                                                                                \
  RESULT gasnet_coll_gather_all##FORM(gasnet_team_handle_t team, void* dst, void* src,             \
                                      size_t nbytes, int flags) {                                  \
    BODY(gather_all("gasnet_coll_gather_all" #FORM, team, dst, src, nbytes, flags));               \
  }                                                                                                \
  RESULT gasnet_coll_gather_allM##FORM(gasnet_team_handle_t team, void* const* dstlist,            \
                                       void* const* srclist, size_t nbytes, int flags) {           \
    BODY(gather_all("gasnet_coll_gather_allM" #FORM, team, mine_of(dstlist, flags),                \
                    mine_of(srclist, flags), nbytes, flags));                                      \
  }                                                                                                \
  RESULT gasnet_coll_exchange##FORM(gasnet_team_handle_t team, void* dst, void* src,               \
                                    size_t nbytes, int flags) {                                    \
    BODY(exchange("gasnet_coll_exchange" #FORM, team, dst, src, nbytes, flags));                   \
  }                                                                                                \
  RESULT gasnet_coll_exchangeM##FORM(gasnet_team_handle_t team, void* const* dstlist,              \
                                     void* const* srclist, size_t nbytes, int flags) {             \
    BODY(exchange("gasnet_coll_exchangeM" #FORM, team, mine_of(dstlist, flags),                    \
                  mine_of(srclist, flags), nbytes, flags));                                        \
  }                                                                                                \
  RESULT gasnet_coll_reduce##FORM(gasnet_team_handle_t team, gasnet_image_t dstimage, void* dst,   \
                                  void* src, size_t src_blksz, size_t src_offset,                  \
                                  size_t elem_size, size_t elem_count,                             \
                                  gasnet_coll_fn_handle_t func, int func_arg, int flags) {         \
    BODY(reduce("gasnet_coll_reduce" #FORM, team, dstimage, dst, src,                              \
                {src_blksz, src_offset, elem_size, elem_count}, func, func_arg, flags));           \
  }                                                                                                \
  RESULT gasnet_coll_reduceM##FORM(gasnet_team_handle_t team, gasnet_image_t dstimage, void* dst,  \
                                   void* const* srclist, size_t src_blksz, size_t src_offset,      \
                                   size_t elem_size, size_t elem_count,                            \
                                   gasnet_coll_fn_handle_t func, int func_arg, int flags) {        \
    BODY(reduce("gasnet_coll_reduceM" #FORM, team, dstimage, dst, mine_of(srclist, flags),         \
                {src_blksz, src_offset, elem_size, elem_count}, func, func_arg, flags));           \
  }

extern "C" {

void gasnet_coll_init(const gasnet_image_t* images, gasnet_image_t, gasnet_coll_fn_entry_t* fn_tbl,
                      size_t fn_count, int) {
  const at_work here;
  constexpr auto* call = "gasnet_coll_init";
  check_attached(call);
  for (gasnet_node_t node = 0; images != nullptr && node < nodes(); ++node) {
    if (images[node] != 1) fail(call, "Acre has one image per node; images must be null or 1");
  }
  or_fail(call, [&] { functions.assign(fn_tbl, fn_tbl + fn_count); });
}

ACRE_GASNET_COLL_DEFINE(void, , gasnet_coll_wait_sync)
ACRE_GASNET_COLL_DEFINE(gasnet_coll_handle_t, _nb, return)

void gasnet_coll_wait_sync(gasnet_coll_handle_t handle) {
  wait_several("gasnet_coll_wait_sync", &handle, 1, enough::all);
}
int gasnet_coll_try_sync(gasnet_coll_handle_t handle) {
  return try_several("gasnet_coll_try_sync", &handle, 1, enough::all);
}
void gasnet_coll_wait_sync_some(gasnet_coll_handle_t* phandle, size_t numhandles) {
  wait_several("gasnet_coll_wait_sync_some", phandle, numhandles, enough::some);
}
int gasnet_coll_try_sync_some(gasnet_coll_handle_t* phandle, size_t numhandles) {
  return try_several("gasnet_coll_try_sync_some", phandle, numhandles, enough::some);
}
void gasnet_coll_wait_sync_all(gasnet_coll_handle_t* phandle, size_t numhandles) {
  wait_several("gasnet_coll_wait_sync_all", phandle, numhandles, enough::all);
}
int gasnet_coll_try_sync_all(gasnet_coll_handle_t* phandle, size_t numhandles) {
  return try_several("gasnet_coll_try_sync_all", phandle, numhandles, enough::all);
}

void gasnet_coll_barrier_notify(gasnet_team_handle_t, int id, int flags) {
  gasnet_barrier_notify(id, flags);
}
int gasnet_coll_barrier_try(gasnet_team_handle_t, int id, int flags) {
  return gasnet_barrier_try(id, flags);
}
int gasnet_coll_barrier_wait(gasnet_team_handle_t, int id, int flags) {
  return gasnet_barrier_wait(id, flags);
}
int gasnet_coll_barrier(gasnet_team_handle_t, int id, int flags) {
  gasnet_barrier_notify(id, flags);
  return gasnet_barrier_wait(id, flags);
}
gasnet_node_t gasnet_coll_team_size(gasnet_team_handle_t) { return gasnet_nodes(); }
}
