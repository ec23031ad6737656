// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/sets/detail/forest_parts.hpp>

#include <acre/base/error.hpp>
#include <acre/global/owner/many_at_owners.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/runtime/huge_pages.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/running_code.hpp>

#include <mutex>
#include <string>
#include <utility>

namespace acre::container {
namespace {

using fabric::word;

constexpr std::size_t ahead = 64;

/// Forests by the offsets of this rank's parts; requests for others are rejected. Any thread.
class forest_places {
 public:
  using view = std::shared_ptr<const forest>;

  void add(std::uint64_t offset, view forest) {
    const std::lock_guard hold(lock_);
    all_.emplace_back(offset, std::move(forest));
  }
  void remove(std::uint64_t offset) noexcept {
    const std::lock_guard hold(lock_);
    std::erase_if(all_, [&](const auto& each) { return each.first == offset; });
  }
  [[nodiscard]] view at(std::uint64_t offset) {
    const std::lock_guard hold(lock_);
    for (const auto& [place, forest] : all_) {
      if (place == offset) return forest;
    }
    at_owner::throw_not_here();
  }

 private:
  spin_lock lock_;
  std::vector<std::pair<std::uint64_t, view>> all_;
};

forest_places& known_forests() {
  static auto& made = *new forest_places;
  return made;
}

std::size_t part_bytes(std::size_t head, std::uint64_t each, std::uint64_t elements) {
  const std::size_t words = base::bytes_for(each, forest::word_bytes(elements));
  return words > ~std::size_t{0} - head ? words : head + words;
}

meeting meet(const forest& near, bool links, path along, element_pair& both) noexcept {
  runtime::direct_costs spent;
  const meeting outcome = links                   ? near.unite(both, spent)
                          : along == path::halved ? near.compare<path::halved>(both, spent)
                                                  : near.compare<path::kept>(both, spent);
  runtime::count(spent);
  return outcome;
}

bool find_here(const forest& near, path along, std::uint64_t& element,
               runtime::direct_costs& spent) noexcept {
  return along == path::halved ? near.find<path::halved>(element, spent)
                               : near.find<path::kept>(element, spent);
}

}  // namespace

struct alignas(64) forest_parts::head {
  phase_record record;
};

/// Request: part offset, what, phase entry; and pairs, for a search of one element twice.
class forest_parts::asked_forest {
 public:
  explicit asked_forest(std::span<const word> words)
      : near_(known_forests().at(words[0])), what_(static_cast<request>(words[1])) {
    auto& part = *reinterpret_cast<head*>(at_owner::place_here(words[0], sizeof(head)));
    note_if_checked(part.record, what_ == request::unite ? "unite" : "find", phase_entry(words[2]));
  }

  [[nodiscard]] meeting apply(element_pair& both) const {
    if (both.low >= near_->elements() || both.high >= near_->elements()) {
      at_owner::throw_not_here();
    }
    const bool keeps = what_ == request::compare_kept || what_ == request::find_kept;
    const path along = keeps ? path::kept : path::halved;
    runtime::direct_costs unused;
    switch (what_) {
      case request::unite:
        return near_->unite(both, unused);
      case request::compare:
      case request::compare_kept:
        return along == path::halved ? near_->compare<path::halved>(both, unused)
                                     : near_->compare<path::kept>(both, unused);
      default:
        return find_here(*near_, along, both.low, unused) ? meeting::together : meeting::elsewhere;
    }
  }
  /// True if the requester needs the pair.
  [[nodiscard]] bool has_value(meeting outcome) const noexcept {
    return outcome == meeting::elsewhere || what_ == request::find || what_ == request::find_kept;
  }
  void prefetch(const element_pair& both) const noexcept {
    if (both.low < near_->elements()) near_->prefetch(both.low);
  }

 private:
  std::shared_ptr<const forest> near_;
  request what_;
};

struct forest_parts::one_pair {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static void serve(const at_owner::asked& asked, at_owner::answer& reply) {
    auto both = reader(asked.payload).read<element_pair>();
    const asked_forest here(asked.words);
    const meeting outcome = here.apply(both);
    reply.code = static_cast<word>(outcome);
    if (here.has_value(outcome)) reply.write(both);
  }
};

struct forest_parts::many_pairs {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static constexpr std::size_t answer_bytes = sizeof(element_pair);

