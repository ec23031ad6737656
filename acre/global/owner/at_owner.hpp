// SPDX-License-Identifier: BSD-3-Clause
// Services: functions that run where the data is, on the rank that owns it.
//
//     struct lookup {
//       static constexpr run_by runner = run_by::anyone;
//       static void serve(const asked& request, answer& reply) {
//         reply.write(table_at(request.words[0])[request.words[1]]);
//       }
//     };
//     const auto found = at_owner::ask<lookup>(owner, words, {}, "lookup", where);
//
// Containers are made of them between nodes: one message to the owner, one back.
// A service of run_by::anyone runs in whatever thread of the owner finds the
// message, for another node also while the owner computes: it must be short, must not send and must
// not wait. One that runs user code says run_by::owner and runs in the owner's own
// calls only. A service gets words, a payload, and an answer to fill: a word, and
// bytes.
//
// What no message carries is staged, without the owner's attention: a large payload
// is put into memory that the owner's private heap gives for it, and the request
// names it; a large answer is left in such memory, read from there, and freed by a
// message. So a service asks for the room for its answer before it changes anything:
// when there is none, the caller gets an error, and nothing is lost.
//
// Cost: 2 M. With a large payload 2 M + W more, with a large answer R + M more.
// What a service throws is thrown by who asked, as an acre::error that names the
// owner. Any thread may ask.
#pragma once

#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/future/detail/promised.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/wire/callable.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/global/wire/with_payload.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/completion.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre::at_owner {

/// Which thread of the owner runs a service.
enum class run_by {
  anyone,  ///< whoever finds the message
  owner    ///< the owner's own calls: for services that run user code
};

/// What runs while one waits: two ranks that run user code for each other both run what the other
/// asks for.
[[nodiscard]] constexpr runtime::may_run meanwhile(run_by runner) noexcept {
  return runner == run_by::owner ? runtime::may_run::user_code : runtime::may_run::internal;
}

inline constexpr std::size_t most_request_words = fabric::max_arguments - 2;

// --- at the owner -----------------------------------------------------------------

/// What a service is given.
struct asked {
  std::span<const fabric::word> words;  ///< most_request_words of them: behind the request's, 0
  /// In place: gone when the service returns. Aligned to payload_alignment.
  std::span<const std::byte> payload;
};

/// What a service leaves for its caller.
class answer {
 public:
  fabric::word code = 0;

  answer() = default;
  answer(const answer&) = delete;
  answer& operator=(const answer&) = delete;
  ~answer();

  /// Memory for the answer's bytes, aligned to 64 where it is staged and to 8 else; not
  /// initialised. To be asked for once, before the service changes anything.
  /// @throws acre::error when the owner's heap has no room
  [[nodiscard]] std::span<std::byte> room(std::size_t bytes);
  /// Only so many bytes of the room are used.
  void keep_first(std::size_t bytes) noexcept { bytes_ = bytes_.first(bytes); }

  /// Leaves values, serialised.
  template <class... Values>
  void write(const Values&... values) {
    write_to(room(serialized_size(values...)), values...);
  }

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }
  /// The memory of an answer that no message carries is the caller's from now on; else null.
  [[nodiscard]] std::byte* give_away_stage() noexcept;

 private:
  static constexpr std::size_t small = 256;

  std::span<std::byte> bytes_;
  base::plain_buffer<std::byte> large_;
  std::byte* stage_ = nullptr;
  alignas(payload_alignment) std::array<std::byte, small> near_;
};

/// What a request names of this rank's memory.
/// @throws acre::error when it is not all in the segment, or not at such a multiple
[[nodiscard]] std::byte* place_here(fabric::word offset, std::size_t bytes,
                                    std::size_t alignment = 1);
/// The same of a block of the private heap, as all containers have.
[[nodiscard]] std::byte* block_here(fabric::word offset, std::size_t bytes);
[[noreturn]] void throw_not_here();

template <class Service>
concept owner_service = requires(const asked& request, answer& reply) {
  { Service::runner } -> std::convertible_to<run_by>;
  { Service::serve(request, reply) } -> std::same_as<void>;
};

/// The values of a tuple's types, in their order: operands, at the owner.
template <class... T>
[[nodiscard]] std::tuple<T...> read_all(reader& from, std::type_identity<std::tuple<T...>>) {
  return {from.read<T>()...};
}

// --- at the caller -----------------------------------------------------------------

/// What came back.
struct answered {
  fabric::word code = 0;
  std::vector<std::byte> bytes;
};

