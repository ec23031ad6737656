// SPDX-License-Identifier: BSD-3-Clause
// Protocol steps, numbered as in "calls keep their order while objects move" (docs/decisions/017).
#pragma once

#include "protocol_job_test.hpp"

#include <bit>
#include <cstddef>
#include <utility>

namespace acre::agas::model {

class action {
 public:
  action(const settings& rules, job& state) : rules_(rules), job_(state) {}

  const char* wrong() const { return wrong_; }

  void issue(small rank, small object, task does, small asked = 0) {
    auto& me = at(object, rank);
    message call{.what = kind::call, .object = object, .does = does, .caller = rank};
    call.stream = me.stream;
    call.number = me.number++;
    call.asked = asked;
    if (waits_for_answer(does)) ++me.awaited;
    if (does == task::close) me.closing = 1;
    if (waits_for_answer(does) || does == task::unanswered) call.ordinal = me.issued++;
    if (does == task::unanswered && rules_.counted && !is(fault::calls_without_credit)) {
      call.credit = 1;
      --me.credit;
    }
    come(rank, call);
    if (does == task::close && is(fault::hurries_a_stream)) begin_stream(me);
  }

  /// Rules 1 to 4 for a call at a rank.
  void come(small rank, message call) {
    auto& me = at(call.object, rank);
    if (me.here) return admit(rank, call);
    const bool free_to_circle = is(fault::passes_in_circles);
    if (me.note.known() && (free_to_circle || me.note.epoch > call.where.epoch)) {
      return pass(rank, call, me.note);
    }
    if (rank == home(call.object)) return pass_on_from_home(rank, call);
    if (me.hint.known() && (me.hint.epoch > call.where.epoch || is(fault::follows_older_hints))) {
      return pass(rank, call, me.hint);
    }
    hop(call);
    send(rank, home(call.object), call);
  }

  void admit(small rank, message call) {
    if (call.hops > 1 && call.caller != rank) {
      message hint{.what = kind::hint, .object = call.object};
      hint.where = {rank, at(call.object, rank).here};
      send(rank, call.caller, hint);
    }
    check_passes(call);
    call.from = call.to = nowhere;
    call.where = {};
    if (is(fault::numbers_nothing)) {
      job_.waiting.append(call);
    } else {
      job_.waiting.add_sorted(call);
    }
  }

  void pass_on_from_home(small rank, message call) {
    const auto& known = the(call.object);
    if (known.freed) return fail(rank, call);
    if (known.directory.epoch >= call.where.epoch || is(fault::passes_in_circles)) {
      return pass(rank, call, known.directory);
    }
    if (rules_.in_order) broken("the home keeps a call although messages arrive in order");
    call.from = call.to = rank;
    job_.kept.add_sorted(call);
  }

  void pass(small rank, message call, place next) {
    if (next.rank == rank) return broken("a call is forwarded to its own rank");
    const bool by_home = rank == home(call.object) && next.epoch == call.where.epoch;
    if (next.epoch <= call.where.epoch && !by_home && !is(fault::passes_in_circles)) {
      return broken("a call is forwarded to an older place than its last one");
    }
    call.where = next;
    hop(call);
    send(rank, next.rank, call);
  }

  void hop(message& call) const {
    const small most = rules_.counts_passes ? 30 : 2;
    if (call.hops < most) ++call.hops;
  }

  void fail(small rank, const message& call) {
    if (call.does == task::close) return answer(rank, call.caller, kind::closed, call.object);
    if (call.does == task::free) return broken("freed twice");
    const auto& object = the(call.object);
    if (rules_.counted) broken("a call found its object freed");
    if (call.caller + 1 == object.free_sent && call.ordinal < object.free_ordinal) {
      broken("an object was freed before an older call of the same rank");
    }
    done(call);
    if (waits_for_answer(call.does)) answer(rank, call.caller, kind::answer, call.object);
  }

  void answer(small rank, small caller, kind what, small object) {
    send(rank, caller, {.what = what, .object = object});
  }

  static bool waits_for_answer(task does) {
    return does == task::answered || does == task::migrate;
  }

  bool may_run(const message& call) const {
    if (is(fault::numbers_nothing)) return true;
    if (call.does == task::free && is(fault::frees_out_of_turn)) return true;
    const auto& record = the(call.object).streams[call.caller];
    if (record.stream == 0) return call.number == 0;
    return record.stream == call.stream && record.next == call.number;
  }

