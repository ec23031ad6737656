// SPDX-License-Identifier: BSD-3-Clause
// Model of small jobs: three ranks, two objects, the library's admission.hpp, gates that turn at
// any time. (Routing: protocol_model_test.cpp.) Every state must reach the end; only programs with
// cyclic waits may fail.
#pragma once

#include <acre/agas/detail/admission.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace acre::agas::waits {

using acre::agas::parcel_kind;
using small = std::uint8_t;

constexpr std::size_t most_objects = 2;
constexpr std::size_t most_calls = 10;
constexpr small no_call = 255;

struct action {
  enum what_it_is : small { call, move, destroy, pin, unpin };
  what_it_is what;
  small object = 0;
  small function = 0;
  bool is_awaited = true;
  small to = 0;
  bool is_outside = false;
};

struct function {
  bool is_concurrent = true;
  std::vector<action> body;
};

enum class fault : small { none, knows_no_families, opens_no_gate, finds_no_cycles, forgets_order };

struct program {
  small rank = 0;
  std::vector<action> body;
};

struct settings {
  std::vector<function> functions;
  std::vector<program> programs;
  bool may_fail = false;
  fault wrong = fault::none;
};

struct parcel {
  parcel_kind kind = parcel_kind::call;
  small caller = 0;
  small object = 0;
  small function = 0;
  small to = 0;
  small family_number = 0;
  small requester = no_call;
  small is_outside = 0;

  [[nodiscard]] std::uint64_t family() const noexcept { return family_number; }
  [[nodiscard]] bool is_awaited() const noexcept { return requester != no_call; }
  [[nodiscard]] bool is_about_object() const noexcept { return kind >= parcel_kind::move; }
};

struct running {
  small is_alive = 0;
  small object = no_call;
  small number = 0;
  small next = 0;
  small rank = 0;
  small family = 0;
  small requester = no_call;
  small is_outside = 0;
  small is_concurrent = 0;
  small is_before_gate = 0;
  small state = 0;
};
enum : small { goes_on, waits, answered };

template <std::size_t Capacity>
struct parcels {
  small size = 0;
  std::array<parcel, Capacity> items{};

  void append(const parcel& item) {
    if (size == Capacity) throw std::length_error("the model has too little room for parcels");
    items[size++] = item;
  }
  parcel take(std::size_t at) {
    const parcel item = items[at];
    --size;
    for (std::size_t i = at; i < size; ++i) items[i] = items[i + 1];
    items[size] = parcel{};
    return item;
  }
};

struct object_state {
  small rank = 0;
  small is_changing = 0;
  small is_ended = 0;
  small is_gate_open = 0;
  small pins = 0;
  small requester = no_call;
  parcels<6> waiting{};
};

struct job {
  std::array<object_state, most_objects> objects{};
  std::array<running, most_calls> calls{};
  parcels<8> way{};
  small last_family = 0;
};
static_assert(std::has_unique_object_representations_v<job>);

struct view {
  const job& now;
  small object;
  fault wrong;

  template <class IsIt>
  [[nodiscard]] const running* find(IsIt&& is_it) const {
    for (const running& each : now.calls) {
      if (each.is_alive && each.object == object && is_it(each)) return &each;
    }
    return nullptr;
  }
  [[nodiscard]] const object_state& state() const { return now.objects[object]; }
  [[nodiscard]] bool is_changing() const { return state().is_changing; }
  [[nodiscard]] bool is_running() const {
    return is_changing() || find([](const running& r) { return !r.is_concurrent; }) != nullptr;
  }
  [[nodiscard]] bool is_free() const {
    return state().pins == 0 && find([](const running& r) { return r.is_concurrent; }) == nullptr;
  }
  [[nodiscard]] bool is_gate_open() const {
    return state().is_gate_open || (state().pins != 0 && wrong != fault::opens_no_gate);
  }
  [[nodiscard]] std::uint64_t exclusive_family() const {
    if (wrong == fault::knows_no_families) return 0;
    const running* const found = find([](const running& r) { return !r.is_concurrent; });
    return found == nullptr ? 0 : found->family;
  }
  [[nodiscard]] bool runs(std::uint64_t family) const {
    if (wrong == fault::knows_no_families || family == 0) return false;
    return find([&](const running& r) { return r.family == family; }) != nullptr;
  }
  [[nodiscard]] bool runs_before_gate(std::uint64_t family) const {
    if (wrong == fault::knows_no_families || family == 0) return false;
    return find([&](const running& r) { return r.family == family && r.is_before_gate; }) !=
           nullptr;
  }
};
using rule = acre::agas::admission<view, parcel>;