  explicit many_pairs(std::span<const word> words) : here(words) {}
  std::uint8_t serve(reader item, at_owner::item_answer& reply) const {
    auto both = item.read<element_pair>();
    const meeting outcome = here.apply(both);
    if (here.has_value(outcome)) reply.write(both);
    return static_cast<std::uint8_t>(outcome);
  }
  void prefetch(reader item) const { here.prefetch(item.read<element_pair>()); }

  asked_forest here;
};

/// Roots of elements on other nodes.
class forest_parts::root_search {
 public:
  root_search(const forest_parts& all, path along, phase_entry entry, const named_call& call)
      : all_(all), along_(along), entry_(entry), call_(call) {}

  void add(std::uint64_t element) {
    const std::uint32_t number = numbers_.add(element);
    if (number != ends_.size()) return;
    ends_.push_back(element);
    open_.push_back(number);
  }

  void run() {
    const request what = along_ == path::halved ? request::find : request::find_kept;
    const auto words_of = [&](rank_t member) { return all_.words_for(member, what, entry_); };
    while (!open_.empty()) {
      at_owner::many<many_pairs, decltype(words_of)> elsewhere(all_.members(), words_of, call_.name,
                                                               call_.where);
      for (const std::uint32_t each : open_) {
        elsewhere.add(all_.owner(ends_[each]), each, element_pair{ends_[each], ends_[each]});
      }
      open_.clear();
      elsewhere.finish([&](const at_owner::answered_item& answer) {
        std::uint64_t end = answer.value->read<element_pair>().low;
        const bool is_root = static_cast<meeting>(answer.code) == meeting::together;
        runtime::direct_costs spent;
        if (!is_root && !find_here(all_.near(), along_, end, spent)) {
          open_.push_back(static_cast<std::uint32_t>(answer.number));
        }
        runtime::count(spent);
        ends_[answer.number] = end;
      });
    }
  }

  [[nodiscard]] std::uint64_t root_of(std::uint64_t added) const { return ends_[numbers_[added]]; }

