// SPDX-License-Identifier: BSD-3-Clause
// Active messages: a handler number, up to eight words, a payload.
//
// - Built-in handlers run at once in any thread that finds the message. They must be short, may not
// send, and may leave one reply, which waits for room.
// - Owner handlers may run user code: in progress(), waits and some sends (see send()). Their
// exceptions are kept (lost_failure.hpp). They may wait and serve nested requests. If the stack
// gets short, requests stay queued.
//
// A sender without room moves received messages to its queue; a sender of requests also runs that
// queue once long. So floods neither deadlock nor grow queues without bound.
#pragma once

#include <acre/fabric/message.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::runtime {

using fabric::message;
using fabric::word;

/// Number of a handler, unique among modules: from 1 runtime, 16 global, 32 modules above, 64 C
/// interfaces. A duplicate below 64 aborts the program.
enum class handler_id : std::uint8_t { none };

namespace handler_ids {
inline constexpr handler_id fragment{1};
inline constexpr handler_id requests_run{2};
inline constexpr handler_id atomic_request{3};
inline constexpr handler_id atomic_reply{4};
inline constexpr handler_id where_request{5};
inline constexpr handler_id where_reply{6};
inline constexpr handler_id put_with_note{7};
inline constexpr handler_id put_with_signal{8};
inline constexpr handler_id put_question{9};
inline constexpr handler_id put_answer{10};
}  // namespace handler_ids

class responder {
 public:
  virtual void reply(handler_id handler, std::span<const word> arguments,
                     std::span<const std::byte> payload = {}) = 0;

 protected:
  ~responder() = default;
};

struct message_form {
  // Minimum that the handler reads; shorter messages are refused.
  std::uint8_t arguments = 0;
  std::uint32_t payload_bytes = 0;
  /// Carries requests in its payload (hand_to_owner).
  bool brings_requests = false;
  /// False: counters ignore the message.
  bool is_counted = true;
};

using builtin_handler = void (*)(const message&, responder&);
using owner_handler = void (*)(const message&);

/// Called before the job starts, alike on all ranks.
bool set_builtin_handler(handler_id id, builtin_handler handler, message_form form = {}) noexcept;
/// As set_builtin_handler(), for requests, which flow control may hold back.
bool set_owner_handler(handler_id id, owner_handler handler, message_form form = {}) noexcept;
/// As set_builtin_handler(), for answers, which are never held back.
bool set_answer_handler(handler_id id, owner_handler handler, message_form form = {}) noexcept;

/// Largest payload sent to any rank without fragments.
[[nodiscard]] std::size_t max_payload() noexcept;

/// Sends a message; waits if there is no room. Arguments are free at return. Owner handlers also
/// accept payloads above max_payload(), in fragments.
///
/// Waiting makes internal progress only (no user code), with one exception. A request also waits
/// for a full window (request_window.hpp); meanwhile this rank runs its own queue once that exceeds
/// 4 MiB. Then requests above 256 bytes also run some of the queue, until the rank itself waits or
/// makes progress.
void send(rank_t target, handler_id handler, std::span<const word> arguments,
          std::span<const std::byte> payload = {}, std::uint32_t tag = 0);

/// As send(), but returns false instead of waiting.
[[nodiscard]] bool try_send(rank_t target, handler_id handler, std::span<const word> arguments,
                            std::span<const std::byte> payload = {}, std::uint32_t tag = 0);

/// Queues a copy of `carried`, a request from the payload of `carrier`, for the owner. When it
/// runs, `carrier` is acknowledged.
void hand_to_owner(const message& carried, const message& carrier);
/// As above without acknowledgement.
void hand_to_owner(const message& carried);

/// True if this rank's ring has an unread message.
[[nodiscard]] bool has_mail() noexcept;

}  // namespace acre::runtime
