// SPDX-License-Identifier: BSD-3-Clause
#include "messages.hpp"

#include "barrier.hpp"
#include "checking.hpp"
#include "collective.hpp"
#include "failure.hpp"
#include "polling.hpp"
#include "state.hpp"
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/remote.hpp>
#include <acre/runtime/short_message.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <sched.h>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

namespace acre::gasnet {
namespace {

using runtime::handler_id;
using runtime::word;

constexpr handler_id request_id{64};
constexpr handler_id reply_id{65};
constexpr std::size_t most_arguments = 16;
static_assert(most_arguments * sizeof(gasnet_handlerarg_t) <= fabric::max_arguments * sizeof(word));

enum class category : std::uint8_t { short_message, medium, long_message };

struct tag {
  gasnet_handler_t handler;
  std::uint8_t arguments;
  category kind;

  [[nodiscard]] constexpr std::uint32_t bits() const noexcept {
    return handler | std::uint32_t{arguments} << 8 | static_cast<std::uint32_t>(kind) << 16;
  }
  [[nodiscard]] static constexpr tag of(std::uint32_t bits) noexcept {
    return {static_cast<gasnet_handler_t>(bits), static_cast<std::uint8_t>(bits >> 8),
            static_cast<category>(bits >> 16)};
  }
};

constinit std::size_t most_medium = 0;

using handler_function = void (*)();
constinit std::array<handler_function, 256> handlers{};

template <std::size_t>
using argument = gasnet_handlerarg_t;

template <std::size_t... I>
void call_short(handler_function called, gasnet_token_t token, const gasnet_handlerarg_t* a,
                std::index_sequence<I...>) {
  reinterpret_cast<void (*)(gasnet_token_t, argument<I>...)>(called)(token, a[I]...);
}
template <std::size_t... I>
void call_with(handler_function called, gasnet_token_t token, void* buffer, std::size_t bytes,
               const gasnet_handlerarg_t* a, std::index_sequence<I...>) {
  using type = void (*)(gasnet_token_t, void*, std::size_t, argument<I>...);
  reinterpret_cast<type>(called)(token, buffer, bytes, a[I]...);
}

using short_caller = void (*)(handler_function, gasnet_token_t, const gasnet_handlerarg_t*);
using payload_caller = void (*)(handler_function, gasnet_token_t, void*, std::size_t,
                                const gasnet_handlerarg_t*);

template <std::size_t... N>
constexpr auto short_callers_for(std::index_sequence<N...>) {
  return std::array<short_caller, sizeof...(N)>{
      [](handler_function called, gasnet_token_t token, const gasnet_handlerarg_t* a) {
        call_short(called, token, a, std::make_index_sequence<N>());
      }...};
}
template <std::size_t... N>
constexpr auto payload_callers_for(std::index_sequence<N...>) {
  return std::array<payload_caller, sizeof...(N)>{[](handler_function called, gasnet_token_t token,
                                                     void* buffer, std::size_t bytes,
                                                     const gasnet_handlerarg_t* a) {
    call_with(called, token, buffer, bytes, a, std::make_index_sequence<N>());
  }...};
}
constexpr auto short_callers = short_callers_for(std::make_index_sequence<most_arguments + 1>());
constexpr auto payload_callers =
    payload_callers_for(std::make_index_sequence<most_arguments + 1>());

/// Destination and size of a long payload. Bytes not put before follow in the message.
struct long_payload {
  std::uint64_t address;
  std::uint64_t bytes;
};

[[nodiscard]] bool is_mine(const long_payload& where) noexcept {
  if (where.bytes == 0) return true;
  const gasnet_seginfo_t& segment = all_segments.infos[runtime::world.rank];
  const std::uint64_t offset = where.address - reinterpret_cast<std::uint64_t>(segment.addr);
  return offset < segment.size && where.bytes <= segment.size - offset;
}

[[noreturn]] void report_outside(const runtime::message& received) {
  fail("gasnet_AMPoll", "a long message of node " + std::to_string(received.header.source) +
                            " has an address outside this node's segment");
}

void run(const runtime::message& received, bool may_reply) {
  const tag what = tag::of(received.header.tag);
  const handler_function called = handlers[what.handler];
  if (what.arguments > 2 * received.arguments.size() || what.arguments > most_arguments) {
    fail("gasnet_AMPoll", "a message of node " + std::to_string(received.header.source) +
                              " has fewer arguments than its header gives");
  }
  if (called == nullptr) {
    fail("gasnet_AMPoll", "a message of node " + std::to_string(received.header.source) +
                              " requests handler " + std::to_string(what.handler) +
                              ", which is not registered on this node");
  }
  acre_gasnet_token token{received.header.source, may_reply};
  const auto* const arguments =
      reinterpret_cast<const gasnet_handlerarg_t*>(received.arguments.data());
  auto* const payload = const_cast<std::byte*>(received.payload.data());
  switch (what.kind) {
    case category::short_message:
      short_callers[what.arguments](called, &token, arguments);
      return;
    case category::medium:
      payload_callers[what.arguments](called, &token, payload, received.payload.size(), arguments);
      return;
    case category::long_message:
      long_payload where;
      if (received.payload.size() < sizeof where) report_outside(received);
      std::memcpy(&where, payload, sizeof where);
      auto* const there = reinterpret_cast<std::byte*>(where.address);
      const std::size_t carried = received.payload.size() - sizeof where;
      if (carried > where.bytes || !is_mine(where)) report_outside(received);
      if (carried != 0) std::memcpy(there, payload + sizeof where, carried);
      payload_callers[what.arguments](called, &token, there, where.bytes, arguments);
      return;
  }
  fail("gasnet_AMPoll",
       "a message of node " + std::to_string(received.header.source) + " has an unknown kind");
}

[[maybe_unused]] const bool registered =
    runtime::set_owner_handler(request_id,
                               [](const runtime::message& request) { run(request, true); }) &&
    runtime::set_answer_handler(reply_id, [](const runtime::message& reply) { run(reply, false); });

template <std::size_t Count>
struct argument_words {
  static constexpr std::size_t size = (Count + 1) / 2;
  alignas(word) std::array<gasnet_handlerarg_t, 2 * size> values;

