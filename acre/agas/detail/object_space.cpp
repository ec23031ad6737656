#include <acre/agas/detail/object_space.hpp>

#include <acre/agas/detail/gid_table.hpp>
#include <acre/base/error.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/runtime/job.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <algorithm>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace acre::detail {
namespace {

// --- what a rank knows -----------------------------------------------------------------

/// What home knows of an object that was made there.
struct directory_entry {
  place at;
  std::uint32_t generation = 0;  ///< odd while there is an object
  std::uint32_t next_free = 0;
  hosted_object* here = nullptr;
};

/// A rank's calls to one object.
struct own_stream {
  std::uint32_t stream = 0;  ///< 0: not begun
  std::uint32_t next = 0;
};

class object_space {
 public:
  static constexpr std::uint32_t no_slot = ~std::uint32_t{0};

  spin_lock lock;

  [[nodiscard]] directory_entry* entry_of(const gid& name) noexcept {
    if (name.home() != rank() || name.slot() >= directory.size()) return nullptr;
    directory_entry& entry = directory[name.slot()];
    return entry.generation == name.generation() ? &entry : nullptr;
  }
  [[nodiscard]] hosted_object* find(const gid& name) noexcept {
    if (name.home() == rank()) {
      const directory_entry* const entry = entry_of(name);
      return entry == nullptr ? nullptr : entry->here;
    }
    hosted_object** const guest = guests.find(name);
    return guest == nullptr ? nullptr : *guest;
  }
  void host(hosted_object& object) {
    directory_entry* const entry = entry_of(object.name);
    if (entry == nullptr) {
      guests[object.name] = &object;
      return;
    }
    entry->here = &object;
    entry->at = {.owner = rank(), .epoch = object.epoch};
  }
  /// It goes there, or is no more.
  void let_go(hosted_object& object) noexcept {
    if (directory_entry* const entry = entry_of(object.name)) {
      entry->here = nullptr;
    } else {
      guests.erase(object.name);
    }
  }

  [[nodiscard]] std::uint32_t take_slot() {
    if (free_slots == no_slot) {
      directory.emplace_back();
      return static_cast<std::uint32_t>(directory.size() - 1);
    }
    return std::exchange(free_slots, directory[free_slots].next_free);
  }
  void free_slot(std::uint32_t slot) noexcept {
    directory_entry& entry = directory[slot];
    ++entry.generation;
    entry.next_free = std::exchange(free_slots, slot);
  }

  /// The best that is known of an object that is elsewhere.
  [[nodiscard]] place guess(const gid& name) noexcept {
    if (const place* const went = departed.find(name)) return *went;
    if (const directory_entry* const entry = entry_of(name)) return entry->at;
    if (const place* const hint = hints.find(name)) return *hint;
    return {.owner = name.home(), .epoch = 0};
  }
  void learn(const gid& name, const place& hint) {
    if (name.home() == rank() || hint.owner == rank()) return;
    place& known = hints[name];
    if (hint.epoch >= known.epoch) known = hint;
    if (hints.size() > most_hints) forget_a_hint();
  }
  void clear() noexcept {
    for (directory_entry& each : directory) {
      if (each.here != nullptr) object_owner(std::exchange(each.here, nullptr)).reset();
    }
    guests.for_each([](const gid&, hosted_object*& each) { object_owner(each).reset(); });
    directory.clear();
    free_slots = no_slot;
    guests = {};
    departed = {};
    hints = {};
    streams = {};
    last_stream = 0;
  }

  std::vector<directory_entry> directory;
  std::uint32_t free_slots = no_slot;
  gid_table<hosted_object*> guests;  ///< objects of other homes that are here
  gid_table<place> departed;         ///< where they went, until home has acknowledged it
  gid_table<place> hints;
  gid_table<own_stream> streams;
  std::uint32_t last_stream = 0;

 private:
  static constexpr std::size_t most_hints = std::size_t{1} << 16;

