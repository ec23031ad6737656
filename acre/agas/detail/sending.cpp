// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/sending.hpp>

#include <acre/agas/detail/delivery.hpp>
#include <acre/agas/detail/gathered_calls.hpp>
#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/whereabouts.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/require_job.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/undisturbed_sends.hpp>

#include <array>
#include <cstring>
#include <memory>

namespace acre::agas {
namespace {

template <bool IsTimed>
[[gnu::always_inline]] inline place look_up(const gid& name) {
  const held_lock hold(space().lock);
  if (const hosted_object* const object = space().find(name)) {
    count(agas_counted::resolve_here);
    return {rank(), object->epoch};
  }
  return space().guess<IsTimed>(name);
}

[[gnu::noinline, gnu::cold]] place time_look_up(const gid& name) {
  const agas_timer timed(agas_timed::resolve);
  return look_up<true>(name);
}

struct closing_stream {
  gid name;
  std::uint32_t next;
};

/// Called when all calls of the stream have arrived at the object, or it has ended.
void finish_closing(std::uint64_t word, const runtime::message&) {
  const std::unique_ptr<closing_stream> closing(reinterpret_cast<closing_stream*>(word));
  const held_lock hold(space().lock);
  own_stream* const own = space().streams.find(closing->name);
  if (own == nullptr) return;
  own->is_closing = false;
  if (own->next == closing->next + 1) space().streams.erase(closing->name);
}

void close_stream(const gid& name) {
  auto closing = std::make_unique<closing_stream>(name, 0U);
  {
    const held_lock hold(space().lock);
    const own_stream* const own = space().streams.find(name);
    if (own == nullptr) return;
    closing->next = own->next;
  }
  send_parcel_of({.target = name,
                  .answer = global::lend_answer(reinterpret_cast<std::uint64_t>(closing.get()),
                                                &finish_closing),
                  .kind = parcel_kind::close});
  static_cast<void>(closing.release());
}

/// Numbers the parcel; returns the name of a stream to close, or null.
gid number_parcel(std::span<std::byte> parcel) {
  parcel_header header = header_of(parcel);
  gid too_much;
  {
    const held_lock hold(space().lock);
    own_stream& own = space().streams[header.target];
    if (own.stream == 0) own.stream = ++space().last_stream;
    header.stream = own.stream;
    header.number = own.next++;
    header.set_family(runtime::current_call().family);
    if (header.kind != parcel_kind::close) too_much = space().stream_to_close();
  }
  std::memcpy(parcel.data(), &header, sizeof header);
  return too_much;
}

/// Runs no requests between numbering and sending: one might wait for a call ordered after this
/// one.
template <class Parcel>
void number_and_send(rank_t target, std::span<std::byte> bytes, Parcel& parcel) {
  if (target >= size())
    throw no_such_object(call_of(header_of(bytes).kind), header_of(bytes).target);
  if (!runtime::sends_are_undisturbed()) runtime::run_some_of_queue();
  gid too_much;
  {
    const runtime::undisturbed_sends alone;
    too_much = number_parcel(bytes);
    if (!gathers() || !gather(target, bytes)) {
      global::send_rpc(target, token_of<&deliver>(), 0, nullptr, parcel);
    }
  }
  if (too_much) close_stream(too_much);
}

/// True while this thread ends an unreferenced object: further ends are sent as messages, which
/// bounds the recursion.
constinit thread_local bool ends_one = false;
struct ending_one {
  ending_one() noexcept { ends_one = true; }
  ~ending_one() { ends_one = false; }
  ending_one(const ending_one&) = delete;
  ending_one& operator=(const ending_one&) = delete;
};

}  // namespace

void require_name(const gid& name, const char* call) {
  if (name) return;
  throw error(call, "this handle of an object is empty",
              "it was default-constructed, or moved from: test it first");
}

place where_to_send(const gid& name) {
  if (!name) [[unlikely]] {
    require_name(name, "invoke");
  }
  runtime::require_job("invoke");
  if (agas_takes_times.load(std::memory_order_relaxed)) [[unlikely]]
    return time_look_up(name);
  return look_up<false>(name);
}

void send_parcel(rank_t target, std::span<std::byte> parcel) {
  const std::span<const std::byte> sent = parcel;
  number_and_send(target, parcel, sent);
}

void send_parcel(rank_t target, runtime::payload_block& parcel) {
  number_and_send(target, parcel.place(), parcel);
}

bool call_here(parcel_header header) {
  {
    const held_lock hold(space().lock);
    if (!space().hosts(header.target)) return false;
    count(agas_counted::resolve_here);
  }
  header.caller = rank();
  std::array<std::byte, sizeof header> parcel;
  std::memcpy(parcel.data(), &header, sizeof header);
  const gid too_much = number_parcel(parcel);
  receive(parcel);
  if (too_much) close_stream(too_much);
  return true;
}

void end_unreferred(const gid& name) {
  const parcel_header end{.target = name, .kind = parcel_kind::destroy};
  if (ends_one) return send_parcel_of(end);
  const ending_one no_other;
  if (!call_here(end)) send_parcel_of(end);
}

}  // namespace acre::agas
