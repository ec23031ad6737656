// SPDX-License-Identifier: BSD-3-Clause
// Model of the protocol: a step is a protocol step at any rank; user actions have budgets, so
// states are finite.
#pragma once

#include "protocol_steps_test.hpp"
#include <acre/base/split_mix.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace acre::agas::model {

struct step {
  const char* what = "";
  small rank = 0;
  small object = 0;
  small other = nowhere;
  message carried{};
  bool has_message = false;
  const char* broke = nullptr;
};

class protocols {
 public:
  using state_type = job;
  using step_type = step;

  explicit protocols(const settings& rules) : rules_(rules) {}

  job initial() const {
    job start;
    for (small object = 0; object < rules_.objects; ++object) {
      auto& state = start.objects[object];
      const small home = rules_.homes[object];
      state.directory = {home, 1};
      state.at[home].here = 1;
      start.answered[object] = rules_.answered;
      start.unanswered[object] = rules_.unanswered;
      if (!rules_.counted) continue;
      state.at[rules_.creators[object]].credit = rules_.credit;
      state.issued = rules_.credit;
    }
    start.moves = rules_.moves;
    start.requests = rules_.requests;
    start.failures = rules_.failures;
    start.references = rules_.references;
    start.closes = rules_.closes;
    start.replenishments = rules_.replenishments;
    start.own_references = rules_.own_references;
    return start;
  }

  template <class Take>
  void each_step(const job& now, Take&& take) const {
    deliveries(now, take);
    runs(now, take);
    for (small object = 0; object < rules_.objects; ++object) {
      for (small rank = 0; rank < ranks; ++rank) {
        calls(now, object, rank, take);
        moves(now, object, rank, take);
        if (rules_.counted) credit(now, object, rank, take);
        ends(now, object, rank, take);
      }
    }
    for (small rank = 0; rank < ranks; ++rank) returns(now, rank, take);
  }

  std::uint64_t hash(const job& state) const {
    std::uint64_t sum = golden_gamma;
    const std::size_t fixed = offsetof(job, waiting);
    sum = mixed(sum, &state, fixed);
    sum = mixed(sum, state.waiting.items.data(), state.waiting.size * sizeof(message));
    sum =
        mixed(sum ^ state.waiting.size, state.kept.items.data(), state.kept.size * sizeof(message));
    sum = mixed(sum ^ state.kept.size, state.way.items.data(), state.way.size * sizeof(message));
    return sum;
  }

  const char* wrong(const job& before, const step& taken, const job& now) const {
    if (taken.broke) return taken.broke;
    for (small object = 0; object < rules_.objects; ++object) {
      if (const char* what = wrong_epochs(before.objects[object], now.objects[object])) return what;
      if (const char* what = wrong_place(now, object)) return what;
      if (const char* what = wrong_calls(now, object)) return what;
      if (credit_of(now, object) != now.objects[object].issued) {
        return "held, in-flight and queued credit differ from the issued credit";
      }
    }
    return nullptr;
  }

  bool is_end(const job& now) const {
    if (now.way.size + now.waiting.size + now.kept.size != 0) return false;
    for (small object = 0; object < rules_.objects; ++object) {
      const auto& state = now.objects[object];
      if (!state.freed) return false;
      for (const auto& me : state.at) {
        if (me.here || me.note.known() || me.credit || me.queued || me.asked || me.closing ||
            me.awaited) {
          return false;
        }
      }
    }
    return true;
  }

  std::string text(const step& taken, const job& now) const {
    std::string line = "rank " + std::to_string(taken.rank) + ": " + taken.what;
    if (taken.has_message) {
      line += " " + text(taken.carried);
    } else {
      line += " " + name(taken.object);
    }
    if (taken.other != nowhere) line += " to rank " + std::to_string(taken.other);
    line += std::string(line.size() < 70 ? 70 - line.size() : 1, ' ') + "|";
    for (small object = 0; object < rules_.objects; ++object) {
      line += " " + name(object) + " " + where(now, object);
    }
    line += ", under way " + std::to_string(now.way.size);
    return line;
  }

 private:
  template <class Act, class Take>
  void take_step(const job& now, step taken, Act&& act, Take&& take) const {
    job next = now;
    action at_once(rules_, next);
    act(next, at_once);
    taken.broke = at_once.wrong();
    take(taken, next);
  }

  /// First message of each channel, or any if unordered.
  template <class Take>
  void deliveries(const job& now, Take& take) const {
    for (std::size_t i = 0; i < now.way.size; ++i) {
      const message& item = now.way.items[i];
      if (i > 0) {
        const message& last = now.way.items[i - 1];
        if (rules_.in_order ? last.from == item.from && last.to == item.to : last == item) continue;
      }
      const step taken{.what = "takes", .rank = item.to, .carried = item, .has_message = true};
      take_step(now, taken, [&](job& next, action& a) { a.deliver(next.way.take(i)); }, take);
      if (item.what != kind::move || item.more || now.failures == 0) continue;
      const step fails{
          .what = "fails to create", .rank = item.to, .carried = item, .has_message = true};
      take_step(
          now, fails,
          [&](job& next, action& a) {
            --next.failures;
            a.fail_to_arrive(item.to, next.way.take(i));
          },
          take);
    }
  }