  void run(small rank, std::size_t waiting) {
    const message call = job_.waiting.take(waiting);
    auto& record = the(call.object).streams[call.caller];
    record = {call.stream, static_cast<small>(call.number + 1)};
    switch (call.does) {
      case task::answered:
        ran(call);
        answer(rank, call.caller, kind::answer, call.object);
        break;
      case task::migrate:
        ran(call);
        if (call.asked == rank) {
          answer(rank, call.caller, kind::answer, call.object);
        } else {
          move(rank, call.object, call.asked, {.asked = static_cast<small>(call.caller + 1)});
        }
        break;
      case task::unanswered:
        ran(call);
        at(call.object, rank).queued += call.credit;
        break;
      case task::close:
        record = {};
        answer(rank, call.caller, kind::closed, call.object);
        break;
      case task::free:
        end(rank, call.object);
        break;
    }
  }

  void begin_stream(at_rank& me) {
    ++me.stream;
    me.number = 0;
    me.closing = 0;
  }

  void take_hint(small rank, small object, place hint) {
    auto& me = at(object, rank);
    if (me.here || rank == home(object) || hint.epoch <= me.note.epoch) return;
    if (hint.epoch > me.hint.epoch) me.hint = hint;
  }

  void move(small a, small object, small b, message state) {
    auto& me = at(object, a);
    state.what = kind::move;
    state.object = object;
    state.where = {b, static_cast<small>(me.here + 1)};
    if (!is(fault::keeps_what_moves)) me.here = 0;
    me.note = is(fault::keeps_no_note) ? place{} : state.where;
    me.hint = {};
    ++the(object).moves;
    send(a, b, state);
    if (is(fault::forgets_what_waits)) job_.waiting = {};
  }

  void arrive(small b, const message& state) {
    auto& me = at(state.object, b);
    me.here = state.where.epoch;
    me.note = me.hint = {};
    answer_who_asked(b, state);
    message word{.what = kind::arrived, .object = state.object, .caller = state.from};
    word.where = state.where;
    send(b, home(state.object), word);
  }

  /// Step 2, failed: returns as another move.
  void fail_to_arrive(small b, const message& state) {
    if (is(fault::loses_what_failed)) return;
    at(state.object, b).here = state.where.epoch;
    answer_who_asked(b, state);
    move(b, state.object, state.from, {.more = 1});
  }

  void answer_who_asked(small b, const message& state) {
    if (!state.asked) return;
    answer(b, static_cast<small>(state.asked - 1), kind::answer, state.object);
  }

  void know_arrival(small rank, const message& word) {
    auto& object = the(word.object);
    if (object.freed && is(fault::home_forgets_the_freed)) object.freed = 0;
    if (!object.freed && (word.where.epoch > object.directory.epoch || is(fault::home_goes_back))) {
      object.directory = word.where;
      release_kept(rank, word.object);
    }
    message settled{.what = kind::settled, .object = word.object};
    settled.where.epoch = word.where.epoch;
    send(rank, word.caller, settled);
  }

  void release_kept(small rank, small object) {
    settle(rank, object, the(object).directory.epoch);
    auto kept = job_.kept;
    job_.kept = {};
    for (const message& call : kept) {
      if (call.object == object) {
        come(rank, call);
      } else {
        job_.kept.add_sorted(call);
      }
    }
  }

  void settle(small a, small object, small epoch) {
    auto& me = at(object, a);
    if (!me.note.known()) return;
    if (me.note.epoch > epoch && !is(fault::settles_too_much)) return;
    const place went = me.note;
    me.note = {};
    take_hint(a, object, went);
    if (is(fault::keeps_what_moves)) me.here = 0;
  }

  void end(small rank, small object) {
    check_nothing_is_lost(object);
    the(object).ended = 1;
    at(object, rank).here = 0;
    the(object).streams = {};
    auto waiting = job_.waiting;
    job_.waiting = {};
    for (const message& call : waiting) {
      if (call.object == object) {
        fail(rank, call);
      } else {
        job_.waiting.append(call);
      }
    }
    send(rank, home(object), {.what = kind::freed, .object = object});
  }

  void know_end(small rank, small object) {
    the(object).freed = 1;
    the(object).directory = {};
    release_kept(rank, object);
  }

  void send_reference(small rank, small object, small to) {
    auto& me = at(object, rank);
    message carried{.what = kind::reference, .object = object, .credit = half(me.credit)};
    if (!is(fault::copies_credit)) me.credit -= carried.credit;
    send(rank, to, carried);
  }

  static small half(small credit) { return std::bit_floor(static_cast<small>(credit / 2)); }

  void ask_for_more(small rank, small object) {
    at(object, rank).asked = 1;
    send(rank, home(object), {.what = kind::ask, .object = object, .caller = rank});
  }

  /// A function of the object requests a reference, even if this rank has none.
  void ask_for_own(small rank, small object) {
    send(rank, home(object), {.what = kind::ask, .object = object, .caller = rank, .asked = 1});
  }