  [[nodiscard]] std::span<const word> words() const noexcept {
    return {reinterpret_cast<const word*>(values.data()), size};
  }
};
template <class... Arguments>
argument_words<sizeof...(Arguments)> packed(Arguments... arguments) noexcept {
  return {{arguments...}};
}

struct envelope {
  handler_id id;
  rank_t target;
  gasnet_handler_t handler;
};

int post(const envelope& to, category kind, std::size_t arguments, std::span<const word> words,
         std::span<const std::byte> payload) {
  const tag what{to.handler, static_cast<std::uint8_t>(arguments), kind};
  runtime::send(to.target, to.id, words, payload, what.bits());
  // Polls, because programs that only send rely on it.
  if (to.id == request_id && runtime::has_mail()) [[unlikely]] {
    acre::progress();
  }
  return GASNET_OK;
}

int post_long(const char* call, const envelope& to, std::size_t arguments,
              std::span<const word> words, const void* source, std::size_t bytes, void* dest) {
  check(call, to.target, dest, bytes);
  std::array<std::byte, 1024> body;
  const long_payload where{reinterpret_cast<std::uint64_t>(dest), bytes};
  std::memcpy(body.data(), &where, sizeof where);
  std::size_t carried = 0;
  if (bytes != 0) {
    const place there(to.target, dest);
    if (there.is_here()) {
      std::memcpy(there.address(), source, bytes);
    } else if (bytes <= body.size() - sizeof where) {
      std::memcpy(body.data() + sizeof where, source, bytes);
      carried = bytes;
    } else {
      runtime::put_remote({there.rank(), fabric::segment_region, there.offset()}, source, bytes);
    }
  }
  return post(to, category::long_message, arguments, words,
              std::span(body).first(sizeof where + carried));
}

[[gnu::always_inline]] inline bool is_known(gasnet_node_t node) noexcept {
  return node < all_segments.nodes;
}

[[gnu::noinline, gnu::cold]] int not_known() noexcept {
  return all_segments.nodes == 0 ? GASNET_ERR_NOT_INIT : GASNET_ERR_BAD_ARG;
}

[[gnu::noinline]] int post_or_fail(const char* call, envelope to, std::size_t arguments,
                                   std::span<const word> words) {
  return or_fail(call, [&] { return post(to, category::short_message, arguments, words, {}); });
}

/// Takes its parts from the message, so that the fast path keeps only the target.
[[gnu::noinline, gnu::cold]] int post_refused(const char* call, rank_t target,
                                              const fabric::message_header& header,
                                              std::span<const word> words) {
  const tag what = tag::of(header.tag);
  return post_or_fail(call, {handler_id{header.handler}, target, what.handler}, what.arguments,
                      words);
}

/// Never throws on its fast path, which therefore has no handler of exceptions.
template <std::size_t Count>
[[gnu::always_inline]] inline int post_short(const char* call, const envelope& to,
                                             const argument_words<Count>& arguments) {
  if (runtime::world.bases[to.target] != 0) {
    return post_or_fail(call, to, Count, arguments.words());
  }
  constexpr std::size_t words = argument_words<Count>::size;
  runtime::short_message<words> message;
  auto& header = message.head.header;
  message.head = {.seal = 0,
                  .header = {.payload_bytes = 0,
                             .handler = static_cast<std::uint8_t>(to.id),
                             .argument_count = words,
                             .flags = 0,
                             .source = runtime::world.rank,
                             .tag = tag{0, Count, category::short_message}.bits()}};
  // The handler is the tag's first byte: one instruction less than as a part of bits().
  std::memcpy(&header.tag, &to.handler, sizeof to.handler);
  std::span<const word> sent_words;
  if constexpr (words != 0) {
    std::memcpy(message.words.data(), arguments.values.data(), sizeof message.words);
    sent_words = message.words;
  }
  const bool sent = to.id == request_id ? runtime::send_request_directly(to.target, message)
                                        : runtime::send_directly(to.target, message);
  if (sent) [[likely]] {
    return GASNET_OK;
  }
  return post_refused(call, to.target, header, sent_words);
}

/// An even number of words aligns the payload for any type.
int post_medium(const envelope& to, std::size_t arguments, std::span<const word> words,
                const void* source, std::size_t bytes) {
  return post(to, category::medium, arguments, words,
              {static_cast<const std::byte*>(source), bytes});
}
template <class... Arguments>
auto packed_evenly(Arguments... arguments) noexcept {
  return argument_words<(sizeof...(Arguments) + 3) / 4 * 4>{{arguments...}};
}

envelope answer(const char* call, gasnet_token_t token, gasnet_handler_t handler) {
  if (!token->may_reply) fail(call, "a handler may reply only once, and only to a request");
  token->may_reply = false;
  return {reply_id, token->source, handler};
}

}  // namespace

bool register_handlers(std::span<gasnet_handlerentry_t> wanted) {
  constexpr unsigned first = 128;
  if (wanted.size() > handlers.size() - first) return false;
  std::array<handler_function, 256> all{};
  for (const gasnet_handlerentry_t& each : wanted) {
    if (each.fnptr == nullptr) return false;
    if (each.index == 0) continue;
    if (each.index < first || all[each.index] != nullptr) return false;
    all[each.index] = each.fnptr;
  }
  unsigned next = first;
  for (gasnet_handlerentry_t& each : wanted) {
    if (each.index != 0) continue;
    while (all[next] != nullptr) ++next;
    all[next] = each.fnptr;
    each.index = static_cast<gasnet_handler_t>(next);
  }
  handlers = all;
  return true;
}

void learn_limits() noexcept { most_medium = std::min<std::size_t>(runtime::max_payload(), 65536); }

}  // namespace acre::gasnet