 private:
  const forest_parts& all_;
  path along_;
  phase_entry entry_;
  named_call call_;
  element_numbers numbers_;
  std::vector<std::uint64_t> ends_;  ///< highest known ancestors
  std::vector<std::uint32_t> open_;
};

forest_parts::forest_parts(const team& members, std::uint64_t elements, const std::type_info& type,
                           const named_call& call)
    : team_object(
          members,
          team_memory(members,
                      part_bytes(sizeof(head), divide_up(elements, std::uint64_t{members.size()}),
                                 elements),
                      alignof(head), call.name,
                      {.number = elements, .unit = "elements", .type = &type}, call.where),
          "the destructor of the sets made", call.where),
      elements_(elements),
      each_(larger(divide_up(elements, std::uint64_t{members.size()}), std::uint64_t{1})) {
  const runtime::failures_held until_all_is_done;
  near_ = std::make_shared<const forest>(make_near());
  runtime::use_huge_pages(memory().mine(), sizeof(head) + count() * forest::word_bytes(elements));
  new (memory().mine()) head{};
  near().make_singletons(first(), count());
  known_forests().add(memory().bits_of(members.rank()) & offset_mask, near_);
  members.barrier(call.where);
}

forest_parts::~forest_parts() {
  end_open();
  const std::uint64_t offset =
      members() ? memory().bits_of(members().rank()) & offset_mask : std::uint64_t{0};
  release();
  known_forests().remove(offset);
}

forest forest_parts::make_near() const {
  std::vector<std::byte*> parts;
  for (rank_t member = 0; member < members().size(); ++member) {
    std::byte* const part = memory().direct(member);
    parts.push_back(part == nullptr ? nullptr : part + sizeof(head));
  }
  return {elements_, each_, parts};
}

forest_parts::head& forest_parts::head_of(std::byte* part) const noexcept {
  return *reinterpret_cast<head*>(part);
}

std::array<word, 3> forest_parts::words_for(rank_t member, request what,
                                            phase_entry entry) const noexcept {
  return {memory().bits_of(member) & offset_mask, static_cast<word>(what), entry.bits()};
}

void forest_parts::check(std::uint64_t element, const char* call) const {
  if (element < elements_) [[likely]]
    return;
  throw error(call, "element " + std::to_string(element) + " does not exist",
              elements_ == 0 ? "there are no elements"
                             : "elements are 0 … " + std::to_string(elements_ - 1));
}

void forest_parts::note_access(std::uint64_t element, phase_entry entry, const char* call) const {
  std::byte* const part = memory().direct(owner(element));
  if (part != nullptr) head_of(part).record.note(call, entry);
}

meeting forest_parts::continue_there(request what, element_pair& both, phase_entry entry,
                                     const named_call& call) const {
  const rank_t member = owner(both.low);
  const auto words = words_for(member, what, entry);
  const at_owner::answered answer = at_owner::ask_with<one_pair>(
      members().world_rank(member), words, call.name, call.where, both);
  if (!answer.bytes.empty()) both = reader(answer.bytes).read<element_pair>();
  return static_cast<meeting>(answer.code);
}

bool forest_parts::unite(element_pair both, phase_entry entry, const named_call& call) const {
  for (const std::uint64_t each : {both.low, both.high}) {
    check(each, call.name);
    note(each, entry, call.name);
  }
  for (;;) {
    meeting outcome = meet(near(), true, path::halved, both);
    if (outcome == meeting::elsewhere) {
      outcome = continue_there(request::unite, both, entry, call);
    }
    if (outcome != meeting::elsewhere) return outcome == meeting::linked;
  }
}

bool forest_parts::are_together(element_pair both, path along, phase_entry entry,
                                const named_call& call) const {
  for (const std::uint64_t each : {both.low, both.high}) {
    check(each, call.name);
    note(each, entry, call.name);
  }
  const request what = along == path::halved ? request::compare : request::compare_kept;
  for (;;) {
    meeting outcome = meet(near(), false, along, both);
    if (outcome == meeting::elsewhere) outcome = continue_there(what, both, entry, call);
    if (outcome != meeting::elsewhere) return outcome == meeting::together;
  }
}

std::uint64_t forest_parts::find(std::uint64_t element, path along, phase_entry entry,
                                 const named_call& call) const {
  check(element, call.name);
  note(element, entry, call.name);
  const request what = along == path::halved ? request::find : request::find_kept;
  std::uint64_t end = element;
  for (;;) {
    runtime::direct_costs spent;
    bool is_root = find_here(near(), along, end, spent);
    runtime::count(spent);
    if (!is_root) {
      element_pair both{end, end};
      is_root = continue_there(what, both, entry, call) == meeting::together;
      end = both.low;
    }
    if (is_root) break;
  }
  if (along == path::halved && !near().is_here(end) && near().is_here(element)) {
    runtime::direct_costs spent;
    near().shorten(element, end, spent);
    runtime::count(spent);
  }
  return end;
}

std::vector<bool> forest_parts::unite_many(std::span<const element_pair> pairs, phase_entry entry,
                                           const named_call& call) const {
  struct open_pair {
    element_pair both;
    std::size_t number;
  };
  std::vector<bool> answers(pairs.size());
  std::vector<open_pair> open;
  known_unions known;
  runtime::direct_costs spent;
  const auto unite_here = [&](const open_pair& wanted) {
    open_pair left = wanted;
    const meeting outcome = near().unite(left.both, spent);
    if (outcome == meeting::elsewhere) {
      open.push_back(left);
    } else {
      answers[left.number] = outcome == meeting::linked;
    }
  };
  for (const element_pair& each : pairs) {
    for (const std::uint64_t element : {each.low, each.high}) {
      check(element, call.name);
      note(element, entry, call.name);
    }
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i + ahead < pairs.size()) {
      near().prefetch(pairs[i + ahead].low);
      near().prefetch(pairs[i + ahead].high);
    }
    unite_here({pairs[i], i});
  }
  // A pair that follows from others of this call unites nothing.
  std::erase_if(open, [&](const open_pair& each) { return !known.add(each.both); });
  const auto words_of = [&](rank_t member) { return words_for(member, request::unite, entry); };
  while (!open.empty()) {
    const std::vector<open_pair> sent = std::exchange(open, {});
    at_owner::many<many_pairs, decltype(words_of)> elsewhere(members(), words_of, call.name,
                                                             call.where);
    for (std::size_t i = 0; i < sent.size(); ++i) {
      elsewhere.add(owner(sent[i].both.low), i, sent[i].both);
    }
    elsewhere.finish([&](const at_owner::answered_item& answer) {
      const std::size_t number = sent[answer.number].number;
      if (answer.value != nullptr) {
        unite_here({answer.value->read<element_pair>(), number});
      } else {
        answers[number] = static_cast<meeting>(answer.code) == meeting::linked;
      }
    });
  }
  runtime::count(spent);
  return answers;
}

