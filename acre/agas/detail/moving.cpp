// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/moving.hpp>

#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/delivery.hpp>
#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/watched_objects.hpp>
#include <acre/agas/detail/whereabouts.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/pooled_bytes.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/undisturbed_sends.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace acre::agas {
namespace {

void settle_departure(const gid& name, std::uint32_t epoch) {
  const held_lock hold(space().lock);
  const place* const went = space().departed.find(name);
  if (went == nullptr || went->epoch > epoch) return;
  const place last = *went;
  space().departed.erase(name);
  space().learn(name, last);
}
void acknowledge(rank_t old_owner, const gid& name, std::uint32_t epoch) {
  const runtime::undisturbed_sends alone;
  if (old_owner == rank()) return settle_departure(name, epoch);
  rpc_ff(old_owner, settle_departure, name, epoch);
}

void note_arrival(const gid& name, place at, rank_t from) {
  parcel_queue kept;
  {
    const held_lock hold(space().lock);
    directory_entry* const entry = space().entry_of(name);
    if (entry != nullptr) {
      if (at.epoch > entry->at.epoch) entry->at = at;
      entry->settled = std::max(entry->settled, at.epoch);
      kept = space().pop_kept(name);
    }
  }
  acknowledge(from, name, at.epoch);
  receive(std::move(kept));
}

struct arrival {
  gid name;
  place at;
  rank_t from;
  bool is_return;
  std::uint32_t waiting;
  global::rpc_return_address requester;
};

struct move_head {
  arrival come;
  std::uint64_t state_bytes;
  std::uint64_t parcel_bytes;
};

struct belongings {
  parcel_bytes message;
  parcel_bytes state;
  parcel_bytes parcels;
  parcel_bytes callers;
};

/// Message of a move. It is written once: the state first, when the size of the rest is unknown.
class move_message final : public state_room {
 public:
  [[nodiscard]] std::span<std::byte> make(std::size_t bytes) override {
    constexpr std::size_t word = sizeof(std::uint64_t);
    constexpr std::size_t for_followers = 4096;
    head_.state_bytes = (bytes + word - 1) / word * word;
    room_ = runtime::pooled_bytes(state_end() + for_followers);
    std::memset(room_.span().data() + state_end() - word, 0, word);
    return room_.span().subspan(sizeof head_, bytes);
  }
  [[nodiscard]] std::size_t state_bytes() const noexcept { return head_.state_bytes; }

  [[nodiscard]] std::span<std::byte> with(const arrival& come, const global::packed_items& parcels,
                                          const std::vector<caller_stream>& callers) {
    head_.come = come;
    head_.parcel_bytes = parcels.size() * sizeof(std::uint64_t);
    const std::size_t callers_at = state_end() + head_.parcel_bytes;
    const std::size_t bytes = callers_at + callers.size() * sizeof(caller_stream);
    grow_to(bytes);
    std::byte* const begin = room_.span().data();
    std::memcpy(begin, &head_, sizeof head_);
    if (!parcels.empty()) std::memcpy(begin + state_end(), parcels.data(), head_.parcel_bytes);
    if (!callers.empty()) std::memcpy(begin + callers_at, callers.data(), bytes - callers_at);
    return room_.span().first(bytes);
  }

 private:
  [[nodiscard]] std::size_t state_end() const noexcept { return sizeof head_ + head_.state_bytes; }
  void grow_to(std::size_t bytes) {
    if (bytes <= room_.span().size()) return;
    runtime::pooled_bytes larger(bytes);
    std::memcpy(larger.span().data(), room_.span().data(), state_end());
    room_ = std::move(larger);
  }