  template <class Take>
  void runs(const job& now, Take& take) const {
    std::array<bool, most_objects> seen{};
    for (std::size_t i = 0; i < now.waiting.size; ++i) {
      const message& call = now.waiting.items[i];
      const small rank = owner(now, call.object);
      if (rank == nowhere) continue;
      const bool first = !std::exchange(seen[call.object], true);
      if (rules_.wrong == fault::numbers_nothing && !first) continue;
      job next = now;
      action at_once(rules_, next);
      if (!at_once.may_run(call)) continue;
      step taken{.what = "runs", .rank = rank, .carried = call, .has_message = true};
      at_once.run(rank, i);
      taken.broke = at_once.wrong();
      take(taken, next);
    }
  }

  template <class Take>
  void calls(const job& now, small object, small rank, Take& take) const {
    const auto& me = now.objects[object].at[rank];
    if (me.closing) return;
    if (now.answered[object][rank] != 0 && (!rules_.counted || me.credit > 0)) {
      take_step(
          now, {.what = "calls", .rank = rank, .object = object},
          [&](job& next, action& a) {
            --next.answered[object][rank];
            a.issue(rank, object, task::answered);
          },
          take);
    }
    if (now.unanswered[object][rank] != 0 && (!rules_.counted || me.credit > 1)) {
      take_step(
          now, {.what = "calls, waiting for no answer,", .rank = rank, .object = object},
          [&](job& next, action& a) {
            --next.unanswered[object][rank];
            a.issue(rank, object, task::unanswered);
          },
          take);
    }
    if (now.requests != 0 && (!rules_.counted || me.credit > 0)) {
      for (small to = 0; to < ranks; ++to) {
        take_step(
            now, {.what = "requests a move of", .rank = rank, .object = object, .other = to},
            [&](job& next, action& a) {
              --next.requests;
              a.issue(rank, object, task::migrate, to);
            },
            take);
      }
    }
    if (now.closes != 0 && me.number != 0 && !freed_by(now, object, rank)) {
      take_step(
          now, {.what = "closes its stream to", .rank = rank, .object = object},
          [&](job& next, action& a) {
            --next.closes;
            a.issue(rank, object, task::close);
          },
          take);
    }
  }

  bool freed_by(const job& now, small object, small rank) const {
    return now.objects[object].free_sent && rank == rules_.homes[object];
  }

  template <class Take>
  void moves(const job& now, small object, small rank, Take& take) const {
    const auto& me = now.objects[object].at[rank];
    if (me.hint.known() && rules_.drops_hints) {
      take_step(
          now, {.what = "drops its hint of", .rank = rank, .object = object},
          [&](job& next, action&) { next.objects[object].at[rank].hint = {}; }, take);
    }
    if (!me.here || now.moves == 0) return;
    for (small to = 0; to < ranks; ++to) {
      if (to == rank) continue;
      take_step(
          now, {.what = "moves", .rank = rank, .object = object, .other = to},
          [&](job& next, action& a) {
            --next.moves;
            a.move(rank, object, to, {});
          },
          take);
    }
  }

  template <class Take>
  void credit(const job& now, small object, small rank, Take& take) const {
    const auto& me = now.objects[object].at[rank];
    if (me.here && now.own_references != 0) {
      take_step(
          now, {.what = "requests a reference to its", .rank = rank, .object = object},
          [&](job& next, action& a) {
            --next.own_references;
            a.ask_for_own(rank, object);
          },
          take);
    }
    if (me.credit == 0) return;
    if (now.references != 0 && me.credit > 1) {
      for (small to = 0; to < ranks; ++to) {
        if (to == rank) continue;
        take_step(
            now, {.what = "sends a reference of", .rank = rank, .object = object, .other = to},
            [&](job& next, action& a) {
              --next.references;
              a.send_reference(rank, object, to);
            },
            take);
      }
    }
    if (me.credit == 1 && !me.asked && now.replenishments != 0) {
      take_step(
          now, {.what = "requests more credit of", .rank = rank, .object = object},
          [&](job& next, action& a) {
            --next.replenishments;
            a.ask_for_more(rank, object);
          },
          take);
    }
    if ((!me.asked || rules_.wrong == fault::drops_what_waits) &&
        (!me.awaited || rules_.wrong == fault::drops_while_called)) {
      take_step(
          now, {.what = "drops its last reference of", .rank = rank, .object = object},
          [&](job&, action& a) { a.drop(rank, object); }, take);
    }
  }

  template <class Take>
  void ends(const job& now, small object, small rank, Take& take) const {
    const auto& state = now.objects[object];
    if (state.free_sent || state.at[rank].closing) return;
    if (rules_.counted && (rank != rules_.homes[object] || state.issued != 0)) return;
    take_step(
        now, {.what = "frees", .rank = rank, .object = object},
        [&](job&, action& a) { a.free_unreferenced(rank, object); }, take);
  }

