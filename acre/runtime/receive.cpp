// SPDX-License-Identifier: BSD-3-Clause
// Start and end of the engine, and its handling of received messages.
#include <acre/base/error.hpp>
#include <acre/fabric/conduit.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/detail/body_in_block.hpp>
#include <acre/runtime/detail/handler_table.hpp>
#include <acre/runtime/detail/queued_message.hpp>
#include <acre/runtime/detail/send_near.hpp>
#include <acre/runtime/detail/sound_message.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/request_window.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace acre::runtime {

constinit engine* the_engine = nullptr;

namespace {

thread_local constinit rank_t reply_to = 0;

}  // namespace

engine::engine(fabric::smp_ring& ring, fabric::conduit* network, bootstrap& launcher)
    : cursor_(ring),
      network_(network),
      max_payload_(most_in_ring),
      peer_words_(new std::atomic<std::uint64_t>[world.size]()),
      excess_(window_of_job(world.size)),
      launcher_(launcher) {
  if (network_ != nullptr) {
    windows_of_requests = {.accounts = peer_words_.get(), .window = window_of_job(world.size)};
    max_payload_ = std::min(max_payload_, network_->offers().max_payload);
  }
}

engine::~engine() {
  stop_helper();
  windows_of_requests = {};
}

void engine::join_fragment(const message& fragment) {
  require_sound_whole(fragment);
  std::unique_ptr<queued_message> whole = fragments_.join(pool_, fragment);
  if (whole == nullptr) return;
  whole->units = charged_units(whole->header);
  keep(whole.release());
}

void engine::note_told(const fabric::message_header& header, word units) {
  if (units == 0) return;
  account& there = peer_words_[header.source];
  if (units > under_way(there)) [[unlikely]] {
    throw error("progress",
                sender_of(header) + " acknowledges more requests of this rank than were sent");
  }
  discharge(there, static_cast<std::uint32_t>(units));
}

void engine::deliver(const message& received) {
  require_sound(received.header);
  note_told(received.header, received.header.flags);
  if (received.header.handler == static_cast<std::uint8_t>(handler_ids::requests_run)) {
    if (received.arguments.empty()) reject_form(received.header);
    note_told(received.header, received.arguments[0]);
    return;
  }
  message unmarked = received;
  unmarked.header.flags = 0;
  accept(unmarked);
}

void engine::note_refused() noexcept { count(counted::message_refused); }

void engine::note_unsealed() noexcept { count(counted::message_unsealed); }

void engine::accept_near(const message& received) {
  if ((received.header.flags & body_in_block) == 0) {
    require_sound(received.header);
    return accept(received);
  }
  if (!names_body(received)) reject_form(received.header);
  const borrowed_body whole(received.header, received.arguments.data());
  require_sound(whole.view().header);
  accept(whole.view());
  whole.give_back();
}

void engine::accept(const message& received) {
  count(counted::message_received);
  if (received.header.handler == static_cast<std::uint8_t>(handler_ids::fragment)) {
    join_fragment(received);
    return;
  }
  const handler_entry& entry = handlers[received.header.handler];
  if (entry.builtin != nullptr) {
    reply_to = received.header.source;
    entry.builtin(received, *this);
    return;
  }
  if (entry.owner == nullptr) reject(received);
  keep_copy(received, charged_units(received.header));
}

void engine::keep(queued_message* kept) noexcept {
  if (handlers[kept->header.handler].is_answer) {
    inbox_.append_answer(kept);
  } else {
    inbox_.append_request(kept);
  }
}

void engine::keep_copy(const message& received, std::uint32_t units) {
  queued_message* const kept = queued_message::copy(
      pool_, received.header, received.arguments.data(), received.payload.data());
  kept->units = units;
  keep(kept);
}

void engine::hand_to_owner(const message& carried, std::uint32_t units) {
  require_sound(carried.header);
  if (handlers[carried.header.handler].owner == nullptr) reject(carried);
  keep_copy(carried, units);
}

void engine::reply(handler_id handler, std::span<const word> arguments,
                   std::span<const std::byte> payload) {
  reply_to_rank(reply_to, handler, arguments, payload);
}

void engine::reply_to_rank(rank_t target, handler_id handler, std::span<const word> arguments,
                           std::span<const std::byte> payload) {
  const fabric::message_header header = header_for(handler, arguments, payload);
  if (!is_neighbour(target) && replies_.empty() &&
      try_reply(target, header, arguments.data(), payload.data())) {
    return;
  }
  std::unique_ptr<queued_message> kept(
      queued_message::copy(pool_, header, arguments.data(), payload.data()));
  kept->target = target;
  replies_.append(std::move(kept));
}

void engine::flush_replies() {
  replies_.flush([this](const queued_message& next) {
    return try_reply(next.target, next.header, next.arguments(), next.payload());
  });
}

std::size_t engine::drain_ring() {
  if (!cursor_.ready() || !ring_lock_.try_lock()) return 0;
  const std::lock_guard hold(ring_lock_, std::adopt_lock);
  std::size_t handled = 0;
  while (handled < 64 && cursor_.pop([this](const message& received) { accept_near(received); })) {
    ++handled;
  }
  return handled;
}

}  // namespace acre::runtime