  move_head head_{};
  runtime::pooled_bytes room_;
};

void receive_arrival(const arrival& come, const belongings& all);

void read_move(reader& message, const global::rpc_return_address& from) {
  const std::size_t bytes = message.remaining();
  const parcel_bytes all(message.take(bytes), bytes);
  reader parts(all);
  const auto head = global::load_bytes<move_head>(parts.take(sizeof(move_head)));
  const std::byte* const state = parts.take(head.state_bytes);
  const std::byte* const parcels = parts.take(head.parcel_bytes);
  global::for_each_item({parcels, head.parcel_bytes},
                        [&](parcel_bytes each) { require_parcel(each, from.caller); });
  const arrival& come = head.come;
  const auto is_unknown_at_home = [&] {
    const held_lock hold(space().lock);
    return come.name.home() == rank() && space().entry_of(come.name) == nullptr;
  };
  if (parts.remaining() % sizeof(caller_stream) != 0 || come.from >= size() ||
      come.name.home() >= size() || come.at.owner >= size() || come.requester.caller >= size() ||
      is_unknown_at_home()) {
    throw error(
        "migrate",
        "rank " + std::to_string(from.caller) + " sent an object that does not belong to this rank",
        "run the same binary on all ranks; otherwise that rank or the network is faulty");
  }
  receive_arrival(head.come, {.message = all,
                              .state = {state, head.state_bytes},
                              .parcels = {parcels, head.parcel_bytes},
                              .callers = all.last(parts.remaining())});
}

void send_object(rank_t to, parcel_bytes message) {
  const runtime::undisturbed_sends alone;
  global::send_rpc(to, token_of<&read_move>(), 0, nullptr, message);
}

void send_back(const arrival& to, const belongings& all) {
  const runtime::pooled_bytes copy(all.message.size());
  std::memcpy(copy.span().data(), all.message.data(), all.message.size());
  const move_head head{
      .come = to, .state_bytes = all.state.size(), .parcel_bytes = all.parcels.size()};
  std::memcpy(copy.span().data(), &head, sizeof head);
  send_object(to.at.owner, copy.span());
}

[[nodiscard]] object_owner made_of(const arrival& come, const belongings& all) {
  object_type* const type = type_of_number(come.name.type());
  if (type == nullptr)
    throw error("migrate", "the object's type is unknown in this rank's binary",
                "run the same binary on all ranks");
  reader from(all.state);
  object_owner object(type->load(from));
  object->type = type;
  object->name = come.name;
  object->epoch = come.at.epoch;
  object->callers.resize(all.callers.size() / sizeof(caller_stream));
  if (!all.callers.empty()) {
    std::memcpy(object->callers.data(), all.callers.data(), all.callers.size());
  }
  for (caller_stream& each : object->callers) each.calls_until_hint = 0;
  std::uint32_t number = 0;
  global::for_each_item(all.parcels, [&](parcel_bytes each) {
    auto kept = std::make_unique<kept_parcel>(each);
    if (number++ < come.waiting) {
      object->let_wait(std::move(kept));
    } else {
      object->early.push(std::move(kept));
    }
  });
  return object;
}

void return_object(const arrival& come, const belongings& all, const std::exception_ptr& failure) {
  const agas_timer timed(agas_counted::move_returned, agas_timed::begin_migration);
  arrival back = come;
  back.at = {.owner = come.from, .epoch = come.at.epoch + 1};
  back.from = rank();
  back.is_return = true;
  back.requester = {};
  {
    const held_lock hold(space().lock);
    if (directory_entry* const entry = space().entry_of(come.name)) {
      entry->at = back.at;
    } else {
      space().departed[come.name] = back.at;
    }
  }
  send_back(back, all);
  if (come.requester.is_awaited()) {
    global::send_rpc_failure(come.requester, failure);
  } else {
    runtime::keep_lost_failure(failure);
  }
}

void lose_object(const arrival& come, const belongings& all) {
  {
    const held_lock hold(space().lock);
    space().departed.erase(come.name);
    space().forget_hint_of(come.name);
  }
  tell_end(come.name);
  acknowledge(come.from, come.name, come.at.epoch);
  global::for_each_item(all.parcels, fail_for_lack);
}

void receive_arrival(const arrival& come, const belongings& all) {
  agas_timer timed(agas_timed::end_migration);
  object_owner object;
  credit_trail taken;
  try {
    object = made_of(come, all);
  } catch (...) {
    timed.stop();
    if (come.is_return) {
      lose_object(come, all);
      throw;
    }
    taken.undo();
    return return_object(come, all, std::current_exception());
  }
  hosted_object& arrived = *object;
  running_call arriving;
  parcel_queue kept;
  {
    const held_lock hold(space().lock);
    begin_running(
        arrived, arriving,
        {.target = come.name, .caller = come.requester.caller, .kind = parcel_kind::move});
    space().host(*object.release());
    if (!arrived.waiting.is_empty()) watch(arrived, arrived.waiting.front().header());
    space().departed.erase(come.name);
    space().forget_hint_of(come.name);
    kept = space().pop_kept(come.name);
    count(agas_counted::move_ended);
  }
  const rank_t home = come.name.home();
  if (home == rank()) {
    acknowledge(come.from, come.name, come.at.epoch);
  } else {
    const runtime::undisturbed_sends alone;
    rpc_ff(home, note_arrival, come.name, come.at, come.from);
  }
  receive(std::move(kept));
  timed.stop();
  try {
    const runtime::within_call here(arriving.tag);
    const runtime::serving now({.caller = arriving.caller, .how = runtime::served_as::object_call});
    if (!come.is_return) arrived.type->has_moved(arrived);
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
  // Before end_call(), as waiting calls may depend on the requester.
  answer(come.requester);
  end_call(come.name, arriving);
}

/// @return false if the object stays: then the requester has received the error
bool may_go(hosted_object& object, rank_t to, const parcel_header& request) {
  const auto what = [&object](const std::string& is_wrong) {
    return describe_object(object.name) + " (" + describe_whereabouts(object.name) + "), " +
           is_wrong;
  };
  if (!object.type->is_movable()) {
    fail(request, what("cannot move: it cannot be sent"),
         "define acre_fields, or acre_save and acre_load, for its class (serialization.hpp)");
    return false;
  }
  if (to >= size()) {
    fail(request, what("cannot move to rank " + std::to_string(to) + " in a job of " +
                       std::to_string(size()) + " ranks"));
    return false;
  }
  {
    const runtime::serving now({.caller = request.caller, .how = runtime::served_as::object_call});
    if (object.type->may_move(object, to)) return true;
  }
  count(agas_counted::move_refused);
  fail(request, what("has refused to move to rank " + std::to_string(to)));
  return false;
}

std::uint32_t pack_all(const parcel_queue& queue, global::packed_items& into) {
  std::uint32_t number = 0;
  queue.for_each([&](parcel_bytes each) {
    global::pack({}, each, into);
    ++number;
  });
  count(agas_counted::call_moved_along, number);
  return number;
}

struct followers {
  parcel_queue waiting;
  parcel_queue early;
};

/// Called if the message gets no memory: requester and callers receive errors.
void lose_what_leaves(const arrival& going, const followers& along, const parcel_header& request) {
  const std::exception_ptr failure = std::current_exception();
  {
    const held_lock hold(space().lock);
    space().departed.erase(going.name);
  }
  tell_end(going.name);
  along.waiting.for_each(fail_for_lack);
  along.early.for_each(fail_for_lack);
  fail(request, failure);
}

/// Removes the object with its waiting parcels from this rank. No value, without effect, if state,
/// parcels and callers exceed a message.
std::optional<followers> let_go(hosted_object& object, place to, std::size_t state_bytes) {
  constexpr std::size_t most = (std::size_t{4} << 30) - (std::size_t{1} << 20);
  const held_lock hold(space().lock);
  const std::size_t words = object.waiting.words() + object.early.words();
  const std::size_t callers = object.callers.size() * sizeof(caller_stream);
  if (state_bytes + words * sizeof(std::uint64_t) + callers > most) return {};
  space().let_go(object);
  count(agas_counted::move_asked);
  if (directory_entry* const entry = space().entry_of(object.name)) {
    entry->at = to;
  } else {
    space().departed[object.name] = to;
  }
  return followers{std::move(object.waiting), std::move(object.early)};
}

}  // namespace

bool move_object(hosted_object& object, reader& arguments, const parcel_header& request) {
  const agas_timer timed(agas_timed::begin_migration);
  move_message message;
  credit_trail shared;
  const auto to = arguments.read<rank_t>();
  try {
    if (to == rank()) {
      answer(caller_of(request));
      return false;
    }
    if (!may_go(object, to, request)) return false;
    object.type->save(object, message);
  } catch (...) {
    shared.undo();
    fail(request, std::current_exception());
    return false;
  }
  arrival going{.name = object.name,
                .at = {.owner = to, .epoch = object.epoch + 1},
                .from = rank(),
                .is_return = false,
                .waiting = 0,
                .requester = caller_of(request)};
  const std::optional<followers> along = let_go(object, going.at, message.state_bytes());
  if (!along) {
    shared.undo();
    fail(request, to_string(going.name) + " exceeds 4 GiB with its waiting calls");
    return false;
  }
  const object_owner gone(&object);
  try {
    global::packed_items parcels;
    parcels.reserve(along->waiting.words() + along->early.words());
    going.waiting = pack_all(along->waiting, parcels);
    pack_all(along->early, parcels);
    send_object(to, message.with(going, parcels, object.callers));
  } catch (...) {
    lose_what_leaves(going, *along, request);
  }
  return true;
}

}  // namespace acre::agas
