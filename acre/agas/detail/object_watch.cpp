#include <acre/agas/detail/object_watch.hpp>

#include <acre/agas/detail/admission.hpp>
#include <acre/agas/detail/delivery.hpp>
#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/own_call_list.hpp>
#include <acre/agas/detail/whereabouts.hpp>
#include <acre/base/error.hpp>
#include <acre/global/future/task.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/call_under_way.hpp>
#include <acre/runtime/job_hooks.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/stall_watch.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::detail {
namespace {

constexpr std::int64_t millisecond = 1'000'000;

/// Any thread that makes an object watched, or finds none, writes it under the lock of the space;
/// who reads it without sees it late at worst, and looks again.
constinit std::atomic<bool> has_watched{false};
/// When the time is looked at next. Any thread.
constinit std::atomic<std::int64_t> next_look{0};

// --- who waits for an answer -------------------------------------------------------------

/// Where the answer of a parcel goes: of a rank's process.
struct answer_place {
  rank_t caller = 0;
  runtime::lent_pair answer{};
  friend bool operator==(const answer_place&, const answer_place&) = default;
};

/// A call or an RPC that cannot end before some answer has come, or a parcel that waits for such a
/// call.
struct dependent {
  std::uint64_t call = 0;  ///< of an object; 0: an RPC or a parcel
  answer_place to;
};

/// What a rank says of one answer.
struct dependents {
  std::vector<dependent> all;
  bool holds_pin = false;  ///< a thread that waits for it has pinned the object
  friend auto acre_fields(dependents& d) { return std::tie(d.all, d.holds_pin); }
};

/// More than that is not looked at.
constexpr std::size_t most_dependents = 256;

using state_list = std::vector<const future_state_base*>;

void add_once(state_list& all, const future_state_base* added) {
  if (std::ranges::find(all, added) == all.end()) all.push_back(added);
}

/// Adds what cannot become ready before `first` is, of which all stays pending meanwhile.
void add_states_behind(const future_state_base* first, state_list& all) {
  const continuations_stay meanwhile;
  std::size_t next = all.size();
  add_once(all, first);
  for (; next < all.size() && next < most_dependents; ++next) {
    for (const continuation* each = all[next]->waiting(); each != nullptr;
         each = each->waits_with()) {
      if (const future_state_base* const brought = each->brings()) add_once(all, brought);
    }
  }
}

/// What cannot become ready before the state of an answer has. Of a call that is not in the list
/// only the state itself is known, and shall only be compared.
state_list states_behind_answer(const future_state_base* asked) {
  state_list found;
  const std::lock_guard hold(own_calls.lock);
  for (const own_call* each = own_calls.first; each != nullptr; each = each->next()) {
    if (&each->state() != asked) continue;
    add_states_behind(asked, found);
    return found;
  }
  found.push_back(asked);
  return found;
}

/// Whether the thread of a wait has pinned the object, by a pin that lies on its stack and is older
/// than the wait.
bool holds_pin(const runtime::long_wait& wait, const hosted_object* object) {
  for (const pin_record* pin = object->pinned_by; pin != nullptr; pin = pin->next) {
    if (pin->thread == wait.thread && std::greater<>()(static_cast<const void*>(pin), wait.begin) &&
        std::less<>()(static_cast<const void*>(pin), wait.end))
      return true;
  }
  return false;
}

/// Whether the thread that ends the job holds a pin of the object. It does not end that pin before
/// its wait. (The functions that drain() runs may end a pin of its caller.)
bool is_pinned_by_end_of_job(const hosted_object& object) {
  struct {
    const hosted_object* object;
    bool is_found = false;
  } search{&object};
  runtime::visit_long_waits(
      [](void* context, const runtime::long_wait& wait) {
        auto& of = *static_cast<decltype(search)*>(context);
        of.is_found |= wait.subject == &job_end_wait && holds_pin(wait, of.object);
      },
      &search);
  return search.is_found;
}

using object_list = std::vector<const hosted_object*>;

/// What cannot go on before some states are ready.
struct stack_search {
  state_list states;
  object_list watched{};               ///< of this rank: where something waits
  std::vector<std::uint64_t> calls{};  ///< whose functions have not returned
  std::vector<answer_place> rpcs{};    ///< the same
  object_list pinned{};
};

/// A thread that waits for one of the states. Functions on its stack cannot return, and coroutines
/// and continuations there cannot bring what they should.
void look_at_stack(void* context, const runtime::long_wait& wait) {
  auto& search = *static_cast<stack_search*>(context);
  const auto is_it = [&](const void* state) { return state == wait.subject; };
  if (!std::ranges::any_of(search.states, is_it)) return;
  for (const hosted_object* each : search.watched) {
    if (holds_pin(wait, each)) search.pinned.push_back(each);
  }
  for (const runtime::rpc_frame* each = wait.rpcs; each != nullptr; each = each->outer) {
    if (each->finisher != 0 && search.rpcs.size() < most_dependents)
      search.rpcs.push_back({each->asker, {each->promise, each->finisher}});
  }
  for (const runtime::call_frame* each = wait.frames; each != nullptr; each = each->outer) {
    if (search.states.size() + search.calls.size() > most_dependents) return;
    if (each->is_function) {
      search.calls.push_back(each->tag.call);
    } else if (each->brings != nullptr) {
      add_states_behind(static_cast<const future_state_base*>(each->brings), search.states);
    }
  }
}

/// Each thread may wait for what another one brings.
void look_at_stacks(stack_search& search) {
  std::size_t before = 0;
  do {
    before = search.states.size();
    search.calls.clear();
    search.rpcs.clear();
    search.pinned.clear();
    runtime::visit_long_waits(look_at_stack, &search);
  } while (search.states.size() != before);
}

/// Calls use(parcel, waits_for_all) for each parcel that waits at an object for calls that run
/// there: changes for all of them; calls for the exclusive one, concurrent calls where the order of
/// their caller puts them behind an exclusive call that waits.
template <class Use>
void for_each_dependent(const hosted_object& object, Use&& use) {
  admission<hosted_object, parcel_header> order(object);
  object.waiting.for_each([&](parcel_bytes bytes) {
    const parcel_header parcel = header_of(bytes);
    if (parcel.kind == parcel_kind::call) order.note_waiting(parcel);
    if (parcel.kind == parcel_kind::concurrent_call && order.passes_calls(parcel)) return;
    if (parcel.is_awaited()) use(parcel, parcel.is_about_object());
  });
}

/// Runs on the rank to which the answer goes.
dependents who_depends_on(runtime::lent_pair answer, const gid& name, rank_t from) {
  const auto words = runtime::returned_pair(answer[0], answer[1], from);
  const auto* const state = reinterpret_cast<const future_state_base*>(words[0]);
  stack_search search{.states = states_behind_answer(state)};
  const held_lock hold(space().lock);
  for (const gid& each : space().watched) {
    if (const hosted_object* const object = space().find(each)) search.watched.push_back(object);
  }
  look_at_stacks(search);
  dependents found;
  const auto add_waiting = [&](const hosted_object& object, bool only_changes) {
    for_each_dependent(object, [&](const parcel_header& parcel, bool waits_for_all) {
      if (only_changes && !waits_for_all) return;
      if (found.all.size() < most_dependents)
        found.all.push_back({0, {parcel.caller, parcel.answer}});
    });
  };
  for (const hosted_object* each : search.pinned) {
    found.holds_pin |= each->name == name;
    add_waiting(*each, true);
  }
  for (const answer_place& each : search.rpcs) {
    if (found.all.size() < most_dependents) found.all.push_back({0, each});
  }
  for (const running_call* each = space().running; each != nullptr; each = each->next) {
    const bool depends = std::ranges::find(search.calls, each->tag.call) != search.calls.end() ||
                         (each->ends_by != nullptr &&
                          std::ranges::find(search.states, each->ends_by) != search.states.end());
    if (!depends || found.all.size() >= most_dependents) continue;
    found.all.push_back({each->tag.call, {each->caller, each->answer}});
    const hosted_object* const object = space().find(each->object);
    if (object == nullptr) continue;
    add_waiting(*object, each->kind == parcel_kind::concurrent_call);
  }
  return found;
}

// --- waits that cannot end ---------------------------------------------------------------

/// A parcel that waits, and what it waits for.
struct suspect {
  parcel_header parcel;
  std::vector<std::uint64_t> waits_for;  ///< calls
  bool waits_for_pins = false;
  bool waits_for_end_of_job = false;  ///< by a pin of the thread that ends the job
};

/// Whether a parcel waits for what waits for it, as far as it can be found.
task<bool> search_cycle(suspect of) {
  std::vector<answer_place> asked{{of.parcel.caller, of.parcel.answer}};
  for (std::size_t next = 0; next < asked.size() && next < most_dependents; ++next) {
    const answer_place at = asked[next];
    const dependents found = co_await rpc(
        at.caller,
        [](runtime::lent_pair answer, const gid& name, rank_t from) {
          return who_depends_on(answer, name, from);
        },
        at.answer, of.parcel.target.without_credit(), rank());
    if (found.holds_pin && of.waits_for_pins) co_return true;
    for (const dependent& each : found.all) {
      if (std::ranges::find(of.waits_for, each.call) != of.waits_for.end()) co_return true;
      if (each.to.answer[1] != 0 && std::ranges::find(asked, each.to) == asked.end())
        asked.push_back(each.to);
    }
  }
  co_return false;
}

/// "a call of rank 2, a concurrent call of rank 0, 1 pin"
std::string describe_running(const hosted_object& object) {
  std::string text;
  std::size_t calls = 0;
  constexpr std::size_t most_named = 4;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  for (const running_call* each = object.running; each != nullptr; each = each->next_here) {
    if (++calls > most_named) continue;
    const char* const what = each->kind == parcel_kind::move      ? "a move that rank "
                             : each->kind == parcel_kind::destroy ? "an end that rank "
                             : each->kind == parcel_kind::concurrent_call
                                 ? "a concurrent call of rank "
                                 : "a call of rank ";
    add(what + std::to_string(each->caller) +
        (each->kind >= parcel_kind::move ? " has asked for" : "") +
        (each->ends_by != nullptr ? ", whose future is not ready" : ""));
  }
  if (calls > most_named) add(std::to_string(calls - most_named) + " more calls");
  std::size_t pins = 0;
  for (const pin_record* each = object.pinned_by; each != nullptr; each = each->next) ++pins;
  if (pins != 0) add(std::to_string(pins) + (pins == 1 ? " pin" : " pins"));
  return text;
}

/// Takes the parcel, if it still waits, and says why it would for ever.
void fail_cycle(const suspect& of) {
  std::unique_ptr<kept_parcel> taken;
  std::string running;
  {
    const held_lock hold(space().lock);
    hosted_object* const object = space().find(of.parcel.target);
    if (object == nullptr) return;
    running = describe_running(*object);
    taken = object->take_waiting(of.parcel);
  }
  if (taken == nullptr) return;
  const parcel_header& parcel = of.parcel;
  const bool is_end = parcel.kind == parcel_kind::destroy;
  const std::string asked = parcel.kind == parcel_kind::move ? "the move"
                            : is_end                         ? "the end"
                                                             : "the call";
  fail(
      parcel,
      describe_object(parcel.target) + " (" + describe_whereabouts(parcel.target) + "): " + asked +
          " that rank " + std::to_string(parcel.caller) +
          " waits for can never begin, as it waits for what runs on the object (" + running +
          "), and that waits for it" + (of.waits_for_end_of_job ? " in the end of the job" : ""),
      parcel.kind == parcel_kind::concurrent_call
          ? "it is behind an earlier call of its rank, as these begin in order: name the function "
            "of that call in acre_concurrent, or wait for that call first"
      : of.waits_for_end_of_job
          ? "end the pin before the job ends, which waits for all moves and ends that any rank has "
            "asked for"
      : parcel.is_call()
          ? "name the function in acre_concurrent, or do not wait for a call of the object in one "
            "of its functions: send it with invoke_ff"
          : "do not wait for a move or an end in a function of the object, nor where it is "
            "pinned: wait for its future when that has ended");
  run_waiting_of(parcel.target);
}

task<void> examine(suspect of) {
  try {
    // One co_await a statement: GCC 12 resumes the wrong one of two in a condition.
    const bool is_found = co_await search_cycle(of);
    if (!is_found) co_return;
    const bool is_found_again = co_await search_cycle(of);
    if (is_found_again) fail_cycle(of);
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
}

// --- looking from time to time -----------------------------------------------------------

/// Whether a parcel that waits may well wait for what waits for it.
bool is_likely(const hosted_object& object, const parcel_header& waits) {
  return waits.is_awaited() &&
         (object.runs(waits.family()) || (waits.is_about_object() && object.pinned_by != nullptr));
}

/// Parcels of an object that may wait for ever. Under the lock.
void add_suspects(const hosted_object& object, bool only_likely, std::vector<suspect>& found) {
  constexpr std::size_t most = 16;
  std::vector<std::uint64_t> all;
  std::vector<std::uint64_t> exclusive;
  for (const running_call* each = object.running; each != nullptr; each = each->next_here) {
    all.push_back(each->tag.call);
    if (each->kind != parcel_kind::concurrent_call) exclusive.push_back(each->tag.call);
  }
  const bool is_pinned_to_the_end = is_pinned_by_end_of_job(object);
  for_each_dependent(object, [&](const parcel_header& parcel, bool waits_for_all) {
    if (found.size() >= most || (only_likely && !is_likely(object, parcel))) return;
    if (exclusive.empty() && !waits_for_all) return;  // the gate will open
    found.push_back({parcel, waits_for_all ? all : exclusive, waits_for_all,
                     waits_for_all && is_pinned_to_the_end});
  });
}

/// First soon, for what is most likely a mistake, and then ever more seldom.
constexpr std::int64_t first_look = 10 * millisecond;
constexpr unsigned looks_at_likely = 3;
constexpr unsigned most_looks = 10;

/// @return whether its gate has been opened
bool look_at(const gid& name, std::int64_t now, std::vector<suspect>& suspects) {
  const held_lock hold(space().lock);
  hosted_object* const object = space().find(name);
  if (object == nullptr || object->waiting.is_empty()) return false;
  waiting_record& record = *object->record;
  if (now >= record.look_again) {
    add_suspects(*object, record.looks < looks_at_likely, suspects);
    record.looks = std::min(record.looks + 1, most_looks);
    record.look_again = now + (first_look << record.looks);
  }
  return record.gate && record.gate->advance(now);
}

/// Whether parcels still wait at it. Under the lock.
bool is_to_be_watched(const gid& name) {
  hosted_object* const object = space().find(name);
  if (object == nullptr || object->record == nullptr) return false;
  return object->record->is_watched = !object->waiting.is_empty();
}

/// What it runs may wait, and in that wait this is called again.
void look_at_all() {
  std::vector<gid> watched;
  {
    const held_lock hold(space().lock);
    std::erase_if(space().watched, [](const gid& each) { return !is_to_be_watched(each); });
    watched = space().watched;
    has_watched.store(!watched.empty(), std::memory_order_relaxed);
  }
  const std::int64_t now = nanoseconds_now();
  std::vector<suspect> suspects;
  std::erase_if(watched, [&](const gid& each) { return !look_at(each, now, suspects); });
  for (suspect& each : suspects) {
    if (each.waits_for_end_of_job) {
      fail_cycle(each);
    } else {
      static_cast<void>(examine(std::move(each)));
    }
  }
  for (const gid& opened : watched) run_waiting_of(opened);
}

class watch_task : runtime::deferred_task {
 public:
  watch_task() noexcept {
    run = [](runtime::deferred_task& task) {
      static_cast<watch_task&>(task).is_left_.store(false);
      look_at_all();
    };
  }
  void leave() {
    if (!is_left_.exchange(true)) runtime::defer(*this);
  }
  void reset() noexcept { is_left_ = false; }

 private:
  std::atomic<bool> is_left_{false};
};

watch_task& the_task() {
  static auto& made = *new watch_task;
  return made;
}

/// In waits, and in progress() that finds nothing.
void look_at_time() {
  if (!has_watched.load(std::memory_order_relaxed)) return;
  const std::int64_t now = nanoseconds_now();
  std::int64_t next = next_look.load(std::memory_order_relaxed);
  if (now < next) return;
  if (!next_look.compare_exchange_strong(next, now + millisecond)) return;
  the_task().leave();
}

/// For the stall watch: objects here at which something waits, or whose calls go on.
std::string describe_watched() {
  constexpr std::size_t most = 4;
  struct seen {
    gid name;
    std::string running;
    std::string waiting;
  };
  std::vector<seen> all;
  std::size_t objects = 0;
  {
    const held_lock hold(space().lock);
    const auto add = [&](const gid& name) {
      const hosted_object* const object = space().find(name);
      if (object == nullptr) return;
      const bool is_known =
          std::ranges::any_of(all, [&](const seen& each) { return each.name == name; });
      if (is_known || ++objects > most) return;
      std::size_t calls = 0;
      std::string changes;
      object->waiting.for_each([&](parcel_bytes bytes) {
        const parcel_header parcel = header_of(bytes);
        if (!parcel.is_about_object()) {
          ++calls;
        } else if (changes.size() < 100) {
          changes += std::string(changes.empty() ? "" : ", ") +
                     (parcel.kind == parcel_kind::move ? "the move" : "the end") + " that rank " +
                     std::to_string(parcel.caller) + " has asked for";
        }
      });
      if (calls != 0) {
        changes += std::string(changes.empty() ? "" : ", ") + std::to_string(calls) +
                   (calls == 1 ? " call" : " calls");
      }
      all.push_back({object->name, describe_running(*object), changes});
    };
    for (const gid& each : space().watched) add(each);
    for (const running_call* each = space().running; each != nullptr; each = each->next) {
      if (objects > most) break;
      add(each->object);
    }
  }
  std::string text;
  for (const seen& each : all) {
    text += "; at its " + describe_object(each.name) + ":";
    text += each.running.empty() ? " not in use" : " in use by " + each.running;
    if (!each.waiting.empty()) text += "; waiting: " + each.waiting;
  }
  if (objects > most) text += "; and at other objects of it";
  return text;
}

[[maybe_unused]] const bool watch_registered =
    runtime::add_long_wait_hook(look_at_time) && runtime::set_stall_details(describe_watched) &&
    runtime::add_job_hooks({.ended = [] {
      has_watched.store(false, std::memory_order_relaxed);
      the_task().reset();
    }});

}  // namespace

void watch(hosted_object& object, const parcel_header& waits) {
  waiting_record& record = *object.record;
  if (!record.is_watched || is_likely(object, waits)) {
    record.looks = 0;
    const std::int64_t soon = nanoseconds_now() + first_look;
    record.look_again = record.is_watched ? std::min(record.look_again, soon) : soon;
  }
  if (std::exchange(record.is_watched, true)) return;
  space().watched.push_back(object.name);
  has_watched.store(true, std::memory_order_relaxed);
}

}  // namespace acre::detail
