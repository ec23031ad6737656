// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/cycle_search.hpp>

#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/own_call.hpp>
#include <acre/agas/detail/own_call_list.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/call_under_way.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <mutex>
#include <tuple>

namespace acre::agas {
namespace {

struct answer_place {
  rank_t caller = 0;
  runtime::lent_pair answer{};
  friend bool operator==(const answer_place&, const answer_place&) = default;
};

/// A call or RPC that cannot end before some answer, or a parcel waiting for it.
struct dependent {
  std::uint64_t call = 0;
  answer_place to;
};

struct dependents {
  std::vector<dependent> all;
  bool holds_pin = false;
  friend auto acre_fields(dependents& d) { return std::tie(d.all, d.holds_pin); }
};

constexpr std::size_t most_dependents = 256;

using state_list = std::vector<const global::future_state_base*>;

void add_once(state_list& all, const global::future_state_base* added) {
  if (std::ranges::find(all, added) == all.end()) all.push_back(added);
}

/// Adds states that cannot become ready before `first`, which stays pending meanwhile.
void add_states_behind(const global::future_state_base* first, state_list& all) {
  const global::continuations_stay meanwhile;
  std::size_t next = all.size();
  add_once(all, first);
  for (; next < all.size() && next < most_dependents; ++next) {
    for (const global::continuation* each = all[next]->waiting(); each != nullptr;
         each = each->waits_with()) {
      if (const global::future_state_base* const brought = each->brings()) add_once(all, brought);
    }
  }
}

/// States that cannot become ready before the answer. If the call is not listed, `asked` itself,
/// which may only be compared.
state_list states_behind_answer(const global::future_state_base* asked) {
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

/// True if the waiting thread pinned the object on its stack before the wait.
bool holds_pin(const runtime::long_wait& wait, const hosted_object* object) {
  for (const pin_record* pin = object->pinned_by; pin != nullptr; pin = pin->next) {
    if (pin->thread == wait.thread && std::greater<>()(static_cast<const void*>(pin), wait.begin) &&
        std::less<>()(static_cast<const void*>(pin), wait.end))
      return true;
  }
  return false;
}

using object_list = std::vector<const hosted_object*>;

struct stack_search {
  state_list states;
  object_list watched{};
  std::vector<std::uint64_t> calls{};
  std::vector<answer_place> rpcs{};
  object_list pinned{};
};

/// Collects calls, RPCs and pins of a thread that waits for one of the states: its functions cannot
/// return, its coroutines and continuations cannot complete.
void look_at_stack(void* context, const runtime::long_wait& wait) {
  auto& search = *static_cast<stack_search*>(context);
  const auto is_it = [&](const void* state) { return state == wait.subject; };
  if (!std::ranges::any_of(search.states, is_it)) return;
  for (const hosted_object* each : search.watched) {
    if (holds_pin(wait, each)) search.pinned.push_back(each);
  }
  for (const runtime::rpc_frame* each = wait.rpcs; each != nullptr; each = each->outer) {
    if (each->finisher != 0 && search.rpcs.size() < most_dependents)
      search.rpcs.push_back({each->caller, {each->promise, each->finisher}});
  }
  for (const runtime::call_frame* each = wait.frames; each != nullptr; each = each->outer) {
    if (search.states.size() + search.calls.size() > most_dependents) return;
    if (each->is_function) {
      search.calls.push_back(each->tag.call);
    } else if (each->brings != nullptr) {
      add_states_behind(static_cast<const global::future_state_base*>(each->brings), search.states);
    }
  }
}

/// Repeats until no thread is added, as threads may depend on each other.
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

dependents who_depends_on(runtime::lent_pair answer, const gid& name, rank_t from) {
  const auto words = runtime::returned_pair(answer[0], answer[1], from);
  const auto* const state = reinterpret_cast<const global::future_state_base*>(words[0]);
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

}  // namespace

bool is_pinned_by_end_of_job(const hosted_object& object) {
  struct {
    const hosted_object* object;
    bool is_found = false;
  } search{&object};
  runtime::visit_long_waits(
      [](void* context, const runtime::long_wait& wait) {
        auto& of = *static_cast<decltype(search)*>(context);
        of.is_found |= wait.subject == &global::job_end_wait && holds_pin(wait, of.object);
      },
      &search);
  return search.is_found;
}

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

}  // namespace acre::agas