  void forget_a_hint() noexcept {
    const gid victim = hints.entry_from(hand_).name;
    hand_ = hash_of(victim) + 1;
    hints.erase(victim);
  }
  std::size_t hand_ = 0;
};

/// Never destroyed: a process may exit without ending its job.
object_space& space() {
  static auto& made = *new object_space;
  return made;
}

using held_lock = std::unique_lock<spin_lock>;

// Registered: what objects leave behind ends with the job, when nobody calls any more.
[[maybe_unused]] const bool space_registered =
    runtime::add_job_hooks({.ended = [] { space().clear(); }});

// --- messages about objects --------------------------------------------------------------

/// A hint: a call of that rank's came by a detour.
void tell_place(rank_t caller, const gid& name, place at) {
  rpc_ff(
      caller,
      [](const gid& object, place hint) {
        const held_lock hold(space().lock);
        space().learn(object, hint);
      },
      name, at);
}

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

void note_end(const gid& name) {
  const held_lock hold(space().lock);
  if (space().entry_of(name) != nullptr) space().free_slot(name.slot());
}

void fail(const parcel_header& parcel, const std::exception_ptr& failure) {
  if (parcel.is_awaited()) return send_rpc_failure(caller_of(parcel), failure);
  runtime::keep_lost_failure(failure);
}
void fail(const parcel_header& parcel, const std::string& problem, const std::string& advice = {}) {
  fail(parcel, std::make_exception_ptr(error("invoke", problem, advice)));
}

// --- on their way ------------------------------------------------------------------------

void deliver(reader& payload, const rpc_return_address& last_hop);

void forward(rank_t to, parcel_header header, parcel_bytes parcel) {
  ++header.hops;
  const owned_bytes copy(parcel.size());
  std::memcpy(copy.data(), parcel.data(), parcel.size());
  std::memcpy(copy.data(), &header, sizeof header);
  send_rpc(to, token_of<&deliver>(), 0, nullptr, std::span<const std::byte>(copy.span()));
}

void fail_for_lack(const parcel_header& parcel) {
  const object_type* const type = type_of_number(parcel.target.type());
  fail(parcel,
       to_string(parcel.target) + (type != nullptr ? ", a " + name_of(*type) + "," : "") +
           " does not exist: it has been destroyed, or never was",
       "its home, rank " + std::to_string(parcel.target.home()) + ", knows no such object");
}

/// The object is not here.
void pass_on(parcel_header header, parcel_bytes parcel, held_lock& hold) {
  place next = space().guess(header.target);
  const bool is_home = header.target.home() == rank();
  const bool is_known = is_home && space().entry_of(header.target) != nullptr;
  // A hint must lead to later moves than what led here, else they might go in a circle.
  const bool is_binding = is_known || space().departed.find(header.target) != nullptr;
  hold.unlock();
  if (is_home && !is_known) return fail_for_lack(header);
  if (!is_binding && next.epoch <= header.epoch) {
    next = {.owner = header.target.home(), .epoch = header.epoch};
  }
  header.epoch = next.epoch;
  forward(next.owner, header, parcel);
}

// --- moves ---------------------------------------------------------------------------------

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
  rpc_ff(to.at.owner, take_arrival, to, callers, state);
}

