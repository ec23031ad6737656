// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/object_watch.hpp>

#include <acre/agas/detail/cycle_search.hpp>
#include <acre/agas/detail/delivery.hpp>
#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/watched_objects.hpp>
#include <acre/agas/detail/whereabouts.hpp>
#include <acre/global/future/task.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/stall_watch.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace acre::agas {
namespace {

constexpr std::int64_t millisecond = 1'000'000;

constinit std::atomic<std::int64_t> next_look{0};

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
        (each->kind >= parcel_kind::move ? " requested" : "") +
        (each->ends_by != nullptr ? ", whose future is not ready" : ""));
  }
  if (calls > most_named) add(std::to_string(calls - most_named) + " more calls");
  std::size_t pins = 0;
  for (const pin_record* each = object.pinned_by; each != nullptr; each = each->next) ++pins;
  if (pins != 0) add(std::to_string(pins) + (pins == 1 ? " pin" : " pins"));
  return text;
}

void fail_cycle(const suspect& of) {
  std::unique_ptr<kept_parcel> taken;
  std::string running;
  {
    const held_lock hold(space().lock);
    hosted_object* const object = space().find(of.parcel.target);
    if (object == nullptr) return;
    running = describe_running(*object);
    taken = object->pop_waiting(of.parcel);
  }
  if (taken == nullptr) return;
  const parcel_header& parcel = of.parcel;
  const bool is_end = parcel.kind == parcel_kind::destroy;
  const std::string asked = parcel.kind == parcel_kind::move ? "the move"
                            : is_end                         ? "the end"
                                                             : "the call";
  fail(parcel,
       describe_object(parcel.target) + " (" + describe_whereabouts(parcel.target) + "): " + asked +
           " that rank " + std::to_string(parcel.caller) +
           " waits for can never begin: it waits for the code that runs on the object (" + running +
           "), which waits for it" + (of.waits_for_end_of_job ? " at the end of the job" : ""),
       parcel.kind == parcel_kind::concurrent_call
           ? "it starts after an earlier call of its rank: list the function of that call in "
             "acre_concurrent, or wait for that call first"
       : of.waits_for_end_of_job
           ? "end the pin before the end of the job, which waits for all requested moves and ends"
       : parcel.is_call()
           ? "list the function in acre_concurrent, or do not wait for a call of the object in one "
             "of its functions: send it with invoke_ff"
           : "do not wait for a move or an end in a function of the object, or while it is pinned: "
             "wait for its future afterwards");
  run_waiting_of(parcel.target);
}

task<void> examine(suspect of) {
  try {
    // One co_await per statement: GCC 12 resumes the wrong one of two in a condition.
    const bool is_found = co_await search_cycle(of);
    if (!is_found) co_return;
    const bool is_found_again = co_await search_cycle(of);
    if (is_found_again) fail_cycle(of);
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
}

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
    if (found.size() >= most || (only_likely && !is_likely_cycle(object, parcel))) return;
    if (exclusive.empty() && !waits_for_all) return;
    found.push_back({parcel, waits_for_all ? all : exclusive, waits_for_all,
                     waits_for_all && is_pinned_to_the_end});
  });
}

// Intervals between the searches of an object double, up to 2^10 × first_look. The first 3 take
// likely cycles only.
constexpr unsigned looks_at_likely = 3;
constexpr unsigned most_looks = 10;

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

bool is_to_be_watched(const gid& name) {
  hosted_object* const object = space().find(name);
  if (object == nullptr || object->record == nullptr) return false;
  return object->record->is_watched = !object->waiting.is_empty();
}

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

void look_at_time() {
  if (!has_watched.load(std::memory_order_relaxed)) return;
  const std::int64_t now = nanoseconds_now();
  std::int64_t next = next_look.load(std::memory_order_relaxed);
  if (now < next) return;
  if (!next_look.compare_exchange_strong(next, now + millisecond)) return;
  the_task().leave();
}

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
                     std::to_string(parcel.caller) + " requested";
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
  if (objects > most) text += "; and at more objects of this rank";
  return text;
}

[[maybe_unused]] const bool watch_registered =
    runtime::add_long_wait_hook(look_at_time) && runtime::set_stall_details(describe_watched);

}  // namespace

void stop_object_watch() noexcept {
  has_watched.store(false, std::memory_order_relaxed);
  the_task().reset();
}

}  // namespace acre::agas