using namespace acre::gasnet;

#define ACRE_GASNET_ARGUMENTS_0
#define ACRE_GASNET_ARGUMENTS_1 a0
#define ACRE_GASNET_ARGUMENTS_2 ACRE_GASNET_ARGUMENTS_1, a1
#define ACRE_GASNET_ARGUMENTS_3 ACRE_GASNET_ARGUMENTS_2, a2
#define ACRE_GASNET_ARGUMENTS_4 ACRE_GASNET_ARGUMENTS_3, a3
#define ACRE_GASNET_ARGUMENTS_5 ACRE_GASNET_ARGUMENTS_4, a4
#define ACRE_GASNET_ARGUMENTS_6 ACRE_GASNET_ARGUMENTS_5, a5
#define ACRE_GASNET_ARGUMENTS_7 ACRE_GASNET_ARGUMENTS_6, a6
#define ACRE_GASNET_ARGUMENTS_8 ACRE_GASNET_ARGUMENTS_7, a7
#define ACRE_GASNET_ARGUMENTS_9 ACRE_GASNET_ARGUMENTS_8, a8
#define ACRE_GASNET_ARGUMENTS_10 ACRE_GASNET_ARGUMENTS_9, a9
#define ACRE_GASNET_ARGUMENTS_11 ACRE_GASNET_ARGUMENTS_10, a10
#define ACRE_GASNET_ARGUMENTS_12 ACRE_GASNET_ARGUMENTS_11, a11
#define ACRE_GASNET_ARGUMENTS_13 ACRE_GASNET_ARGUMENTS_12, a12
#define ACRE_GASNET_ARGUMENTS_14 ACRE_GASNET_ARGUMENTS_13, a13
#define ACRE_GASNET_ARGUMENTS_15 ACRE_GASNET_ARGUMENTS_14, a14
#define ACRE_GASNET_ARGUMENTS_16 ACRE_GASNET_ARGUMENTS_15, a15

