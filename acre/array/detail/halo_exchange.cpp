// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/detail/halo_exchange.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/fabric/box_copy.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/memory/put_signal.hpp>
#include <acre/global/memory/wait_until.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/put_message.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <string>
#include <utility>

namespace acre::arrays {
namespace {

constexpr std::size_t line_bytes = 64;
constexpr std::uint64_t gone = ~std::uint64_t{0};

constexpr std::size_t whole_lines(std::size_t bytes) noexcept {
  return divide_up(bytes, line_bytes) * line_bytes;
}

std::uint64_t look(std::uint64_t& word) noexcept {
  return std::atomic_ref(word).load(std::memory_order_acquire);
}

std::size_t bytes_of(const std::vector<halo_box>& boxes) noexcept {
  std::size_t bytes = 0;
  for (const halo_box& each : boxes) bytes += each.shape.bytes();
  return bytes;
}

bool takes_part(const halo_box& box, std::size_t direction) noexcept {
  return direction == halo_exchange::all_directions || box.direction == direction;
}

}  // namespace

struct halo_line {
  alignas(line_bytes) std::uint64_t ready[2];
  std::uint64_t taken;
};
static_assert(sizeof(halo_line) == line_bytes);

std::size_t halo_peer::bytes_in() const noexcept { return bytes_of(in); }
std::size_t halo_peer::bytes_out() const noexcept { return bytes_of(out); }

std::size_t halo_channel_bytes(bool is_near, std::size_t bytes_in, std::size_t bytes_out) noexcept {
  if (is_near) return line_bytes;
  return line_bytes + 2 * whole_lines(bytes_in) + 2 * whole_lines(bytes_out);
}

bool is_on_this_node(const team& members, rank_t member) {
  return runtime::node_of(members.world_rank(member)) == runtime::node_of(rank());
}

namespace {

team_memory memory_for(const team& members, std::span<const halo_peer> peers,
                       const halo_exchange::kind& all, const site& where) {
  std::size_t bytes = line_bytes;
  for (const halo_peer& each : peers) {
    bytes += halo_channel_bytes(is_on_this_node(members, each.member), each.bytes_in(),
                                each.bytes_out());
  }
  bytes = members.allreduce(bytes, op::max, where);
  return team_memory(members, bytes, line_bytes, "halo",
                     {.number = bytes, .unit = "bytes", .shape = all.shape, .type = &all.element},
                     where);
}

}  // namespace

halo_exchange::halo_exchange(const team& members, std::vector<halo_peer> peers,
                             std::vector<halo_box> own, base::lifetime::watch elements,
                             const kind& all, const site& where)
    : team_object(members, memory_for(members, peers, all, where),
                  "the destructor of the halo made", where),
      own_(std::move(own)),
      elements_(std::move(elements)),
      made_(where) {
  updates_.emplace(members, memory().identity(), "halo::update");
  std::byte* place = memory().mine();
  for (halo_peer& each : peers) {
    const rank_t member = each.member;
    const bool is_near = is_on_this_node(members, member);
    const std::uint64_t there = memory().bits_of(member) + each.channel_there;
    const std::size_t stage = whole_lines(each.bytes_in());
    auto* const mine = new (place) halo_line{};
    channels_.push_back({.peer = std::move(each),
                         .world_rank = members.world_rank(member),
                         .is_near = is_near,
                         .mine = mine,
                         .theirs = reinterpret_cast<halo_line*>(runtime::direct_address(there)),
                         .theirs_bits = there,
                         .stages = place + line_bytes,
                         .stages_there = there + line_bytes,
                         .packed = place + line_bytes + 2 * stage});
    const halo_peer& kept = channels_.back().peer;
    place += halo_channel_bytes(is_near, kept.bytes_in(), kept.bytes_out());
  }
  members.barrier(where);
}

halo_exchange::~halo_exchange() {
  life_.end();
  if (end().is_orderly()) {
    try {
      if (is_under_way()) wait(site::current());
    } catch (...) {
      runtime::keep_lost_failure(std::current_exception());
    }
  } else if (size() != 0 && !updates_->has_failed() && !updates_->fail_with_team()) {
    leave();
  }
  updates_.reset();
}

void halo_exchange::throw_no_elements(const char* call, const site& where) const {
  throw error(call,
              "the matrix of the halo made" + describe_place(made_) +
                  " does not exist any more: it was destroyed, or another one was assigned to it" +
                  describe_place(where),
              "construct the matrix before its halo, and keep it until the halo's end; a new "
              "matrix requires a new halo");
}

void halo_exchange::leave() noexcept {
  for (channel& each : channels_) {
    try {
      if (each.is_near) {
        for (std::uint64_t& word : each.theirs->ready) signal_near(each, word, gone);
        signal_near(each, each.theirs->taken, gone);
        continue;
      }
      const auto word = global_ptr<std::uint64_t>::from_bits(each.theirs_bits);
      atomic_store_nbi(word, gone);
      atomic_store_nbi(word + 1, gone);
    } catch (...) {
      return;  // network lost, which ends the peers too
    }
  }
}

bool halo_exchange::has(const std::vector<halo_box>& boxes, std::size_t direction) noexcept {
  return std::any_of(boxes.begin(), boxes.end(),
                     [=](const halo_box& each) { return takes_part(each, direction); });
}

bool halo_exchange::is_near() const noexcept {
  return std::all_of(channels_.begin(), channels_.end(),
                     [](const channel& each) { return each.is_near; });
}

void halo_exchange::signal_near(channel& at, std::uint64_t& word,
                                std::uint64_t value) const noexcept {
  // On x86-64 a full fence before the check for a sleeping reader. A missed one sleeps until its
  // time-out.
  std::atomic_ref(word).exchange(value, std::memory_order_seq_cst);
  runtime::ring_bell(at.world_rank);
}

void halo_exchange::start(std::size_t direction, const site& where) {
  runtime::require_no_served_call("halo::update");
  require_elements("halo::update", where);
  if (is_under_way()) wait(where);
  direction_ = direction;
  // Direction numbers are small; call_series::all_alike means all directions.
  updates_->begin(static_cast<std::uint32_t>(direction), where);
  if (!is_near()) runtime::note_repeated_call();
  bool is_any_to_raise = false;
  for (channel& each : channels_) {
    const bool has_in = has(each.peer.in, direction);
    const bool has_out = has(each.peer.out, direction);
    if (!has_in && !has_out) continue;
    ++each.count;
    ++pending_;
    each.awaits_ready = has_in || !each.is_near;
    each.awaits_taken = has_out && each.is_near;
    if (!each.is_near) {
      each.is_to_raise = !send(each);
      is_any_to_raise = is_any_to_raise || each.is_to_raise;
    } else if (has_out) {
      signal_near(each, each.theirs->ready[each.count % 2], each.count);
    }
  }
  if (is_any_to_raise) {
    quiet();
    for (channel& each : channels_) {
      if (std::exchange(each.is_to_raise, false)) raise(each);
    }
  }
  for (const halo_box& each : own_) {
    if (takes_part(each, direction)) fabric::copy_to_local(each.kept, each.owned, each.shape);
  }
}

global_ptr<std::uint64_t> halo_exchange::ready_there(const channel& at) noexcept {
  return global_ptr<std::uint64_t>::from_bits(at.theirs_bits) +
         static_cast<std::ptrdiff_t>(at.count % 2);
}

/// @return false if the caller must signal after quiet(), as it could overtake a large put
bool halo_exchange::send(channel& at) {
  const std::size_t parity = at.count % 2;
  std::byte* const packed = at.packed + parity * whole_lines(at.peer.bytes_out());
  std::size_t bytes = 0;
  for (const halo_box& each : at.peer.out) {
    if (!takes_part(each, direction_)) continue;
    fabric::copy_to_remote(packed + bytes, each.owned, each.shape);
    bytes += each.shape.bytes();
  }
  const std::uint64_t stage = at.stages_there + parity * whole_lines(at.peer.bytes_out());
  const auto target = global_ptr<std::byte>::from_bits(stage);
  const std::span<const std::byte> data(packed, bytes);
  if (!runtime::message_follows_put(bytes)) {
    put_nbi(target, data);
    return false;
  }
  put_signal_nbi(target, data, ready_there(at), at.count);
  return true;
}

void halo_exchange::raise(const channel& at) const { atomic_store_nbi(ready_there(at), at.count); }

void halo_exchange::take(channel& at) {
  require_elements("halo::update", {});
  const std::byte* packed = at.stages + at.count % 2 * whole_lines(at.peer.bytes_in());
  for (const halo_box& each : at.peer.in) {
    if (!takes_part(each, direction_)) continue;
    fabric::copy_to_local(each.kept, at.is_near ? each.owned : packed, each.shape);
    packed += each.shape.bytes();
  }
}

bool halo_exchange::advance(channel& at) {
  const auto has_come = [&](std::uint64_t& word) {
    const std::uint64_t seen = look(word);
    if (seen == gone) {
      throw error("halo::update",
                  "member " + std::to_string(at.peer.member) +
                      " has left the halo because of an exception, and no longer exchanges",
                  "check the exception of that member");
    }
    return seen >= at.count;
  };
  if (at.awaits_ready && has_come(at.mine->ready[at.count % 2])) {
    take(at);
    at.awaits_ready = false;
    if (at.is_near) signal_near(at, at.theirs->taken, at.count);
  }
  if (at.awaits_taken && has_come(at.mine->taken)) at.awaits_taken = false;
  return !at.awaits_ready && !at.awaits_taken;
}

bool halo_exchange::advance() {
  if (pending_ == 0) return true;
  for (channel& each : channels_) {
    if ((each.awaits_ready || each.awaits_taken) && advance(each)) --pending_;
  }
  return pending_ == 0;
}

bool halo_exchange::poll(const site& where) {
  if (advance()) return true;
  runtime::require_may_wait("halo_update::is_ready");
  runtime::progress_internal();
  if (advance()) return true;
  look_for_others(where);
  return false;
}

void halo_exchange::look_for_others(const site& where) {
  if (pending_ == 0) return;
  if (updates_->is_time_to_ask()) {
    for (const channel& each : channels_) {
      if (each.awaits_ready || each.awaits_taken) updates_->ask(each.peer.member);
    }
  }
  updates_->check(where);
}

void halo_exchange::wait_for_all(std::span<halo_exchange* const> all, const site& where) {
  const auto ready = [&] {
    bool all_ready = true;
    for (halo_exchange* const each : all) {
      const bool is_ready = each->advance();
      if (!is_ready) each->look_for_others(where);
      all_ready = is_ready && all_ready;
    }
    return all_ready;
  };
  global::wait_until(ready, "halo::update", where);
}

void require_exchange(const base::lifetime::watch& exchange, const site& where) {
  if (exchange.has_ended()) {
    throw error("halo_update",
                "the halo of this update does not exist any more" + describe_place(where),
                "wait for an update before its halo is destroyed or assigned to");
  }
}

}  // namespace acre::arrays
