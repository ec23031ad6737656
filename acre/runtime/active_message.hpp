// SPDX-License-Identifier: BSD-3-Clause
// Active messages: a number that names a handler, up to eight words, a payload.
//
// There are two kinds of handlers, and they are what keeps the job free of
// deadlock and user code free of hidden threads:
//
//  - built-in ones run at once, wherever the message is found: in any call of
//    the rank, or in the helper thread while the rank computes. They must be
//    short and may not send; they may leave one reply, which goes to another
//    node at once, to a neighbour when the message has been released, and is kept
//    until there is room.
//  - the owner's (everything that may run user code) are copied to a queue, and
//    run only in progress() and in waits. What they throw is kept, and thrown
//    when that call ends (lost_failure.hpp). A handler may wait, and other
//    requests are served in that wait, nested; when the stack gets short,
//    requests stay in the queue, but never answers: a wait always gets what it
//    waits for.
//
// A sender that finds no room drains its own inbox while it waits, so two ranks
// that flood each other always get on. A sender of requests whose own queue
// has become long runs what is in it, so they do not fill each other's without bound.
#pragma once

#include <acre/fabric/message.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::runtime {

using fabric::message;
using fabric::word;

/// The number of a handler. Each module numbers its own messages, in a namespace `handler_ids`:
/// from 1 on those of the runtime, from 16 of global, from 32 of the modules above, from 64 of C
/// interfaces. Two handlers of one number end the program when it starts.
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

/// Takes the one reply of a built-in handler.
class responder {
 public:
  virtual void reply(handler_id handler, std::span<const word> arguments,
                     std::span<const std::byte> payload = {}) = 0;

 protected:
  ~responder() = default;
};

/// A kind of message.
struct message_form {
  // The engine refuses messages that bring less.
  std::uint8_t arguments = 0;
  std::uint32_t payload_bytes = 0;
  /// It brings requests for the owner, which its built-in handler hands on (hand_to_owner).
  bool brings_requests = false;
  /// False: it depends on how long ranks wait, and is no cost of the program.
  bool is_counted = true;
};

using builtin_handler = void (*)(const message&, responder&);
using owner_handler = void (*)(const message&);

/// They are called before the job starts (by initialisers of the modules above),
/// with the same numbers on all ranks.
bool set_builtin_handler(handler_id id, builtin_handler handler, message_form form = {}) noexcept;
/// For requests: what they run may wait for other ranks.
bool set_owner_handler(handler_id id, owner_handler handler, message_form form = {}) noexcept;
/// For what an owner's wait may be waiting for: it is never held back.
bool set_answer_handler(handler_id id, owner_handler handler, message_form form = {}) noexcept;

/// The most payload that one message to any rank may carry.
[[nodiscard]] std::size_t max_payload() noexcept;

/// Sends; when there is no room, waits politely. What brings no request of the owner's makes
/// internal progress meanwhile (no user code runs). A request is held back also while too much that
/// this rank has sent to another node waits there (request_window.hpp); and when more than 4 MiB of
/// what others ask of this rank have been queued meanwhile, its wait runs that; from then on, until
/// this rank waits or makes progress of its own accord, requests above 256 bytes run some of it
/// though they find room. All arguments are free at return. A payload above max_payload() may
/// travel in fragments; only owner's handlers take those.
/// @param tag  the handler finds it in the header
void send(rank_t target, handler_id handler, std::span<const word> arguments,
          std::span<const std::byte> payload = {}, std::uint32_t tag = 0);

/// The same, but false instead of waiting.
[[nodiscard]] bool try_send(rank_t target, handler_id handler, std::span<const word> arguments,
                            std::span<const std::byte> payload = {}, std::uint32_t tag = 0);

/// Puts a copy of `carried` into the owner's queue, as if it had just come: for built-in handlers
/// whose message, the carrier, brings one. It takes the carrier's place in its sender's window.
void hand_to_owner(const message& carried, const message& carrier);
/// The same for one of several that a carrier brings, but for the last.
void hand_to_owner(const message& carried);

/// Whether a message of a neighbour waits for this rank: a look without side effects.
[[nodiscard]] bool has_mail() noexcept;

}  // namespace acre::runtime
