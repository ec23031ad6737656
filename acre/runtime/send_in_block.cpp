// SPDX-License-Identifier: BSD-3-Clause
// Sends in blocks, written once and read in place.
#include <acre/runtime/counters.hpp>
#include <acre/runtime/detail/body_in_block.hpp>
#include <acre/runtime/detail/send_near.hpp>
#include <acre/runtime/detail/wait_for_room.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/payload_block.hpp>
#include <acre/runtime/rank_box.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

namespace acre::runtime {

/// Waits briefly for a block, as receivers free them soon; after a timeout, not until one of that
/// size is free.
/// @return null if unavailable
std::byte* engine::block_for(std::size_t bytes, part_of whole) {
  fabric::smp_blocks& blocks = box_of(world.rank).blocks;
  if (bytes > fabric::smp_blocks::largest_body) return nullptr;
  std::atomic<bool>& come_back = blocks_come_back_[fabric::smp_blocks::size_for(bytes)];
  std::byte* body = blocks.try_take(bytes);
  if (body == nullptr && come_back.load(std::memory_order_relaxed)) {
    const std::size_t most_steps = 128 + bytes / 128;
    wait_for_room waiting(*this, whole);
    for (std::size_t step = 0; body == nullptr && step < most_steps; ++step) {
      waiting.step();
      body = blocks.try_take(bytes);
    }
  }
  const bool came = body != nullptr;
  if (come_back.load(std::memory_order_relaxed) != came) {
    come_back.store(came, std::memory_order_relaxed);
  }
  return body;
}

bool engine::send_in_block(rank_t target, handler_id handler, std::span<const word> arguments,
                           std::span<const std::byte> payload, std::uint32_t tag, part_of whole) {
  const fabric::message_header header = header_for(handler, arguments, payload, tag);
  const std::size_t before = std::max(arguments.size_bytes(), bytes_before_payload);
  std::byte* const block = block_for(before + payload.size(), whole);
  if (block == nullptr) return false;
  std::memcpy(block + before, payload.data(), payload.size());
  send_block(target, header, arguments.data(), block + before, whole);
  return true;
}

void engine::send_block(rank_t target, const fabric::message_header& header, const word* arguments,
                        std::byte* payload, part_of whole) {
  const std::size_t argument_bytes = header.argument_count * sizeof(word);
  std::byte* const body = payload - argument_bytes;
  if (argument_bytes != 0) std::memcpy(body, arguments, argument_bytes);
  word first = 0;
  std::memcpy(&first, &header, sizeof first);
  const word words[] = {box_of(world.rank).blocks.offset_of(body), first};
  const fabric::message_header outside{.payload_bytes = 0,
                                       .handler = header.handler,
                                       .argument_count = 2,
                                       .flags = body_in_block,
                                       .source = header.source,
                                       .tag = header.tag};
  try {
    if (!try_send_near(target, outside, words, body)) {
      wait_for_room waiting(*this, whole);
      do {
        waiting.step();
      } while (!try_send_near(target, outside, words, body));
    }
  } catch (...) {
    fabric::smp_blocks::give_back(body);
    throw;
  }
  count(counted::message_bytes, header.payload_bytes);
}

void engine::send_written(rank_t target, handler_id handler, std::span<const word> arguments,
                          std::span<std::byte> payload) {
  const part_of whole = part_of_what(handler);
  send_block(target, header_for(handler, arguments, payload), arguments.data(), payload.data(),
             whole);
  if (whole == part_of::a_request) run_what_came();
}

payload_block::payload_block(rank_t target, std::size_t bytes) noexcept {
  if (bytes <= most_in_cells || target >= world.size || !is_neighbour(target)) return;
  std::byte* const block = box_of(world.rank).blocks.try_take(bytes_before_payload + bytes);
  if (block != nullptr) place_ = {block + bytes_before_payload, bytes};
}

std::span<std::byte> payload_block::release() noexcept { return std::exchange(place_, {}); }

payload_block::~payload_block() {
  if (has_place()) fabric::smp_blocks::give_back(place_.data());
}

void send(rank_t target, handler_id handler, std::span<const word> arguments,
          payload_block& payload) {
  const std::span<std::byte> place = payload.release();
  the_engine->send_written(target, handler, arguments, place);
}

}  // namespace acre::runtime
