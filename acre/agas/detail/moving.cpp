#include <acre/agas/detail/moving.hpp>

#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/delivery.hpp>
#include <acre/agas/detail/object_space.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/undisturbed_sends.hpp>

#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace acre::detail {
namespace {

/// Home knows that it went there, or somewhere later.
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

/// At home: it has come there, from there.
void note_arrival(const gid& name, place at, rank_t from) {
  {
    const held_lock hold(space().lock);
    directory_entry* const entry = space().entry_of(name);
    if (entry != nullptr && at.epoch > entry->at.epoch) entry->at = at;
  }
  acknowledge(from, name, at.epoch);
}

struct arrival {
  gid name;
  place at;
  rank_t from;
  bool is_return;  ///< it could not be made where it went
  rpc_return_address asker;
};

void take_arrival(const arrival& come, std::span<const caller_stream> callers,
                  std::span<const std::uint64_t> state);

void send_object(const arrival& to, std::span<const caller_stream> callers,
                 std::span<const std::uint64_t> state) {
  const runtime::undisturbed_sends alone;
  rpc_ff(to.at.owner, take_arrival, to, callers, state);
}

[[nodiscard]] object_owner made_of(const arrival& come, std::span<const std::uint64_t> state) {
  object_type* const type = type_of_number(come.name.type());
  if (type == nullptr) throw error("migrate", "this rank's binary has no such type");
  reader from(std::as_bytes(state));
  object_owner object(type->load(from));
  object->type = type;
  return object;
}

/// What could not be made here goes back, as another move.
void return_object(const arrival& come, std::span<const caller_stream> callers,
                   std::span<const std::uint64_t> state, const std::exception_ptr& failure) {
  const agas_timer timed(agas_counted::move_returned, agas_timed::begin_migration);
  arrival back = come;
  back.at = {.owner = come.from, .epoch = come.at.epoch + 1};
  back.from = rank();
  back.is_return = true;
  back.asker = {};
  {
    const held_lock hold(space().lock);
    if (directory_entry* const entry = space().entry_of(come.name)) {
      entry->at = back.at;
    } else {
      space().departed[come.name] = back.at;
    }
  }
  send_object(back, callers, state);
  if (come.asker.is_awaited()) {
    send_rpc_failure(come.asker, failure);
  } else {
    runtime::keep_lost_failure(failure);
  }
}

/// It could not be made again where it came from: it is no more. Calls fail from now on.
void lose_object(const arrival& come) {
  {
    const held_lock hold(space().lock);
    space().departed.erase(come.name);
    space().hints.erase(come.name);
  }
  tell_end(come.name);
  acknowledge(come.from, come.name, come.at.epoch);
}

void take_arrival(const arrival& come, std::span<const caller_stream> callers,
                  std::span<const std::uint64_t> state) {
  agas_timer timed(agas_timed::end_migration);
  object_owner object;
  credit_trail taken;
  try {
    object = made_of(come, state);
  } catch (...) {
    timed.stop();
    if (come.is_return) {
      lose_object(come);
      throw;
    }
    taken.undo();
    return return_object(come, callers, state, std::current_exception());
  }
  object->name = come.name;
  object->epoch = come.at.epoch;
  object->callers.assign(callers.begin(), callers.end());
  object->is_running = true;  // until the hook has returned
  object->is_leaving = true;
  hosted_object& arrived = *object;
  {
    const held_lock hold(space().lock);
    space().host(*object.release());
    space().departed.erase(come.name);
    if (space().hints.erase(come.name)) count(agas_counted::cache_erase);
    count(agas_counted::move_ended);
  }
  const rank_t home = come.name.home();
  if (home == rank()) {
    acknowledge(come.from, come.name, come.at.epoch);
  } else if (home != come.from) {
    const runtime::undisturbed_sends alone;
    rpc_ff(home, note_arrival, come.name, come.at, come.from);
  }
  timed.stop();  // what follows is the program's
  try {
    if (!come.is_return) arrived.type->has_moved(arrived);
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
  end_call(come.name, parcel_kind::move);
  answer(come.asker);
}

/// Whether an object may go there; else the asker has heard why not.
bool may_go(hosted_object& object, rank_t to, const parcel_header& request) {
  const std::string what = to_string(object.name) + ", a " + name_of(*object.type) + ",";
  if (!object.type->is_movable()) {
    fail(request, what + " cannot move: it cannot be sent",
         "give its class acre_fields or acre_save and acre_load (serialization.hpp)");
    return false;
  }
  if (to >= size()) {
    fail(request, what + " cannot go to rank " + std::to_string(to) + " in a job of " +
                      std::to_string(size()) + " ranks");
    return false;
  }
  if (object.type->may_move(object, to)) return true;
  count(agas_counted::move_refused);
  fail(request, what + " has refused to go to rank " + std::to_string(to));
  return false;
}

/// What waited for an object goes where it went.
void send_behind(place to, parcel_queue parcels) {
  while (!parcels.is_empty()) {
    const std::unique_ptr<kept_parcel> each = parcels.pop();
    parcel_header header = each->header();
    header.epoch = to.epoch;
    count(agas_counted::call_moved_along);
    forward(to.owner, header, each->bytes.span());
  }
}

}  // namespace

bool move_object(hosted_object& object, reader& arguments, const parcel_header& request) {
  const agas_timer timed(agas_timed::begin_migration);
  state_words state;
  credit_trail shared;
  const auto to = arguments.read<rank_t>();
  try {
    if (to == rank()) {
      answer(caller_of(request));
      return false;
    }
    if (!may_go(object, to, request)) return false;
    object.type->save(object, state);
  } catch (...) {
    shared.undo();
    fail(request, std::current_exception());
    return false;
  }
  const arrival going{.name = object.name,
                      .at = {.owner = to, .epoch = object.epoch + 1},
                      .from = rank(),
                      .is_return = false,
                      .asker = caller_of(request)};
  const object_owner gone(&object);
  parcel_queue behind;
  {
    const held_lock hold(space().lock);
    space().let_go(object);
    count(agas_counted::move_asked);
    if (directory_entry* const entry = space().entry_of(going.name)) {
      entry->at = going.at;
    } else {
      space().departed[going.name] = going.at;
    }
    object.give_turns_back();
    behind = std::move(object.waiting);
    behind.append(std::move(object.early));
  }
  try {
    send_object(going, object.callers, state);
    send_behind(going.at, std::move(behind));
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
  return true;
}

}  // namespace acre::detail
