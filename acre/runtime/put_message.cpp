// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/put_message.hpp>

#include <acre/base/error.hpp>
#include <acre/fabric/atomic_operation.hpp>
#include <acre/runtime/lent_address.hpp>
#include <acre/runtime/posted.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <string>

namespace acre::runtime {
namespace {

using fabric::atomic_operation;
using fabric::atomic_type;

// put with note:   region | handler << 16 | bytes << 32; offset; operation or 0; note arguments.
//   payload: note's, then data
//   put with signal: operation | type << 8; regions; offset; signal offset; operand
//   question: empty; answer: operation or 0

template <class Word>
void store_word(std::byte* place, const std::byte* data) noexcept {
  Word value;
  std::memcpy(&value, data, sizeof(value));
  std::atomic_ref(*reinterpret_cast<Word*>(place)).store(value, std::memory_order_relaxed);
}

void store(std::byte* place, std::span<const std::byte> data) noexcept {
  const bool aligned = reinterpret_cast<std::uintptr_t>(place) % data.size() == 0;
  if (aligned && data.size() == 8) return store_word<std::uint64_t>(place, data.data());
  if (aligned && data.size() == 4) return store_word<std::uint32_t>(place, data.data());
  if (aligned && data.size() == 2) return store_word<std::uint16_t>(place, data.data());
  std::memcpy(place, data.data(), data.size());
}

void write(const message& received, fabric::region_key region, std::uint64_t offset,
           std::span<const std::byte> data) {
  if (data.empty()) return;
  std::byte* const place = address_here(region, offset, data.size());
  if (place == nullptr) {
    throw error("put", "rank " + std::to_string(received.header.source) + " put " +
                           std::to_string(data.size()) + " bytes outside this rank's memory");
  }
  store(place, data);
}

void receive_put_with_note(const message& received, responder& answer) {
  const word first = received.arguments[0];
  const auto handler = static_cast<std::uint8_t>(first >> 16);
  const std::size_t bytes = first >> 32;
  if (bytes > received.payload.size()) {
    throw error(
        "put", "a put from rank " + std::to_string(received.header.source) + " has truncated data");
  }
  const auto note_bytes = static_cast<std::uint32_t>(received.payload.size() - bytes);
  write(received, static_cast<fabric::region_key>(first & 0xffff), received.arguments[1],
        received.payload.subspan(note_bytes));
  if (received.arguments[2] != 0) {
    answer.reply(handler_ids::put_answer, received.arguments.subspan(2, 1));
  }
  message note{.header = received.header,
               .arguments = received.arguments.subspan(3),
               .payload = received.payload.first(note_bytes)};
  note.header.handler = handler;
  note.header.argument_count = static_cast<std::uint8_t>(note.arguments.size());
  note.header.payload_bytes = note_bytes;
  hand_to_owner(note, received);
}

void receive_put_with_signal(const message& received, responder&) {
  const word first = received.arguments[0];
  const word regions = received.arguments[1];
  const auto type = static_cast<atomic_type>(first >> 8 & 0xff);
  write(received, static_cast<fabric::region_key>(regions >> 32), received.arguments[2],
        received.payload);
  std::byte* const target = address_here(static_cast<fabric::region_key>(regions & 0xffffffff),
                                         received.arguments[3], size_of(type));
  fabric::wide_word before;
  if (target == nullptr || size_of(type) > sizeof(word) ||
      reinterpret_cast<std::uintptr_t>(target) % size_of(type) != 0 ||
      !apply_atomic(static_cast<atomic_operation>(first & 0xff), type, target,
                    {received.arguments[4], 0}, {}, before)) {
    throw error("put_signal", "the signal of rank " + std::to_string(received.header.source) +
                                  " is misaligned or outside this rank's memory");
  }
}

void receive_question(const message&, responder& answer) {
  constexpr word no_operation = 0;
  answer.reply(handler_ids::put_answer, std::span(&no_operation, 1));
}

void receive_put_answer(const message& received, responder&) {
  auto* const done = returned_or_null<fabric::operation>(received.header, received.arguments[0]);
  if (done != nullptr) return done->complete(*done);
  count_answer(false);
}

[[maybe_unused]] const bool put_messages_registered =
    set_builtin_handler(handler_ids::put_with_note, receive_put_with_note,
                        {.arguments = 3, .brings_requests = true}) &&
    set_builtin_handler(handler_ids::put_with_signal, receive_put_with_signal, {.arguments = 5}) &&
    set_builtin_handler(handler_ids::put_question, receive_question) &&
    set_builtin_handler(handler_ids::put_answer, receive_put_answer, {.arguments = 1});

/// Targets that quiet() must query; a displaced one is queried at once. Each counts as posted
/// (posted.hpp) until it answers.
std::array<std::atomic<std::uint64_t>, 64> to_ask;
std::atomic<std::uint32_t> number_to_ask{0};

void ask(std::uint64_t noted) {
  send(static_cast<rank_t>(noted - 1), handler_ids::put_question, {});
}

void note_target(rank_t target) {
  auto& place = to_ask[target % to_ask.size()];
  const std::uint64_t noted = std::uint64_t{target} + 1;
  std::uint64_t expected = noted;
  if (place.compare_exchange_strong(expected, noted, std::memory_order_acq_rel)) return;
  begin_posted();
  const std::uint64_t before = place.exchange(noted, std::memory_order_acq_rel);
  if (before == 0) {
    number_to_ask.fetch_add(1, std::memory_order_release);
  } else if (before == noted) {
    cancel_posted();
  } else {
    ask(before);
  }
}

}  // namespace

bool fits_put_message(std::size_t bytes) noexcept { return bytes <= max_payload(); }

bool message_follows_put(std::size_t bytes) {
  return fits_put_message(bytes) || world.conduit->offers().messages_follow_puts;
}

void put_then_note(remote_address place, const void* source, std::size_t bytes,
                   const owner_note& note, fabric::operation* done) {
  std::array<word, fabric::max_arguments> words{
      static_cast<word>(place.region) | static_cast<word>(note.handler) << 16 |
          static_cast<word>(bytes) << 32,
      place.offset, lend(done, place.rank, handler_ids::put_answer)};
  std::copy(note.arguments.begin(), note.arguments.end(), words.begin() + 3);
  const std::span<const word> arguments(words.data(), 3 + note.arguments.size());
  const std::size_t note_bytes = note.payload.size();
  const auto send_joined = [&](std::span<std::byte> joined) {
    if (note_bytes != 0) std::memcpy(joined.data(), note.payload.data(), note_bytes);
    if (bytes != 0) std::memcpy(joined.data() + note_bytes, source, bytes);
    send(place.rank, handler_ids::put_with_note, arguments, joined);
  };
  constexpr std::size_t small = 1024;
  if (note_bytes + bytes <= small) {
    std::array<std::byte, small> room;
    send_joined(std::span(room).first(note_bytes + bytes));
  } else {
    const auto room = std::make_unique_for_overwrite<std::byte[]>(note_bytes + bytes);
    send_joined(std::span(room.get(), note_bytes + bytes));
  }
  if (done == nullptr) note_target(place.rank);
}

void put_then_signal(remote_address place, const void* source, std::size_t bytes,
                     const put_signal_word& signal) {
  const word words[] = {static_cast<word>(signal.operation) | static_cast<word>(signal.type) << 8,
                        static_cast<word>(place.region) << 32 | signal.region, place.offset,
                        signal.offset, signal.operand};
  send(place.rank, handler_ids::put_with_signal, words,
       {static_cast<const std::byte*>(source), bytes});
  note_target(place.rank);
}

void ask_targets_of_puts() {
  if (!has_targets_to_ask()) return;
  for (auto& place : to_ask) {
    const std::uint64_t noted = place.exchange(0, std::memory_order_acq_rel);
    if (noted == 0) continue;
    number_to_ask.fetch_sub(1, std::memory_order_relaxed);
    ask(noted);
  }
}

bool has_targets_to_ask() noexcept { return number_to_ask.load(std::memory_order_acquire) != 0; }

}  // namespace acre::runtime