void answer(const rpc_return_address& asker) {
  if (asker.is_awaited()) send_rpc_result(asker, std::span<const std::byte>());
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

void take_arrival(const arrival& come, std::span<const caller_stream> callers,
                  std::span<const std::uint64_t> state) {
  object_owner object;
  try {
    object = made_of(come, state);
  } catch (...) {
    if (come.is_return) throw;  // nobody can make it any more
    return return_object(come, callers, state, std::current_exception());
  }
  object->name = come.name;
  object->epoch = come.at.epoch;
  object->callers.assign(callers.begin(), callers.end());
  if (!come.is_return) object->type->has_moved(*object);
  {
    const held_lock hold(space().lock);
    space().host(*object.release());
    space().departed.erase(come.name);
    space().hints.erase(come.name);
  }
  const rank_t home = come.name.home();
  if (home == rank()) {
    acknowledge(come.from, come.name, come.at.epoch);
  } else if (home != come.from) {
    rpc_ff(home, note_arrival, come.name, come.at, come.from);
  }
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
  fail(request, what + " has refused to go to rank " + std::to_string(to));
  return false;
}

/// What the object knows of a caller, or where that would be.
std::vector<caller_stream>::iterator caller_at(hosted_object& object, rank_t caller) {
  return std::ranges::lower_bound(object.callers, caller, {}, &caller_stream::caller);
}

/// What waits for an object that leaves will take its turn where it goes.
void give_turns_back(hosted_object& object) {
  object.waiting.for_each([&](const parcel_header& each) {
    caller_stream& caller = *caller_at(object, each.caller);
    caller.next = std::min(caller.next, each.number);
  });
}

void send_behind(place to, parcel_queue parcels) {
  while (!parcels.is_empty()) {
    const std::unique_ptr<kept_parcel> each = parcels.pop();
    parcel_header header = each->header();
    header.epoch = to.epoch;
    forward(to.owner, header, each->bytes.span());
  }
}

/// Nothing else of the object runs.
/// @return whether it has left
bool move_object(hosted_object& object, reader& arguments, const parcel_header& request) {
  state_words state;
  const auto to = arguments.read<rank_t>();
  try {
    if (to == rank()) {
      answer(caller_of(request));
      return false;
    }
    if (!may_go(object, to, request)) return false;
    object.type->save(object, state);
  } catch (...) {
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
    if (directory_entry* const entry = space().entry_of(going.name)) {
      entry->at = going.at;
    } else {
      space().departed[going.name] = going.at;
    }
    give_turns_back(object);
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

/// Nothing else of the object runs.
void end_object(hosted_object& object, const parcel_header& request) {
  const gid name = object.name;
  parcel_queue behind;
  {
    const object_owner gone(&object);
    const held_lock hold(space().lock);
    space().let_go(object);
    if (space().entry_of(name) != nullptr) space().free_slot(name.slot());
    behind = std::move(object.waiting);
    behind.append(std::move(object.early));
  }
  if (name.home() != rank()) rpc_ff(name.home(), note_end, name);
  answer(caller_of(request));
  while (!behind.is_empty()) fail_for_lack(behind.pop()->header());
}

// --- at the object -------------------------------------------------------------------------

enum class after_run : std::uint8_t { ended, goes_on, object_gone };

after_run run(hosted_object& object, const parcel_header& parcel, reader& arguments) {
  try {
    switch (parcel.kind) {
      case parcel_kind::move:
        return move_object(object, arguments, parcel) ? after_run::object_gone : after_run::ended;
      case parcel_kind::destroy:
        end_object(object, parcel);
        return after_run::object_gone;
      default:
        return resolve<object_invoker>(parcel.invoker)(object, arguments, parcel)
                   ? after_run::ended
                   : after_run::goes_on;
    }
  } catch (...) {
    fail(parcel, std::current_exception());
    return after_run::ended;
  }
}

void begin(hosted_object& object, parcel_kind kind) noexcept {
  if (kind == parcel_kind::concurrent_call) {
    ++object.pins;
  } else {
    object.is_running = true;
  }
}
void end(hosted_object& object, parcel_kind kind) noexcept {
  if (kind == parcel_kind::concurrent_call) {
    --object.pins;
  } else {
    object.is_running = false;
  }
}

/// Runs a parcel that may start.
/// @return the object, if it is here then; the lock is held again
hosted_object* run_now(hosted_object& object, const parcel_header& parcel, reader& arguments,
                       held_lock& hold) {
  begin(object, parcel.kind);
  const gid name = object.name;
  hold.unlock();
  const after_run then = run(object, parcel, arguments);
  hold.lock();
  if (then == after_run::object_gone) return nullptr;
  if (then == after_run::goes_on) return space().find(name);
  end(object, parcel.kind);
  return &object;
}

void run_waiting(hosted_object* object, held_lock& hold) {
  while (object != nullptr && !object->waiting.is_empty()) {
    const parcel_header next = object->waiting.front().header();
    if (!object->may_start(next)) return;
    const std::unique_ptr<kept_parcel> parcel = object->waiting.pop();
    reader arguments(parcel->bytes.span());
    static_cast<void>(arguments.take(sizeof(parcel_header)));
    object = run_now(*object, next, arguments, hold);
  }
}

/// Whether all that this caller has called before has come. Then its turn is over.
bool take_turn(hosted_object& object, const parcel_header& parcel) {
  const auto at = caller_at(object, parcel.caller);
  if (at == object.callers.end() || at->caller != parcel.caller) {
    if (parcel.number != 0) return false;
    object.callers.insert(at, {.caller = parcel.caller, .stream = parcel.stream, .next = 1});
    return true;
  }
  // A stream begins when all of the one before has come.
  if (at->stream != parcel.stream && parcel.number == 0) *at = {parcel.caller, parcel.stream, 0};
  if (at->stream != parcel.stream || at->next != parcel.number) return false;
  ++at->next;
  return true;
}

/// Behind a parcel whose turn it was may be others that have come before it.
void let_early_ones_wait(hosted_object& object) {
  while (auto next = object.early.take_if(
             [&](const parcel_header& each) { return take_turn(object, each); })) {
    object.waiting.push(std::move(next));
  }
}

void deliver(reader& payload, const rpc_return_address&) {
  const std::size_t bytes = payload.remaining();
  reader arguments = payload;
  const parcel_bytes parcel(payload.take(bytes), bytes);
  const parcel_header header = header_of(parcel);
  static_cast<void>(arguments.take(sizeof header));

  held_lock hold(space().lock);
  hosted_object* object = space().find(header.target);
  if (object == nullptr) return pass_on(header, parcel, hold);
  if (header.hops != 0 && header.caller != rank()) {
    const place here{.owner = rank(), .epoch = object->epoch};
    hold.unlock();
    tell_place(header.caller, header.target, here);
    hold.lock();
    object = space().find(header.target);
    if (object == nullptr) return pass_on(header, parcel, hold);
  }
  if (!take_turn(*object, header)) {
    return object->early.push(std::make_unique<kept_parcel>(parcel));
  }
  const bool runs_now = object->waiting.is_empty() && object->may_start(header);
  if (!runs_now) object->waiting.push(std::make_unique<kept_parcel>(parcel));
  if (!object->early.is_empty()) let_early_ones_wait(*object);
  if (runs_now) run_waiting(run_now(*object, header, arguments, hold), hold);
}

/// The number of the next parcel of this rank's to that object.
void number_parcel(std::span<std::byte> parcel) {
  parcel_header header = header_of(parcel);
  {
    const held_lock hold(space().lock);
    own_stream& own = space().streams[header.target];
    if (own.stream == 0) own.stream = ++space().last_stream;
    header.stream = own.stream;
    header.number = own.next++;
  }
  std::memcpy(parcel.data(), &header, sizeof header);
}

}  // namespace

gid settle_here(object_owner object, object_type& type, bool is_counted) {
  object->type = &type;
  const std::uint16_t number = number_of(type);
  const held_lock hold(space().lock);
  const std::uint32_t slot = space().take_slot();
  directory_entry& entry = space().directory[slot];
  ++entry.generation;
  object->name = gid({.home = rank(),
                      .type = number,
                      .is_movable = type.is_movable(),
                      .is_counted = is_counted,
                      .slot = slot,
                      .generation = entry.generation});
  entry.at = {.owner = rank(), .epoch = 0};
  entry.here = object.get();
  return object.release()->name;
}

void require_type(const gid& name, object_type& wanted) {
  if (name.type() == number_of(wanted)) return;
  const object_type* const is = type_of_number(name.type());
  throw error("object_id", to_string(name) + " is a " +
                               (is == nullptr ? "type that this binary has not" : name_of(*is)) +
                               ", not a " + name_of(wanted));
}

hosted_object* pin(const gid& name) noexcept {
  const held_lock hold(space().lock);
  hosted_object* const object = space().find(name);
  if (object != nullptr) ++object->pins;
  return object;
}

void unpin(hosted_object& object) noexcept { end_call(object.name, parcel_kind::concurrent_call); }

bool is_here(const gid& name) noexcept {
  const held_lock hold(space().lock);
  return space().find(name) != nullptr;
}

place where_to_send(const gid& name) noexcept {
  const held_lock hold(space().lock);
  if (const hosted_object* const object = space().find(name)) return {rank(), object->epoch};
  return space().guess(name);
}

void send_parcel(rank_t target, std::span<std::byte> parcel) {
  number_parcel(parcel);
  send_rpc(target, token_of<&deliver>(), 0, nullptr, std::span<const std::byte>(parcel));
}

void send_parcel(rank_t target, runtime::payload_block& parcel) {
  number_parcel(parcel.place());
  send_rpc(target, token_of<&deliver>(), 0, nullptr, parcel);
}

void end_call(const gid& name, parcel_kind kind) noexcept {
  try {
    held_lock hold(space().lock);
    hosted_object* const object = space().find(name);
    end(*object, kind);
    run_waiting(object, hold);
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
}

}  // namespace acre::detail