class deed {
 public:
  deed(const settings& rules, job& state) : rules_(rules), job_(state) {}

  void act(small at) {
    running& actor = job_.calls[at];
    const std::vector<action>& body = body_of(actor);
    if (actor.next == body.size()) return finish(at);
    const action& now = body[actor.next++];
    const small rank = actor.object == no_call ? actor.rank : job_.objects[actor.object].rank;
    object_state& object = job_.objects[now.object];
    switch (now.what) {
      case action::pin:
        if (!object.is_ended && !object.is_changing && object.rank == rank) {
          ++object.pins;
          return;
        }
        while (body[actor.next++].what != action::unpin) {
        }
        return;
      case action::unpin:
        --object.pins;
        return run_waiting(now.object);
      default:
        break;
    }
    parcel sent{.caller = rank, .object = now.object, .function = now.function, .to = now.to};
    sent.kind = now.what == action::move                       ? parcel_kind::move
                : now.what == action::destroy                  ? parcel_kind::destroy
                : rules_.functions[now.function].is_concurrent ? parcel_kind::concurrent_call
                                                               : parcel_kind::call;
    sent.is_outside = now.is_outside;
    if (!now.is_outside) sent.family_number = actor.family;
    if (now.is_awaited) {
      sent.requester = at;
      actor.state = waits;
    }
    job_.way.append(sent);
  }

  void come(std::size_t at) {
    const parcel come = job_.way.take(at);
    object_state& object = job_.objects[come.object];
    if (object.is_ended) return answer(come.requester);
    const view seen = view_of(come.object);
    rule may_begin(seen);
    for (small i = 0; i < object.waiting.size; ++i) may_begin.note_waiting(object.waiting.items[i]);
    const bool is_behind = come.is_about_object() && object.waiting.size != 0;
    if (is_behind || !may_begin(come)) return let_wait(come);
    begin(come);
    run_waiting(come.object);
  }

  void arrive(small object) {
    object_state& moved = job_.objects[object];
    moved.is_changing = 0;
    moved.is_gate_open = 0;
    answer(std::exchange(moved.requester, no_call));
    run_waiting(object);
  }

  void turn_gate(small object) {
    object_state& at = job_.objects[object];
    at.is_gate_open = !at.is_gate_open;
    if (at.is_gate_open) return run_waiting(object);
    shut(object);
  }

  void fail(small object, std::size_t waiting) {
    answer(job_.objects[object].waiting.take(waiting).requester);
    run_waiting(object);
  }

  [[nodiscard]] bool is_in_cycle(small object, small place) const {
    const parcel& of = job_.objects[object].waiting.items[place];
    std::array<bool, most_calls> depends{};
    std::vector<small> to_do{of.is_outside ? no_call : of.requester};
    while (!to_do.empty()) {
      const small at = to_do.back();
      to_do.pop_back();
      if (at == no_call || depends[at]) continue;
      depends[at] = true;
      const running& call = job_.calls[at];
      if (waits_for(object, place, at)) return true;
      if (!call.is_outside) to_do.push_back(call.requester);
      if (call.object == no_call) continue;
      const auto& waiting = job_.objects[call.object].waiting;
      for (small i = 0; i < waiting.size; ++i) {
        if (waits_for(call.object, i, at) && !waiting.items[i].is_outside)
          to_do.push_back(waiting.items[i].requester);
      }
    }
    return false;
  }