  template <class Take>
  void returns(const job& now, small rank, Take& take) const {
    for (small home = 0; home < ranks; ++home) {
      bool any = false;
      for (small object = 0; object < rules_.objects; ++object) {
        any |= rules_.homes[object] == home && now.objects[object].at[rank].queued != 0;
      }
      if (!any) continue;
      take_step(
          now, {.what = "returns queued credit of", .rank = rank, .other = home},
          [&](job&, action& a) { a.give_back(rank, home); }, take);
    }
  }

  static const char* wrong_epochs(const object_state& before, const object_state& now) {
    if (before.freed && !now.freed) return "the home restores a freed object";
    if (!now.freed && now.directory.epoch < before.directory.epoch)
      return "the home's epoch decreased";
    return nullptr;
  }

  /// One owner or one message holds the state; directory and notes lead there by increasing epochs.
  static const char* wrong_place(const job& now, small object) {
    const auto& state = now.objects[object];
    place there{};
    int owners = 0;
    for (small rank = 0; rank < ranks; ++rank) {
      if (!state.at[rank].here) continue;
      there = {rank, state.at[rank].here};
      ++owners;
    }
    for (const message& item : now.way) {
      if (item.what != kind::move || item.object != object) continue;
      there = item.where;
      ++owners;
    }
    if (owners > 1) return "an object exists twice";
    if (owners + state.ended != 1) return "an object is lost";
    if (state.ended) return nullptr;
    for (place by = state.directory; by.epoch != there.epoch && !state.at[by.rank].here;) {
      const place next = state.at[by.rank].note;
      if (next.epoch <= by.epoch) return "the directory does not lead to the object";
      by = next;
    }
    return nullptr;
  }

  /// Each call has run, or is in one place.
  static const char* wrong_calls(const job& now, small object) {
    std::array<unsigned, ranks> seen{};
    bool twice = false;
    const auto see = [&](const message& item) {
      if (item.what != kind::call || item.object != object) return;
      if (item.does == task::close || item.does == task::free) return;
      const unsigned bit = 1U << item.ordinal;
      twice |= (seen[item.caller] & bit) != 0;
      seen[item.caller] |= bit;
    };
    for (const message& item : now.way) see(item);
    for (const message& item : now.waiting) see(item);
    for (const message& item : now.kept) see(item);
    for (small rank = 0; rank < ranks; ++rank) {
      const auto& me = now.objects[object].at[rank];
      if (twice || (seen[rank] & me.done)) return "a call exists twice";
      if ((seen[rank] | me.done) != (1U << me.issued) - 1) return "a call is lost";
    }
    return nullptr;
  }

  static int credit_of(const job& now, small object) {
    int sum = 0;
    for (const auto& me : now.objects[object].at) sum += me.credit + me.queued;
    const auto add = [&](const message& item) {
      if (item.what == kind::give_back) {
        sum += object == 0 ? item.credit : item.more;
      } else if (item.object == object) {
        sum += item.credit;
      }
    };
    for (const message& item : now.way) add(item);
    for (const message& item : now.waiting) add(item);
    for (const message& item : now.kept) add(item);
    return sum;
  }

  static std::uint64_t mixed(std::uint64_t sum, const void* bytes, std::size_t size) {
    const auto* at = static_cast<const unsigned char*>(bytes);
    while (size > 0) {
      std::uint64_t word = 0;
      const std::size_t part = size < sizeof word ? size : sizeof word;
      std::memcpy(&word, at, part);
      sum = mix_bits(sum ^ word);
      at += part;
      size -= part;
    }
    return sum;
  }

  static std::string name(small object) { return object == 0 ? "x" : "y"; }

  static std::string text(place there) {
    if (!there.known()) return "-";
    return "rank " + std::to_string(there.rank) + " epoch " + std::to_string(there.epoch);
  }

  static std::string text(const message& item) {
    static constexpr const char* kinds[] = {
        "call",        "answer",         "end of stream", "hint",      "state",
        "arrival",     "settled",        "end",           "reference", "question for credit",
        "more credit", "returned credit"};
    static constexpr const char* tasks[] = {"call", "call without answer", "request to move",
                                            "close", "free"};
    if (item.what == kind::call) {
      return std::string(tasks[static_cast<small>(item.does)]) + " " + std::to_string(item.stream) +
             "." + std::to_string(item.number) + " of rank " + std::to_string(item.caller) +
             " to " + name(item.object);
    }
    std::string line = kinds[static_cast<small>(item.what)];
    if (item.what != kind::give_back) line += " of " + name(item.object);
    if (item.where.known()) line += " (" + text(item.where) + ")";
    return line + " from rank " + std::to_string(item.from);
  }

  static small owner(const job& now, small object) {
    small rank = 0;
    while (rank < ranks && !now.objects[object].at[rank].here) ++rank;
    return rank;
  }
  static std::string where(const job& now, small object) {
    const auto& state = now.objects[object];
    if (state.ended) return "ended";
    const small rank = owner(now, object);
    return rank == nowhere ? "under way" : text(place{rank, state.at[rank].here});
  }

  const settings rules_;
};

}  // namespace acre::agas::model
