// SPDX-License-Identifier: BSD-3-Clause
#include "barrier.hpp"

#include "failure.hpp"
#include "gasnet.h"
#include "polling.hpp"
#include "state.hpp"
#include "waiting.hpp"
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/remote.hpp>

#include <cstddef>

namespace acre::gasnet {
namespace {

// Slot word: phase, kind, id, from the highest bits down.
constexpr unsigned phase_shift = 34;
constexpr std::uint64_t phase_mask = ~std::uint64_t{0} >> phase_shift;

std::uint64_t packed(std::uint32_t phase, barrier_value value) noexcept {
  return (phase & phase_mask) << phase_shift | std::uint64_t{value.kind} << 32 |
         static_cast<std::uint32_t>(value.id);
}
barrier_value value_of(std::uint64_t word) noexcept {
  return {static_cast<barrier_value::kind_t>(word >> 32 & 3),
          static_cast<int>(static_cast<std::uint32_t>(word))};
}

}  // namespace

barriers& the_barriers() noexcept {
  static constinit barriers all;
  return all;
}

std::atomic<std::uint64_t>* split_barrier::slot_of(std::uint32_t node) const noexcept {
  auto* const boxes = static_cast<std::byte*>(all_segments.infos[node].addr) - GASNET_PAGESIZE;
  return &reinterpret_cast<barrier_box*>(boxes + box_offset_)->slots[phase_ % 2][round_];
}

void split_barrier::notify(barrier_value mine) {
  ++phase_;  // starts at 1, as empty slots are 0
  round_ = 0;
  mine_ = heard_ = mine;
  tell_partner();
  over_.store(false, std::memory_order_release);
  open_.store(true, std::memory_order_release);
}

void split_barrier::tell_partner() {
  const rank_t distance = rank_t{1} << round_;
  if (distance >= runtime::world.size) return;
  const rank_t partner = (runtime::world.rank + distance) % runtime::world.size;
  const place there(partner, slot_of(partner));
  const std::uint64_t word = packed(phase_, heard_);
  if (there.is_here()) {
    reinterpret_cast<std::atomic<std::uint64_t>*>(there.address())
        ->store(word, std::memory_order_release);
    runtime::ring_bell(partner);
  } else {
    runtime::put_remote_word_nbi<fabric::segment_region>(partner, there.offset(), word);
  }
}

bool split_barrier::advance() {
  if (over_.load(std::memory_order_acquire)) return true;
  // Notifying a partner may poll, which may call this function again.
  if (advancing_.exchange(true, std::memory_order_acquire)) return false;
  // Another thread may have ended the barrier since, and a third may notify the next one.
  const bool was_over = over_.load(std::memory_order_acquire);
  bool arrived = !was_over && open_.load(std::memory_order_acquire);
  while (arrived && rank_t{1} << round_ < runtime::world.size) {
    const std::uint64_t word = slot_of(runtime::world.rank)->load(std::memory_order_acquire);
    arrived = word >> phase_shift == (phase_ & phase_mask);
    if (!arrived) break;
    heard_ = heard_.joined(value_of(word));
    ++round_;
    tell_partner();
  }
  if (arrived) over_.store(true, std::memory_order_release);
  advancing_.store(false, std::memory_order_release);
  return arrived || was_over;
}

namespace {

barrier_value said(int id, int flags) noexcept {
  if ((flags & GASNET_BARRIERFLAG_MISMATCH) != 0) return {barrier_value::mismatch, 0};
  if ((flags & GASNET_BARRIERFLAG_ANONYMOUS) != 0) return {barrier_value::anonymous, 0};
  return {barrier_value::named, id};
}

int verdict(int id, int flags) noexcept {
  split_barrier& barrier = the_barriers().user;
  barrier.close();
  if (barrier.result().kind == barrier_value::mismatch) return GASNET_ERR_BARRIER_MISMATCH;
  const barrier_value now = said(id, flags);
  const barrier_value before = barrier.mine();
  const bool same = now.kind == before.kind && now.id == before.id;
  return same ? GASNET_OK : GASNET_ERR_BARRIER_MISMATCH;
}

split_barrier& open_barrier(const char* call) {
  split_barrier& barrier = the_barriers().user;
  if (!barrier.is_open()) fail(call, "gasnet_barrier_notify() must be called before");
  return barrier;
}

}  // namespace
}  // namespace acre::gasnet

using namespace acre::gasnet;

extern "C" {

void gasnet_barrier_notify(int id, int flags) {
  const at_work here;
  split_barrier& barrier = the_barriers().user;
  if (all_segments.nodes == 0)
    fail("gasnet_barrier_notify", "gasnet_attach() must be called before");
  if (barrier.is_open()) {
    fail("gasnet_barrier_notify", "gasnet_barrier_wait() must be called after the last notify");
  }
  or_fail("gasnet_barrier_notify", [&] { barrier.notify(said(id, flags)); });
}

int gasnet_barrier_wait(int id, int flags) {
  const at_work here;
  split_barrier& barrier = open_barrier("gasnet_barrier_wait");
  wait("gasnet_barrier_wait", [&] { return barrier.advance(); });
  return verdict(id, flags);
}

int gasnet_barrier_try(int id, int flags) {
  const at_work here;
  split_barrier& barrier = open_barrier("gasnet_barrier_try");
  poll("gasnet_barrier_try");
  const bool is_over = or_fail("gasnet_barrier_try", [&] { return barrier.advance(); });
  return is_over ? verdict(id, flags) : GASNET_ERR_NOT_READY;
}
}