 private:
  [[nodiscard]] view view_of(small object) const { return {job_, object, rules_.wrong}; }
  [[nodiscard]] const std::vector<action>& body_of(const running& of) const {
    return of.object == no_call ? rules_.programs[of.number].body
                                : rules_.functions[of.number].body;
  }
  [[nodiscard]] bool waits_for(small object, small place, small call) const {
    const parcel& waiting = job_.objects[object].waiting.items[place];
    const running& at = job_.calls[call];
    if (at.object == no_call) return waiting.is_about_object() && pins(call, object);
    if (at.object != object) return false;
    if (waiting.is_about_object()) return true;
    return !at.is_concurrent &&
           (waiting.kind == parcel_kind::call || is_behind_exclusive(object, place));
  }
  [[nodiscard]] bool is_behind_exclusive(small object, small place) const {
    if (rules_.wrong == fault::forgets_order) return false;
    const auto& waiting = job_.objects[object].waiting;
    const view seen = view_of(object);
    rule order(seen);
    for (small i = 0; i < place; ++i) {
      if (waiting.items[i].kind == parcel_kind::call) order.note_waiting(waiting.items[i]);
    }
    return !order.passes_calls(waiting.items[place]);
  }
  [[nodiscard]] bool pins(small program, small object) const {
    int depth = 0;
    const std::vector<action>& body = body_of(job_.calls[program]);
    for (small i = 0; i < job_.calls[program].next; ++i) {
      if (body[i].object != object) continue;
      depth += body[i].what == action::pin ? 1 : body[i].what == action::unpin ? -1 : 0;
    }
    return depth > 0 && job_.objects[object].pins != 0;
  }

  void shut(small object) {
    for (running& each : job_.calls) {
      if (each.is_alive && each.object == object) each.is_before_gate = 1;
    }
  }
  void let_wait(const parcel& waiting) {
    object_state& object = job_.objects[waiting.object];
    if (waiting.is_about_object() && !a_change_waits(object)) {
      object.is_gate_open = 0;
      shut(waiting.object);
    }
    object.waiting.append(waiting);
  }
  [[nodiscard]] static bool a_change_waits(const object_state& object) {
    for (small i = 0; i < object.waiting.size; ++i) {
      if (object.waiting.items[i].is_about_object()) return true;
    }
    return false;
  }

  void run_waiting(small at) {
    object_state& object = job_.objects[at];
    for (;;) {
      if (object.is_changing || object.is_ended) return;
      const view seen = view_of(at);
      rule may_begin(seen);
      small next = 0;
      while (next < object.waiting.size && !may_begin(object.waiting.items[next])) ++next;
      if (next == object.waiting.size) return;
      begin(object.waiting.take(next));
    }
  }

  void begin(const parcel& begun) {
    object_state& object = job_.objects[begun.object];
    if (begun.kind == parcel_kind::move) {
      if (begun.to == object.rank) return answer(begun.requester);
      object.is_changing = 1;
      object.rank = begun.to;
      object.requester = begun.requester;
      return;
    }
    if (begun.kind == parcel_kind::destroy) {
      object.is_ended = 1;
      answer(begun.requester);
      while (object.waiting.size != 0) answer(object.waiting.take(0).requester);
      return;
    }
    small free = 0;
    while (free < most_calls && job_.calls[free].is_alive) ++free;
    if (free == most_calls) throw std::length_error("the model has too little room for calls");
    running& call = job_.calls[free];
    call = {.is_alive = 1,
            .object = begun.object,
            .number = begun.function,
            .family = begun.family_number,
            .requester = begun.requester,
            .is_outside = begun.is_outside,
            .is_concurrent = begun.kind == parcel_kind::concurrent_call};
    if (call.family == 0) call.family = ++job_.last_family;
  }

  void finish(small at) {
    const running ended = job_.calls[at];
    job_.calls[at] = {};
    answer(ended.requester);
    if (ended.object != no_call) run_waiting(ended.object);
  }
  void answer(small requester) {
    if (requester != no_call) job_.calls[requester].state = answered;
  }

  const settings& rules_;
  job& job_;
};

class waits_model {
 public:
  using state_type = job;
  struct step_type {
    const char* what;
    int which;
  };

  explicit waits_model(const settings& rules) : rules_(rules) {}