/// Memory in the private heap of another rank, while this lives; then a message frees it.
class stage {
 public:
  stage() noexcept = default;
  stage(std::uint64_t pointer_bits, std::size_t bytes) noexcept
      : bits_(pointer_bits), bytes_(bytes) {}
  stage(stage&& other) noexcept : bits_(std::exchange(other.bits_, 0)), bytes_(other.bytes_) {}
  stage& operator=(stage&& other) noexcept {
    std::swap(bits_, other.bits_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~stage();

  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  /// It is the owner's to free now.
  void give_away() noexcept { bits_ = 0; }

 private:
  std::uint64_t bits_ = 0;
  std::size_t bytes_ = 0;
};

/// A request under way: a record (runtime/completion.hpp).
struct request_record {
  void (*complete)(request_record&) noexcept = nullptr;
  bool failed = false;  ///< the service has thrown; the bytes are what() then
  fabric::word code = 0;
  std::vector<std::byte> bytes;
  std::uint64_t stage_bits = 0;  ///< where the bytes are, if no message carries them
  std::size_t stage_bytes = 0;

  request_record() = default;
  request_record(const request_record&) = delete;
  request_record& operator=(const request_record&) = delete;
  /// A stage that nobody has taken is freed, by a later call of this rank.
  ~request_record();

  [[nodiscard]] stage take_stage() noexcept { return {std::exchange(stage_bits, 0), stage_bytes}; }
};

/// What is asked, and of whom.
struct request {
  rank_t owner;  ///< a rank of the world
  run_by runner;
  callable_token service;
  std::span<const fabric::word> words;
  std::span<const std::byte> payload;
  const char* call;  ///< who asks, for errors and the stall watch
};

template <owner_service Service>
[[nodiscard]] request request_for(rank_t owner, std::span<const fabric::word> words,
                                  std::span<const std::byte> payload, const char* call) {
  return {.owner = owner,
          .runner = Service::runner,
          .service = token_of<&Service::serve>(),
          .words = words,
          .payload = payload,
          .call = call};
}

/// Puts a payload into memory that its owner gives for it. Waits: 2 M + W.
/// @throws acre::error when the owner's heap has no room
[[nodiscard]] stage stage_payload(const request& what);

/// Sends a request whose payload one message carries, or lies in a stage, which the owner frees
/// after the service.
void send_request(const request& what, request_record& record);
void send_request(const request& what, const stage& payload, request_record& record);

/// Sends a request of any size, and does not wait for its answer. One that no message
/// carries is staged first, and waits for that.
[[nodiscard]] runtime::awaited<request_record> start_request(const request& what);
/// @throws acre::error when the service has thrown
void check_answer(const request_record& answer, rank_t owner, const char* call);
/// The answer of one that is done, wherever its bytes are. Waits, if they are staged.
/// @throws acre::error when the service has thrown
[[nodiscard]] answered take_answer(request_record& answer, rank_t owner, const char* call);

[[nodiscard]] answered ask(const request& what, const site& where);

/// Asks and waits.
/// @throws acre::error when the service has thrown, or the owner has no room
template <owner_service Service>
[[nodiscard]] answered ask(rank_t owner, std::span<const fabric::word> words,
                           std::span<const std::byte> payload, const char* call,
                           const site& where = site::current()) {
  return ask(request_for<Service>(owner, words, payload, call), where);
}

/// The same with operands that serialise, as the service reads them from its payload.
template <owner_service Service, class... Operands>
[[nodiscard]] answered ask_with(rank_t owner, std::span<const fabric::word> words, const char* call,
                                const site& where, const Operands&... operands) {
  answered result;
  global::with_payload(
      [&](std::span<const std::byte> payload) {
        result = ask<Service>(owner, words, payload, call, where);
      },
      operands...);
  return result;
}

// --- without waiting ----------------------------------------------------------------

/// The bytes in a stage, which is freed then.
[[nodiscard]] future<std::vector<std::byte>> fetch(stage from);
/// A stage with a copy of a request's payload.
[[nodiscard]] future<stage> start_stage(const request& what);

/// Fulfils a promise with what `convert` makes of an answer. It is kept until what hangs on the
/// promise has run.
template <class T, class Convert>
struct answer_fulfilment {
  promise<T> promised;
  Convert convert;
  rank_t owner;
  const char* call;

  void operator()(request_record& done) {
    try {
      check_answer(done, owner, call);
      if (done.stage_bits == 0) {
        return global::fulfil(promised,
                              [&] { return convert(answered{done.code, std::move(done.bytes)}); });
      }
      auto fetched = fetch(done.take_stage())
                         .then([self = std::move(*this),
                                code = done.code](future<std::vector<std::byte>> bytes) mutable {
                           global::fulfil(self.promised, [&] {
                             return self.convert(answered{code, bytes.get()});
                           });
                         });
    } catch (...) {
      promised.set_exception(std::current_exception());
    }
  }
};

/// Has `send(record)` send a request.
template <class Convert, class Send>
[[nodiscard]] auto promise_answer(rank_t owner, const char* call, Convert convert, Send&& send) {
  using value = std::invoke_result_t<Convert&, answered>;
  return global::promise_finish<request_record>(
      answer_fulfilment<value, Convert>{{}, std::move(convert), owner, call},
      [&](request_record& record, auto&) { send(record); });
}

/// Asks without waiting. The future has convert(answered), called in the caller's own calls;
/// `convert` is kept until the future's continuations have run. Words and payload are free at
/// return.
template <owner_service Service, class Convert>
[[nodiscard]] auto ask_async(rank_t owner, std::span<const fabric::word> words,
                             std::span<const std::byte> payload, const char* call,
                             Convert convert) {
  const request what = request_for<Service>(owner, words, payload, call);
  if (payload.size() <= runtime::max_payload()) {
    return promise_answer(owner, call, std::move(convert),
                          [&](request_record& record) { send_request(what, record); });
  }
  const std::vector<fabric::word> kept(words.begin(), words.end());
  return start_stage(what).then(
      [what = request(what), kept, convert = std::move(convert)](stage staged) mutable {
        what.words = kept;
        auto result =
            promise_answer(what.owner, what.call, std::move(convert),
                           [&](request_record& record) { send_request(what, staged, record); });
        staged.give_away();
        return result;
      });
}

/// The same with operands that serialise.
template <owner_service Service, class Convert, class... Operands>
[[nodiscard]] auto ask_with_async(rank_t owner, std::span<const fabric::word> words,
                                  const char* call, Convert convert, const Operands&... operands) {
  future<std::invoke_result_t<Convert&, answered>> result;
  global::with_payload(
      [&](std::span<const std::byte> payload) {
        result = ask_async<Service>(owner, words, payload, call, std::move(convert));
      },
      operands...);
  return result;
}

}  // namespace acre::at_owner
