// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/owner/at_owner.hpp>

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/future_put_get.hpp>
#include <acre/global/wire/handler_ids.hpp>
#include <acre/runtime/lent_address.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/put_message.hpp>
#include <acre/runtime/remote.hpp>
#include <acre/runtime/running_code.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

namespace acre::at_owner {
namespace {

using fabric::word;
using runtime::awaited;
using runtime::message;

// Message arguments:
// - request: service, record, words…; tag: payload form
// - answer: record, code, form
// - Staged payloads are sent as `staged_bytes`.

enum payload_form : std::uint32_t { in_message, staged };
enum answer_form : word { answer_in_message, answer_failed, answer_staged };

struct staged_bytes {
  std::uint64_t offset;
  std::uint64_t bytes;
};

std::span<const std::byte> bytes_of(const staged_bytes& where) noexcept {
  return std::as_bytes(std::span(&where, 1));
}
staged_bytes staged_bytes_of(std::span<const std::byte> payload) {
  staged_bytes where;
  if (payload.size() != sizeof(where)) throw error("rpc", "a message has an invalid length");
  std::memcpy(&where, payload.data(), sizeof(where));
  return where;
}

constexpr std::size_t stage_alignment = 64;

class payload_of {
 public:
  explicit payload_of(const message& request) : bytes_(request.payload) {
    if (request.header.tag == in_message) return;
    const staged_bytes staged = staged_bytes_of(request.payload);
    freed_ = runtime::address_here(fabric::segment_region, staged.offset, staged.bytes);
    if (freed_ == nullptr) {
      throw error("rpc", "rank " + std::to_string(request.header.source) +
                             " sent a payload address outside this rank's memory");
    }
    bytes_ = {freed_, staged.bytes};
  }
  ~payload_of() { runtime::free_private(freed_); }
  payload_of(const payload_of&) = delete;
  payload_of& operator=(const payload_of&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
  std::byte* freed_ = nullptr;
};

template <class Send>
void serve(const message& request, Send&& send) {
  answer reply;
  const auto fail = [&](std::string_view why) {
    const word words[] = {request.arguments[1], 0, answer_failed};
    send(words, std::as_bytes(std::span(why)).first(std::min(why.size(), runtime::max_payload())));
  };
  try {
    const payload_of payload(request);
    auto* service =
        global::resolve_named<void(const asked&, answer&)>(callable_token{request.arguments[0]});
    std::array<word, most_request_words> words{};
    std::ranges::copy(request.arguments.subspan(2), words.begin());
    service({.words = words, .payload = payload.bytes()}, reply);
  } catch (const std::exception& thrown) {
    return fail(thrown.what());
  } catch (...) {
    return fail("an exception that is not a std::exception");
  }
  if (std::byte* memory = reply.give_away_stage()) {
    const staged_bytes where{.offset = runtime::segment_offset(memory),
                             .bytes = reply.bytes().size()};
    const word words[] = {request.arguments[1], reply.code, answer_staged};
    send(words, bytes_of(where));
  } else {
    const word words[] = {request.arguments[1], reply.code, answer_in_message};
    send(words, reply.bytes());
  }
}

void serve_at_once(const message& request, runtime::responder& respond) {
  serve(request, [&](std::span<const word> words, std::span<const std::byte> payload) {
    respond.reply(global::handler_ids::service_answer, words, payload);
  });
}

void serve_by_owner(const message& request) {
  const runtime::serving now({.caller = request.header.source, .how = runtime::served_as::rpc});
  serve(request, [&](std::span<const word> words, std::span<const std::byte> payload) {
    runtime::send(request.header.source, global::handler_ids::service_answer, words, payload);
  });
}

void free_stage(const message& freed, runtime::responder&) {
  std::byte* const stage = runtime::address_here(fabric::segment_region, freed.arguments[0], 1);
  if (stage == nullptr || !runtime::free_private(stage)) {
    throw error("rpc", "rank " + std::to_string(freed.header.source) +
                           " frees an unknown block of this rank's memory");
  }
}

struct staging {
  static constexpr run_by runner = run_by::anyone;
  static void serve(const asked& request, answer& reply) {
    reply.code =
        runtime::segment_offset(runtime::allocate_private(request.words[0], stage_alignment));
  }
};

std::uint64_t place_at(rank_t owner, std::uint64_t offset) noexcept {
  return std::uint64_t{owner} << offset_bits | offset;
}

void take(const message& reply, runtime::responder&) {
  auto& record = runtime::returned<request_record>(reply.header, reply.arguments[0]);
  record.code = reply.arguments[1];
  record.failed = reply.arguments[2] == answer_failed;
  if (reply.arguments[2] == answer_staged) {
    const staged_bytes where = staged_bytes_of(reply.payload);
    if (where.offset >= runtime::world.segment_bytes ||
        where.bytes > runtime::world.segment_bytes - where.offset) {
      throw error("rpc", "rank " + std::to_string(reply.header.source) +
                             " answered with an address outside its memory");
    }
    record.stage_bits = place_at(reply.header.source, where.offset);
    record.stage_bytes = where.bytes;
  } else {
    record.bytes.assign(reply.payload.begin(), reply.payload.end());
  }
  record.complete(record);
}

[[maybe_unused]] const bool registered =
    runtime::set_builtin_handler(global::handler_ids::service_request, serve_at_once,
                                 {.arguments = 2}) &&
    runtime::set_owner_handler(global::handler_ids::service_of_owner_request, serve_by_owner,
                               {.arguments = 2}) &&
    runtime::set_builtin_handler(global::handler_ids::service_answer, take, {.arguments = 3}) &&
    runtime::set_builtin_handler(global::handler_ids::stage_freed, free_stage, {.arguments = 1});

void send(const request& what, payload_form form, std::span<const std::byte> payload,
          request_record& record) {
  std::array<word, fabric::max_arguments> words{
      static_cast<word>(what.service),
      runtime::lend(&record, what.owner, global::handler_ids::service_answer)};
  std::ranges::copy(what.words, words.begin() + 2);
  const runtime::handler_id handler = what.runner == run_by::owner
                                          ? global::handler_ids::service_of_owner_request
                                          : global::handler_ids::service_request;
  runtime::send(what.owner, handler, std::span(words).first(what.words.size() + 2), payload, form);
}

}  // namespace

void throw_not_here() {
  throw error("a request", "it addresses memory outside this rank's blocks",
              "run the same binary on all ranks; otherwise the sender or the network is faulty");
}

std::byte* place_here(word offset, std::size_t bytes, std::size_t alignment) {
  std::byte* const place = runtime::address_here(fabric::segment_region, offset, bytes);
  if (place == nullptr || offset % alignment != 0) throw_not_here();
  return place;
}

std::byte* block_here(word offset, std::size_t bytes) {
  std::byte* const block = place_here(offset, bytes);
  if (!runtime::has_private_block(block, bytes)) throw_not_here();
  return block;
}

answer::~answer() { runtime::free_private(stage_); }

std::span<std::byte> answer::room(std::size_t bytes) {
  if (bytes <= near_.size()) {
    bytes_ = std::span(near_).first(bytes);
  } else if (bytes <= runtime::max_payload()) {
    large_ = base::plain_buffer<std::byte>(bytes);
    bytes_ = large_.span();
  } else {
    stage_ = static_cast<std::byte*>(runtime::allocate_private(bytes, stage_alignment));
    bytes_ = {stage_, bytes};
  }
  return bytes_;
}

std::byte* answer::give_away_stage() noexcept {
  return bytes_.size() > runtime::max_payload() ? std::exchange(stage_, nullptr) : nullptr;
}

stage::~stage() {
  if (bits_ == 0) return;
  const word offset = bits_ & offset_mask;
  try {
    runtime::send(static_cast<rank_t>(bits_ >> offset_bits), global::handler_ids::stage_freed,
                  std::span(&offset, 1));
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
}

request_record::~request_record() {
  if (stage_bits == 0) return;
  // This may be a handler, which must not send.
  struct freeing : runtime::deferred_task {
    explicit freeing(stage&& unused) : kept(std::move(unused)) {
      run = [](runtime::deferred_task& task) { delete static_cast<freeing*>(&task); };
    }
    stage kept;
  };
  // Without memory the owner keeps the stage until the job ends.
  auto* const later = new (std::nothrow) freeing(release_stage());
  if (later != nullptr) runtime::defer(*later);
}

void send_request(const request& what, request_record& record) {
  send(what, in_message, what.payload, record);
}

void send_request(const request& what, const stage& payload, request_record& record) {
  const staged_bytes where{.offset = payload.bits() & offset_mask, .bytes = payload.bytes()};
  send(what, staged, bytes_of(where), record);
}

stage stage_payload(const request& what) {
  const word bytes = what.payload.size();
  const answered given = ask<staging>(what.owner, std::span(&bytes, 1), {}, what.call);
  stage made(place_at(what.owner, given.code), bytes);
  if (std::byte* const memory = runtime::direct_address(made.bits())) {
    std::memcpy(memory, what.payload.data(), bytes);
  } else {
    runtime::put_remote_value(made.bits(), what.payload.data(), bytes);
  }
  return made;
}

awaited<request_record> start_request(const request& what) {
  if (what.payload.size() <= runtime::max_payload()) {
    return {0, [&](request_record& record, std::byte*) { send_request(what, record); }};
  }
  stage payload = stage_payload(what);
  awaited<request_record> started(
      0, [&](request_record& record, std::byte*) { send_request(what, payload, record); });
  payload.give_away();
  return started;
}

void check_answer(const request_record& answer, rank_t owner, const char* call) {
  if (!answer.failed) return;
  const std::string why(reinterpret_cast<const char*>(answer.bytes.data()), answer.bytes.size());
  throw error(call, "it failed on rank " + std::to_string(owner) + ": " + why);
}

answered take_answer(request_record& answer, rank_t owner, const char* call) {
  check_answer(answer, owner, call);
  if (answer.stage_bits == 0) return {answer.code, std::move(answer.bytes)};
  const stage from = answer.release_stage();
  answered whole{answer.code, std::vector<std::byte>(from.bytes())};
  if (const std::byte* const memory = runtime::direct_address(from.bits())) {
    std::memcpy(whole.bytes.data(), memory, from.bytes());
  } else {
    runtime::get_remote_value(from.bits(), whole.bytes.data(), from.bytes());
  }
  return whole;
}

answered ask(const request& what, const site& where) {
  const awaited<request_record> started = start_request(what);
  started.wait(what.call, meanwhile(what.runner), where);
  return take_answer(*started, what.owner, what.call);
}

future<std::vector<std::byte>> fetch(stage from) {
  std::vector<std::byte> bytes(from.bytes());
  const std::span<std::byte> place(bytes);
  return get_async(global_ptr<const std::byte>::from_bits(from.bits()), place)
      .then([bytes = std::move(bytes), kept = std::move(from)]() mutable {
        return std::move(bytes);
      });
}

future<stage> start_stage(const request& what) {
  const word bytes = what.payload.size();
  std::vector<std::byte> payload(what.payload.begin(), what.payload.end());
  return ask_async<staging>(what.owner, std::span(&bytes, 1), {}, what.call,
                            [owner = what.owner, bytes](const answered& given) {
                              return stage(place_at(owner, given.code), bytes);
                            })
      .then([payload = std::move(payload)](stage given) mutable {
        const std::span<const std::byte> values(payload);
        return put_async(global_ptr<std::byte>::from_bits(given.bits()), values)
            .then([given = std::move(given), kept = std::move(payload)]() mutable {
              return std::move(given);
            });
      });
}

}  // namespace acre::at_owner