  [[nodiscard]] job initial() const {
    job first;
    for (small i = 0; i < rules_.programs.size(); ++i) {
      first.calls[i].is_alive = 1;
      first.calls[i].number = i;
      first.calls[i].rank = rules_.programs[i].rank;
    }
    first.objects[1].rank = 1;
    return first;
  }

  template <class Take>
  void each_step(const job& now, Take&& take) const {
    const auto step = [&](const char* what, int which, auto&& change) {
      job next = now;
      deed does(rules_, next);
      change(next, does);
      take(step_type{what, which}, next);
    };
    for (small i = 0; i < most_calls; ++i) {
      if (!now.calls[i].is_alive) continue;
      if (now.calls[i].state == goes_on)
        step("continues: call", i, [&](job&, deed& does) { does.act(i); });
      if (now.calls[i].state == answered)
        step("is answered: call", i, [&](job& next, deed&) { next.calls[i].state = goes_on; });
    }
    for (small i = 0; i < now.way.size; ++i) {
      if (may_come(now, i)) step("arrives: parcel", i, [&](job&, deed& does) { does.come(i); });
    }
    for (small o = 0; o < most_objects; ++o) {
      const object_state& object = now.objects[o];
      if (object.is_ended) continue;
      if (object.is_changing) {
        step("arrives: object", o, [&](job&, deed& does) { does.arrive(o); });
        continue;
      }
      bool change_waits = false;
      for (small i = 0; i < object.waiting.size; ++i) {
        change_waits |= object.waiting.items[i].is_about_object();
        job copy = now;
        if (object.waiting.items[i].is_awaited() && rules_.wrong != fault::finds_no_cycles &&
            deed(rules_, copy).is_in_cycle(o, i)) {
          step("fails: parcels that wait at object", o, [&](job&, deed& does) { does.fail(o, i); });
        }
      }
      if (change_waits && (rules_.wrong != fault::opens_no_gate))
        step("turns: the gate of object", o, [&](job&, deed& does) { does.turn_gate(o); });
    }
  }

  [[nodiscard]] const char* wrong(const job&, const step_type& step, const job& next) const {
    if (!rules_.may_fail && std::strncmp(step.what, "fails", 5) == 0)
      return "a right program has failed";
    for (small o = 0; o < most_objects; ++o) {
      const view object{next, o, fault::none};
      int alone = 0;
      int calls = 0;
      for (const running& each : next.calls) {
        if (!each.is_alive || each.object != o) continue;
        ++calls;
        alone += !each.is_concurrent;
      }
      if (alone > 1) return "two exclusive calls run at once";
      if ((object.state().is_changing || object.state().is_ended) &&
          (calls != 0 || object.state().pins != 0))
        return "an object has changed while it was in use";
    }
    return nullptr;
  }
  [[nodiscard]] static bool is_end(const job& now) {
    for (const running& each : now.calls) {
      if (each.is_alive) return false;
    }
    for (const object_state& each : now.objects) {
      if (each.is_changing || each.waiting.size != 0) return false;
    }
    return now.way.size == 0;
  }

  [[nodiscard]] static std::uint64_t hash(const job& now) {
    std::uint64_t sum = 0x9e3779b97f4a7c15;
    const auto* at = reinterpret_cast<const unsigned char*>(&now);
    for (std::size_t i = 0; i < sizeof now; ++i) sum = (sum ^ at[i]) * 0x100000001b3;
    sum ^= sum >> 29;
    return sum * 0xbf58476d1ce4e5b9;
  }
  [[nodiscard]] static std::string text(const step_type& step, const job&) {
    return std::string(step.what) + " " + std::to_string(step.which);
  }

 private:
  [[nodiscard]] static bool may_come(const job& now, small at) {
    const parcel& come = now.way.items[at];
    if (now.objects[come.object].is_changing) return false;
    for (small i = 0; i < at; ++i) {
      const parcel& before = now.way.items[i];
      if (before.caller == come.caller && before.object == come.object) return false;
    }
    return true;
  }

  const settings& rules_;
};

}  // namespace acre::agas::waits