// LongAsync too has read its source at return.
#define ACRE_GASNET_DEFINE_LONG(NAME, M)                                                      \
  int NAME(gasnet_node_t dest, gasnet_handler_t handler, const void* source, size_t nbytes,   \
           void* dest_addr ACRE_GASNET_PARAMETERS_##M) {                                      \
    const at_work here;                                                                       \
    if (!is_known(dest)) return not_known();                                                  \
    if (nbytes > gasnet_AMMaxLongRequest()) return GASNET_ERR_BAD_ARG;                        \
    return or_fail(#NAME, [&] {                                                               \
      return post_long(#NAME, {request_id, dest, handler}, M,                                 \
                       packed(ACRE_GASNET_ARGUMENTS_##M).words(), source, nbytes, dest_addr); \
    });                                                                                       \
  }
#define ACRE_GASNET_DEFINE(M)                                                                     \
  int gasnet_AMRequestShort##M(gasnet_node_t dest,                                                \
                               gasnet_handler_t handler ACRE_GASNET_PARAMETERS_##M) {             \
    const at_work here;                                                                           \
    if (!is_known(dest)) return not_known();                                                      \
    return post_short<M>("gasnet_AMRequestShort" #M, {request_id, dest, handler},                 \
                         packed(ACRE_GASNET_ARGUMENTS_##M));                                      \
  }                                                                                               \
  int gasnet_AMRequestMedium##M(gasnet_node_t dest, gasnet_handler_t handler, const void* source, \
                                size_t nbytes ACRE_GASNET_PARAMETERS_##M) {                       \
    const at_work here;                                                                           \
    if (!is_known(dest)) return not_known();                                                      \
    if (nbytes > most_medium) return GASNET_ERR_BAD_ARG;                                          \
    return or_fail("gasnet_AMRequestMedium" #M, [&] {                                             \
      return post_medium({request_id, dest, handler}, M,                                          \
                         packed_evenly(ACRE_GASNET_ARGUMENTS_##M).words(), source, nbytes);       \
    });                                                                                           \
  }                                                                                               \
  ACRE_GASNET_DEFINE_LONG(gasnet_AMRequestLong##M, M)                                             \
  ACRE_GASNET_DEFINE_LONG(gasnet_AMRequestLongAsync##M, M)                                        \
  int gasnet_AMReplyShort##M(gasnet_token_t token,                                                \
                             gasnet_handler_t handler ACRE_GASNET_PARAMETERS_##M) {               \
    const at_work here;                                                                           \
    return post_short<M>("gasnet_AMReplyShort" #M,                                                \
                         answer("gasnet_AMReplyShort" #M, token, handler),                        \
                         packed(ACRE_GASNET_ARGUMENTS_##M));                                      \
  }                                                                                               \
  int gasnet_AMReplyMedium##M(gasnet_token_t token, gasnet_handler_t handler, const void* source, \
                              size_t nbytes ACRE_GASNET_PARAMETERS_##M) {                         \
    const at_work here;                                                                           \
    if (nbytes > most_medium) return GASNET_ERR_BAD_ARG;                                          \
    return or_fail("gasnet_AMReplyMedium" #M, [&] {                                               \
      return post_medium(answer("gasnet_AMReplyMedium" #M, token, handler), M,                    \
                         packed_evenly(ACRE_GASNET_ARGUMENTS_##M).words(), source, nbytes);       \
    });                                                                                           \
  }                                                                                               \
  int gasnet_AMReplyLong##M(gasnet_token_t token, gasnet_handler_t handler, const void* source,   \
                            size_t nbytes, void* dest_addr ACRE_GASNET_PARAMETERS_##M) {          \
    const at_work here;                                                                           \
    if (nbytes > gasnet_AMMaxLongReply()) return GASNET_ERR_BAD_ARG;                              \
    return or_fail("gasnet_AMReplyLong" #M, [&] {                                                 \
      return post_long("gasnet_AMReplyLong" #M, answer("gasnet_AMReplyLong" #M, token, handler),  \
                       M, packed(ACRE_GASNET_ARGUMENTS_##M).words(), source, nbytes, dest_addr);  \
    });                                                                                           \
  }

namespace {

struct counted_arguments {
  std::size_t count;
  argument_words<most_arguments> packed;

  static std::optional<counted_arguments> read(int count, std::va_list from) {
    if (count < 0 || static_cast<std::size_t>(count) > most_arguments) return std::nullopt;
    counted_arguments result{static_cast<std::size_t>(count), {}};
    for (std::size_t i = 0; i < result.count; ++i) result.packed.values[i] = va_arg(from, int);
    return result;
  }
  [[nodiscard]] std::span<const word> words() const noexcept {
    return packed.words().first((count + 1) / 2);
  }
  [[nodiscard]] std::span<const word> even_words() const noexcept {
    return packed.words().first((count + 3) / 4 * 2);
  }
};

template <class Post>
int request(const char* call, const envelope& to, bool is_sound, Post&& post) {
  const at_work here;
  if (!is_known(to.target)) return not_known();
  if (!is_sound) return GASNET_ERR_BAD_ARG;
  return or_fail(call, [&] { return post(to); });
}
template <class Post>
int reply(const char* call, gasnet_token_t token, gasnet_handler_t handler, bool is_sound,
          Post&& post) {
  const at_work here;
  if (!is_sound) return GASNET_ERR_BAD_ARG;
  return or_fail(call, [&] { return post(answer(call, token, handler)); });
}

}  // namespace

#define ACRE_GASNET_READ_ARGUMENTS(GIVEN)                                                \
  std::va_list list;                                                                     \
  va_start(list, numargs);                                                               \
  const std::optional<counted_arguments> GIVEN = counted_arguments::read(numargs, list); \
  va_end(list)

#define ACRE_GASNET_DEFINE_COUNTED_LONG(NAME)                                                  \
  int NAME(gasnet_node_t dest, gasnet_handler_t handler, const void* source, size_t nbytes,    \
           void* dest_addr, int numargs, ...) {                                                \
    ACRE_GASNET_READ_ARGUMENTS(given);                                                         \
    return request(#NAME, {request_id, dest, handler},                                         \
                   given && nbytes <= gasnet_AMMaxLongRequest(), [&](const envelope& to) {     \
                     return post_long(#NAME, to, given->count, given->words(), source, nbytes, \
                                      dest_addr);                                              \
                   });                                                                         \
  }

extern "C" {

ACRE_GASNET_EACH_COUNT(ACRE_GASNET_DEFINE)

int gasnet_AMRequestShort(gasnet_node_t dest, gasnet_handler_t handler, int numargs, ...) {
  ACRE_GASNET_READ_ARGUMENTS(given);
  return request("gasnet_AMRequestShort", {request_id, dest, handler}, given.has_value(),
                 [&](const envelope& to) {
                   return post(to, category::short_message, given->count, given->words(), {});
                 });
}
int gasnet_AMRequestMedium(gasnet_node_t dest, gasnet_handler_t handler, const void* source,
                           size_t nbytes, int numargs, ...) {
  ACRE_GASNET_READ_ARGUMENTS(given);
  return request("gasnet_AMRequestMedium", {request_id, dest, handler},
                 given && nbytes <= most_medium, [&](const envelope& to) {
                   return post_medium(to, given->count, given->even_words(), source, nbytes);
                 });
}
ACRE_GASNET_DEFINE_COUNTED_LONG(gasnet_AMRequestLong)
ACRE_GASNET_DEFINE_COUNTED_LONG(gasnet_AMRequestLongAsync)
int gasnet_AMReplyShort(gasnet_token_t token, gasnet_handler_t handler, int numargs, ...) {
  ACRE_GASNET_READ_ARGUMENTS(given);
  return reply("gasnet_AMReplyShort", token, handler, given.has_value(), [&](const envelope& to) {
    return post(to, category::short_message, given->count, given->words(), {});
  });
}
int gasnet_AMReplyMedium(gasnet_token_t token, gasnet_handler_t handler, const void* source,
                         size_t nbytes, int numargs, ...) {
  ACRE_GASNET_READ_ARGUMENTS(given);
  return reply("gasnet_AMReplyMedium", token, handler, given && nbytes <= most_medium,
               [&](const envelope& to) {
                 return post_medium(to, given->count, given->even_words(), source, nbytes);
               });
}
int gasnet_AMReplyLong(gasnet_token_t token, gasnet_handler_t handler, const void* source,
                       size_t nbytes, void* dest_addr, int numargs, ...) {
  ACRE_GASNET_READ_ARGUMENTS(given);
  constexpr auto* call = "gasnet_AMReplyLong";
  return reply(
      call, token, handler, given && nbytes <= gasnet_AMMaxLongReply(), [&](const envelope& to) {
        return post_long(call, to, given->count, given->words(), source, nbytes, dest_addr);
      });
}

int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t* srcindex) {
  if (token == nullptr || srcindex == nullptr) return GASNET_ERR_BAD_ARG;
  *srcindex = token->source;
  return GASNET_OK;
}

int gasnet_AMPoll(void) {
  const at_work here;
  if (all_segments.nodes == 0) return GASNET_ERR_NOT_INIT;
  poll_at_work("gasnet_AMPoll");
  return GASNET_OK;
}

size_t gasnet_AMMaxArgs(void) { return most_arguments; }
size_t gasnet_AMMaxMedium(void) {
  if (most_medium == 0) fail("gasnet_AMMaxMedium", "gasnet_init() must be called before");
  return most_medium;
}
// Limit: programs store this value, and twice it minus one, in an int.
size_t gasnet_AMMaxLongRequest(void) { return size_t{1} << 30; }
size_t gasnet_AMMaxLongReply(void) { return size_t{1} << 30; }

int gasnet_set_waitmode(int wait_mode) {
  const bool known = wait_mode >= GASNET_WAIT_SPIN && wait_mode <= GASNET_WAIT_SPINBLOCK;
  return known ? GASNET_OK : GASNET_ERR_BAD_ARG;
}

static_assert(sizeof(acre::runtime::waiter) <= sizeof(acre_gasnet_wait_t));
void acre_gasnet_wait_begin(acre_gasnet_wait_t* wait) {
  const at_work here;
  check_attached("GASNET_BLOCKUNTIL");
  new (wait) acre::runtime::waiter("GASNET_BLOCKUNTIL", acre::runtime::may_run::user_code,
                                   std::source_location::current());
}
void acre_gasnet_wait_step(acre_gasnet_wait_t* wait) {
  const at_work here;
  or_fail("GASNET_BLOCKUNTIL", [&] {
    the_barriers().user.help();
    reinterpret_cast<acre::runtime::waiter*>(wait)->step();
    advance_collectives();
  });
}
void acre_gasnet_wait_end(acre_gasnet_wait_t* wait) {
  const at_work here;
  reinterpret_cast<acre::runtime::waiter*>(wait)->~waiter();
}
}
