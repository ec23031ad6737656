// SPDX-License-Identifier: BSD-3-Clause
// Services: functions that run on the rank that owns the data.
//
//     struct lookup {
//       static constexpr run_by runner = run_by::anyone;
//       static void serve(const asked& request, answer& reply) {
//         reply.write(table_at(request.words[0])[request.words[1]]);
//       }
//     };
//
// A run_by::anyone service runs in any thread of the owner, for callers on other nodes even while
// the owner computes: it must be short, and must not send or wait. User code needs run_by::owner.
//
// Large payloads and answers are staged in the owner's private heap. A service requests space for
// its answer before any change, so lack of memory has no effects.
//
// Cost: 2 M; a large payload 2 M + W more, a large answer R + M more. A service's exception becomes
// an acre::error at the caller. Thread-safe.
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

enum class run_by {
  anyone,  ///< any thread
  owner    ///< for services that run user code
};

/// Work of the caller while it waits: user code for run_by::owner, as two ranks may call each
/// other.
[[nodiscard]] constexpr runtime::may_run meanwhile(run_by runner) noexcept {
  return runner == run_by::owner ? runtime::may_run::user_code : runtime::may_run::internal;
}

inline constexpr std::size_t most_request_words = fabric::max_arguments - 2;

struct asked {
  std::span<const fabric::word> words;  ///< zero-padded to most_request_words
  /// Valid during the service; aligned to payload_alignment.
  std::span<const std::byte> payload;
};

class answer {
 public:
  fabric::word code = 0;

  answer() = default;
  answer(const answer&) = delete;
  answer& operator=(const answer&) = delete;
  ~answer();

  /// Uninitialised memory for the answer, aligned to 64 if staged, else 8. Call once, before any
  /// change.
  /// @throws acre::error if the owner's heap is full
  [[nodiscard]] std::span<std::byte> room(std::size_t bytes);
  void keep_first(std::size_t bytes) noexcept { bytes_ = bytes_.first(bytes); }

  template <class... Values>
  void write(const Values&... values) {
    write_to(room(serialized_size(values...)), values...);
  }

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }
  /// Releases ownership of a staged answer's memory, and returns it; null if the answer fits into a
  /// message.
  [[nodiscard]] std::byte* give_away_stage() noexcept;

 private:
  static constexpr std::size_t small = 256;

  std::span<std::byte> bytes_;
  base::plain_buffer<std::byte> large_;
  std::byte* stage_ = nullptr;
  alignas(payload_alignment) std::array<std::byte, small> near_;
};

/// Address of memory of this rank that a request names by segment offset.
/// @throws acre::error if outside the segment or misaligned
[[nodiscard]] std::byte* place_here(fabric::word offset, std::size_t bytes,
                                    std::size_t alignment = 1);
/// As place_here(), but only for an allocated block of the private heap.
[[nodiscard]] std::byte* block_here(fabric::word offset, std::size_t bytes);
[[noreturn]] void throw_not_here();

template <class Service>
concept owner_service = requires(const asked& request, answer& reply) {
  { Service::runner } -> std::convertible_to<run_by>;
  { Service::serve(request, reply) } -> std::same_as<void>;
};

template <class... T>
[[nodiscard]] std::tuple<T...> read_all(reader& from, std::type_identity<std::tuple<T...>>) {
  return {from.read<T>()...};
}

struct answered {
  fabric::word code = 0;
  std::vector<std::byte> bytes;
};

/// Memory in another rank's private heap; the destructor frees it by a message.
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
  /// Passes ownership to the memory's rank, which frees it.
  void give_away() noexcept { bits_ = 0; }

 private:
  std::uint64_t bits_ = 0;
  std::size_t bytes_ = 0;
};

struct request_record {
  void (*complete)(request_record&) noexcept = nullptr;
  bool failed = false;  ///< the service threw; `bytes` contain what()
  fabric::word code = 0;
  std::vector<std::byte> bytes;
  std::uint64_t stage_bits = 0;  ///< staged answer, or 0
  std::size_t stage_bytes = 0;

  request_record() = default;
  request_record(const request_record&) = delete;
  request_record& operator=(const request_record&) = delete;
  ~request_record();

  [[nodiscard]] stage release_stage() noexcept {
    return {std::exchange(stage_bits, 0), stage_bytes};
  }
};

struct request {
  rank_t owner;
  run_by runner;
  callable_token service;
  std::span<const fabric::word> words;
  std::span<const std::byte> payload;
  const char* call;
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

/// Allocates a stage on the owner and copies the payload there. Waits: 2 M + W.
[[nodiscard]] stage stage_payload(const request& what);

/// Sends a request, with the payload in the message or in a stage, which the owner frees.
void send_request(const request& what, request_record& record);
void send_request(const request& what, const stage& payload, request_record& record);

/// Sends a request with a payload of any size; waits only if the payload must be staged.
[[nodiscard]] runtime::awaited<request_record> start_request(const request& what);
void check_answer(const request_record& answer, rank_t owner, const char* call);
/// Arrived answer; reads it from the owner's memory if staged.
[[nodiscard]] answered take_answer(request_record& answer, rank_t owner, const char* call);

[[nodiscard]] answered ask(const request& what, const site& where);

/// Sends a request and waits.
/// @throws acre::error if the service threw or the owner's heap is full
template <owner_service Service>
[[nodiscard]] answered ask(rank_t owner, std::span<const fabric::word> words,
                           std::span<const std::byte> payload, const char* call,
                           const site& where = site::current()) {
  return ask(request_for<Service>(owner, words, payload, call), where);
}

/// As ask(), with serialised operands.
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

/// Reads a stage's bytes, then frees the stage.
[[nodiscard]] future<std::vector<std::byte>> fetch(stage from);
[[nodiscard]] future<stage> start_stage(const request& what);

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
      auto fetched = fetch(done.release_stage())
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

template <class Convert, class Send>
[[nodiscard]] auto promise_answer(rank_t owner, const char* call, Convert convert, Send&& send) {
  using value = std::invoke_result_t<Convert&, answered>;
  return global::promise_finish<request_record>(
      answer_fulfilment<value, Convert>{{}, std::move(convert), owner, call},
      [&](request_record& record, auto&) { send(record); });
}

/// Future of convert(answered), which is called in progress() or a wait of this rank, and
/// lives until continuations have run. Words and payload are reusable at return.
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

/// As ask_async(), with serialised operands.
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