  void issue_more(small rank, const message& asked) {
    message more{.what = kind::more, .object = asked.object, .credit = rules_.more_credit};
    more.asked = asked.asked;
    const bool is_ending = the(asked.object).freed ||
                           (the(asked.object).issued == 0 && !is(fault::revives_the_unreferenced));
    if (asked.asked && is_ending) more.credit = 0;
    if (!is(fault::issues_uncounted_credit)) the(asked.object).issued += more.credit;
    send(rank, asked.caller, more);
  }

  void drop(small rank, small object) {
    auto& me = at(object, rank);
    me.queued += me.credit;
    me.credit = 0;
    if (is(fault::forgets_streams)) begin_stream(me);
  }

  void give_back(small rank, small to) {
    message all{.what = kind::give_back};
    if (home(0) == to) std::swap(all.credit, at(0, rank).queued);
    if (rules_.objects > 1 && home(1) == to) std::swap(all.more, at(1, rank).queued);
    send(rank, to, all);
  }

  void take_back(small object, small credit) { the(object).issued -= credit; }

  void free_unreferenced(small rank, small object) {
    the(object).free_sent = static_cast<small>(rank + 1);
    the(object).free_ordinal = at(object, rank).issued;
    issue(rank, object, task::free);
  }

  void deliver(const message& item) {
    const small rank = item.to;
    switch (item.what) {
      case kind::call:
        return come(rank, item);
      case kind::answer:
        --at(item.object, rank).awaited;
        return;
      case kind::closed:
        if (!is(fault::hurries_a_stream)) begin_stream(at(item.object, rank));
        return;
      case kind::hint:
        return take_hint(rank, item.object, item.where);
      case kind::move:
        return arrive(rank, item);
      case kind::arrived:
        return know_arrival(rank, item);
      case kind::settled:
        return settle(rank, item.object, item.where.epoch);
      case kind::freed:
        return know_end(rank, item.object);
      case kind::reference:
        at(item.object, rank).credit += item.credit;
        return;
      case kind::ask:
        return issue_more(rank, item);
      case kind::more:
        at(item.object, rank).credit += item.credit;
        if (item.asked) return;
        if (at(item.object, rank).credit == item.credit) {
          broken("credit arrives for a destroyed reference");
        }
        at(item.object, rank).asked = 0;
        return;
      case kind::give_back:
        take_back(0, item.credit);
        take_back(1, item.more);
        return;
    }
  }

 private:
  bool is(fault wrong) const { return rules_.wrong == wrong; }
  small home(small object) const { return rules_.homes[object]; }
  object_state& the(small object) { return job_.objects[object]; }
  const object_state& the(small object) const { return job_.objects[object]; }
  at_rank& at(small object, small rank) { return the(object).at[rank]; }

  void broken(const char* what) {
    if (!wrong_) wrong_ = what;
  }

  void send(small from, small to, message item) {
    item.from = from;
    item.to = to;
    if (from == to) return deliver(item);
    if (!rules_.in_order) return job_.way.add_sorted(item);
    std::size_t behind = 0;
    const auto channel = [](const message& m) { return m.from * ranks + m.to; };
    while (behind < job_.way.size && channel(job_.way.items[behind]) <= channel(item)) ++behind;
    job_.way.insert(behind, item);
  }

  void done(const message& call) {
    small& done = at(call.object, call.caller).done;
    const auto bit = static_cast<small>(1U << call.ordinal);
    if (done & bit) broken("a call ran twice");
    done |= bit;
  }

  void ran(const message& call) {
    const unsigned before = (1U << call.ordinal) - 1;
    if ((at(call.object, call.caller).done & before) != before) {
      broken("a call ran before an older one of its caller");
    }
    done(call);
  }

  void check_passes(const message& call) {
    const int passes = call.hops - 1;
    const int moves = the(call.object).moves;
    const int by_homes = rules_.drops_hints || !rules_.in_order ? moves + 1 : 1;
    const int early = rules_.in_order ? 0 : moves;
    if (rules_.counts_passes && passes > moves + by_homes + early) {
      broken("a call was forwarded too often");
    }
  }

  /// A counted object may end only without pending calls, except closes.
  void check_nothing_is_lost(small object) {
    if (!rules_.counted) return;
    if (the(object).issued != 0) broken("an object was freed although credit is outstanding");
    const auto check = [&](const message& item) {
      if (item.object == object && item.what == kind::call && item.does != task::close) {
        broken("an object was freed before a call that keeps it alive");
      }
    };
    for (const message& item : job_.way) check(item);
    for (const message& item : job_.waiting) check(item);
    for (const message& item : job_.kept) check(item);
  }

  const settings& rules_;
  job& job_;
  const char* wrong_ = nullptr;
};

}  // namespace acre::agas::model