void forest_parts::find_many(std::span<const std::uint64_t> elements,
                             std::span<std::uint64_t> roots, path along, phase_entry entry,
                             const named_call& call) const {
  root_search search(*this, along, entry, call);
  runtime::direct_costs spent;
  bool all_here = true;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i + ahead < elements.size() && elements[i + ahead] < elements_) {
      near().prefetch(elements[i + ahead]);
    }
    check(elements[i], call.name);
    note(elements[i], entry, call.name);
    roots[i] = elements[i];
    if (find_here(near(), along, roots[i], spent)) continue;
    search.add(roots[i]);
    all_here = false;
  }
  if (!all_here) {
    search.run();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (near().is_here(roots[i])) continue;
      roots[i] = search.root_of(roots[i]);
      if (along == path::halved && near().is_here(elements[i])) {
        near().shorten(elements[i], roots[i], spent);
      }
    }
  }
  runtime::count(spent);
}

std::uint64_t forest_parts::send(known_unions& known, phase_entry entry,
                                 const named_call& call) const {
  const auto words_of = [&](rank_t member) { return words_for(member, request::unite, entry); };
  std::uint64_t links = 0;
  std::vector<element_pair> sent;
  known.take_unsent(sent);
  while (!sent.empty()) {
    // Noted apart from `known`: a pair must not be omitted for pairs that depend on it.
    known_unions left;
    at_owner::many<many_pairs, decltype(words_of)> elsewhere(members(), words_of, call.name,
                                                             call.where);
    runtime::direct_costs spent;
    const auto unite_here = [&](element_pair both) {
      const meeting outcome = near().unite(both, spent);
      if (outcome == meeting::linked) ++links;
      if (outcome == meeting::elsewhere) left.add(both);
    };
    for (const element_pair& each : sent) {
      if (near().is_here(each.low)) {
        unite_here(each);
      } else {
        elsewhere.add(owner(each.low), 0, each);
      }
    }
    elsewhere.finish([&](const at_owner::answered_item& answer) {
      if (answer.value != nullptr) {
        unite_here(answer.value->read<element_pair>());
      } else if (static_cast<meeting>(answer.code) == meeting::linked) {
        ++links;
      }
    });
    runtime::count(spent);
    left.take_unsent(sent);
  }
  return links;
}

void forest_parts::begin_collective(const named_call& call) const {
  global::require_same_object(members(), call.name, memory().identity(), call.where);
  finish_open();
  members().barrier(call.where);
}

void forest_parts::compress(const named_call& call) const {
  const runtime::failures_held until_all_is_done;
  runtime::require_no_served_call(call.name);
  begin_collective(call);
  constexpr std::size_t most = std::size_t{1} << 16;
  runtime::direct_costs spent;
  std::vector<std::uint64_t> others;  // with roots on other nodes
  const auto shorten_others = [&] {
    std::vector<std::uint64_t> roots(others.size());
    find_many(others, roots, path::halved, phase_entry(0), call);
    for (std::size_t i = 0; i < others.size(); ++i) near().shorten(others[i], roots[i], spent);
    others.clear();
  };
  near().compress(first(), count(), spent, [&](std::uint64_t element) {
    others.push_back(element);
    if (others.size() == most) shorten_others();
  });
  shorten_others();
  runtime::count(spent);
  members().barrier(call.where);
}

std::uint64_t forest_parts::set_count(const named_call& call) const {
  const runtime::failures_held until_all_is_done;
  begin_collective(call);
  return members().allreduce(near().count_roots(first(), count()), op::sum, call.where);
}

void forest_parts::clear(const named_call& call) const {
  const runtime::failures_held until_all_is_done;
  begin_collective(call);
  near().make_singletons(first(), count());
  members().barrier(call.where);
}

}  // namespace acre::container
