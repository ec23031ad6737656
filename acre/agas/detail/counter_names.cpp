// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/counter_names.hpp>

#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/unknown_counters.hpp>
#include <acre/base/error.hpp>
#include <acre/global/rpc/rpc.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace acre::agas {
namespace {

using reading = std::uint64_t (*)(const agas_snapshot&);

template <agas_counted... Kinds>
std::uint64_t sum_of_counts(const agas_snapshot& of) {
  return (std::uint64_t{0} + ... + of.counts[static_cast<std::size_t>(Kinds)]);
}
template <agas_timed... Kinds>
std::uint64_t sum_of_times(const agas_snapshot& of) {
  return (std::uint64_t{0} + ... + of.nanoseconds[static_cast<std::size_t>(Kinds)]);
}
std::uint64_t hints_now(const agas_snapshot& of) { return of.hints; }
std::uint64_t waiting_credit_now(const agas_snapshot& of) { return of.waiting_credit; }

struct named_reading {
  agas_counter_name name;
  reading value;
};

using done = agas_counted;
using times = agas_timed;

constexpr reading resolves =
    sum_of_counts<done::resolve_here, done::resolve_by_note, done::resolve_by_directory,
                  done::resolve_by_hint, done::resolve_by_home>;
constexpr reading cache_hits = sum_of_counts<done::resolve_by_hint, done::route_by_hint>;
constexpr reading cache_misses = sum_of_counts<done::cache_miss, done::route_by_home>;

constexpr auto readings = std::to_array<named_reading>({
    {{"count/allocate", "", "names assigned to objects created here; each is bound immediately"},
     sum_of_counts<done::bind>},
    {{"count/bind_gid", "", "objects added to the directory here"}, sum_of_counts<done::bind>},
    {{"count/unbind_gid", "", "objects removed from the directory here"},
     sum_of_counts<done::unbind>},
    {{"count/resolve_gid", "", "calls of this rank whose object was looked up here"}, resolves},
    {{"count/route", "", "calls that arrived here and were forwarded"}, sum_of_counts<done::route>},
    {{"count/increment_credit", "", "requests for more credit answered here, at the home"},
     sum_of_counts<done::increment_credit>},
    {{"count/decrement_credit", "", "objects whose credit was returned here, to their home"},
     sum_of_counts<done::decrement_credit>},
    {{"count/begin_migration", "", "objects that left for another rank"},
     sum_of_counts<done::move_asked, done::move_returned>},
    {{"count/end_migration", "", "objects that arrived from another rank"},
     sum_of_counts<done::move_ended>},
    {{"count/bind_name", "", "object types that received their number"},
     sum_of_counts<done::type_bind>},
    {{"count/resolve_id", "", "types looked up by number, locally"},
     sum_of_counts<done::type_resolve>},
    {{"count/get_component_typename", "", "names of types, for errors and reports"},
     sum_of_counts<done::type_name>},
    {{"count/bind", "", "register_name() of names stored here"}, sum_of_counts<done::symbol_bind>},
    {{"count/resolve", "", "resolve() of names stored here"}, sum_of_counts<done::symbol_resolve>},
    {{"count/unbind", "", "unregister_name() of names stored here"},
     sum_of_counts<done::symbol_unbind>},
    {{"count/iterate_names", "", "prefix searches among the names stored here"},
     sum_of_counts<done::symbol_iterate>},
    {{"count/on_symbol_namespace_event", "", "resolve_when_registered() of names stored here"},
     sum_of_counts<done::symbol_event>},
    {{"count/cache/entries", "", "current hints about the places of objects"}, hints_now},
    {{"count/cache/hits", "", "lookups of remote objects with a hint"}, cache_hits},
    {{"count/cache/misses", "",
      "lookups without a hint of objects that had left their home: each is a forwarded call. Hints "
      "report them: up to 7 per object are reported by the next hint only"},
     cache_misses},
    {{"count/cache/evictions", "", "hints evicted because the cache was full"},
     sum_of_counts<done::cache_evict>},
    {{"count/cache/insertions", "", "hints about objects without an earlier hint"},
     sum_of_counts<done::cache_insert>},
    {{"count/cache/get_entry", "",
      "lookups of hints: hits, misses, and objects that were at their home"},
     sum_of_counts<done::resolve_by_hint, done::route_by_hint, done::resolve_by_home,
                   done::route_by_home>},
    {{"count/cache/insert_entry", "", "hints about objects without an earlier hint"},
     sum_of_counts<done::cache_insert>},
    {{"count/cache/update_entry", "", "hints that replaced an earlier hint"},
     sum_of_counts<done::cache_update>},
    {{"count/cache/erase_entry", "", "hints dropped because the object arrived here"},
     sum_of_counts<done::cache_erase>},
    {{"primary/count", "", "all of bind_gid to end_migration"},
     sum_of_counts<done::bind, done::unbind, done::resolve_here, done::resolve_by_note,
                   done::resolve_by_directory, done::resolve_by_hint, done::resolve_by_home,
                   done::route, done::increment_credit, done::decrement_credit, done::move_asked,
                   done::move_returned, done::move_ended>},
    {{"component/count", "", "all about types"},
     sum_of_counts<done::type_bind, done::type_resolve, done::type_name>},
    {{"symbol/count", "", "all about user-defined names"},
     sum_of_counts<done::symbol_bind, done::symbol_resolve, done::symbol_unbind,
                   done::symbol_iterate, done::symbol_event>},
    {{"time/allocate", "ns", "assigning names, and adding them to the directory"},
     sum_of_times<times::bind>},
    {{"time/bind_gid", "ns", "assigning names, and adding them to the directory"},
     sum_of_times<times::bind>},
    {{"time/unbind_gid", "ns", "freeing names"}, sum_of_times<times::unbind>},
    {{"time/resolve_gid", "ns", "looking up objects of calls of this rank"},
     sum_of_times<times::resolve>},
    {{"time/route", "ns", "forwarding, including the send"}, sum_of_times<times::route>},
    {{"time/increment_credit", "ns", "issuing more credit"}, sum_of_times<times::increment_credit>},
    {{"time/decrement_credit", "ns",
      "accepting returned credit, including the messages to objects that end"},
     sum_of_times<times::decrement_credit>},
    {{"time/begin_migration", "ns", "serialising states and sending them"},
     sum_of_times<times::begin_migration>},
    {{"time/end_migration", "ns", "deserialising states, and notifying the home"},
     sum_of_times<times::end_migration>},
    {{"time/resolve_id", "ns", "looking up types"}, sum_of_times<times::type_resolve>},
    {{"time/get_component_typename", "ns", "forming names of types"},
     sum_of_times<times::type_name>},
    {{"time/bind", "ns", "register_name() at the rank that stores the name"},
     sum_of_times<times::symbol_bind>},
    {{"time/resolve", "ns", "resolve() at the rank that stores the name"},
     sum_of_times<times::symbol_resolve>},
    {{"time/unbind", "ns", "unregister_name() at the rank that stores the name"},
     sum_of_times<times::symbol_unbind>},
    {{"time/iterate_names", "ns", "prefix searches at the ranks that store the names"},
     sum_of_times<times::symbol_iterate>},
    {{"time/on_symbol_namespace_event", "ns", "resolve_when_registered(), without the wait"},
     sum_of_times<times::symbol_event>},
    {{"time/cache/get_entry", "ns", "looking up hints; part of resolve_gid and route"},
     sum_of_times<times::cache_get>},
    {{"time/cache/insert_entry", "ns", "storing new hints, including evictions"},
     sum_of_times<times::cache_insert>},
    {{"time/cache/update_entry", "ns", "replacing hints"}, sum_of_times<times::cache_update>},
    {{"time/cache/erase_entry", "ns",
      "dropping hints about objects that arrive; part of end_migration"},
     sum_of_times<times::cache_erase>},
    {{"primary/time", "ns", "all of bind_gid to end_migration"},
     sum_of_times<times::bind, times::unbind, times::resolve, times::route, times::increment_credit,
                  times::decrement_credit, times::begin_migration, times::end_migration>},
    {{"component/time", "ns", "all about types"},
     sum_of_times<times::type_resolve, times::type_name>},
    {{"symbol/time", "ns", "all about user-defined names"},
     sum_of_times<times::symbol_bind, times::symbol_resolve, times::symbol_unbind,
                  times::symbol_iterate, times::symbol_event>},
    {{"count/resolve_gid/here", "", "of resolve_gid: the object was on this rank"},
     sum_of_counts<done::resolve_here>},
    {{"count/resolve_gid/note", "", "of resolve_gid: the object had just left this rank"},
     sum_of_counts<done::resolve_by_note>},
    {{"count/resolve_gid/directory", "", "of resolve_gid: this rank is its home"},
     sum_of_counts<done::resolve_by_directory>},
    {{"count/resolve_gid/hint", "", "of resolve_gid: by a hint"},
     sum_of_counts<done::resolve_by_hint>},
    {{"count/resolve_gid/home", "", "of resolve_gid: place unknown, sent through its home"},
     sum_of_counts<done::resolve_by_home>},
    {{"count/decrement_credit/batches", "",
      "messages with credit that arrived here, including own ones"},
     sum_of_counts<done::decrement_credit_batch>},
    {{"count/credit/batches", "", "messages with credit sent by this rank"},
     sum_of_counts<done::credit_batch_sent>},
    {{"count/credit/waiting", "", "objects whose credit waits here for the threshold, now"},
     waiting_credit_now},
    {{"count/hints/sent", "", "hints sent to callers whose calls arrived by a detour"},
     sum_of_counts<done::hint_sent>},
    {{"count/migration/asked", "", "objects that left because the program requested it"},
     sum_of_counts<done::move_asked>},
    {{"count/migration/returned", "", "objects sent back because they could not be created here"},
     sum_of_counts<done::move_returned>},
    {{"count/migration/refused", "", "moves that an object refused"},
     sum_of_counts<done::move_refused>},
    {{"count/calls/delivered", "", "calls that started to run here"},
     sum_of_counts<done::call_delivered>},
    {{"count/calls/forwards", "", "forwards of delivered calls, in total"},
     sum_of_counts<done::call_hops>},
    {{"count/calls/most_forwards", "", "most forwards of one delivered call"},
     sum_of_counts<done::most_call_hops>},
    {{"count/calls/early", "", "calls that arrived before one issued earlier"},
     sum_of_counts<done::call_early>},
    {{"count/calls/gathered", "", "calls sent in one message with others"},
     sum_of_counts<done::call_gathered>},
    {{"count/calls/batches", "", "messages with several calls"},
     sum_of_counts<done::call_batch_sent>},
    {{"count/calls/kept", "", "calls kept by the home until their object had arrived"},
     sum_of_counts<done::call_kept>},
    {{"count/calls/moved_along", "", "calls that waited for an object and moved with it"},
     sum_of_counts<done::call_moved_along>},
});

constexpr auto counter_names = [] {
  std::array<agas_counter_name, readings.size()> all;
  std::ranges::transform(readings, all.begin(), &named_reading::name);
  return all;
}();

bool take_front(std::string_view& from, std::string_view front) {
  if (!from.starts_with(front)) return false;
  from.remove_prefix(front.size());
  return true;
}

std::pair<rank_t, rank_t> parse_ranks(std::string_view name, std::string_view& rest) {
  if (!take_front(rest, "{")) return {rank(), rank() + 1};
  if (!take_front(rest, "locality#"))
    refuse_counter_name(name, "the braces must begin with locality#");
  std::pair<rank_t, rank_t> ranks(0, size());
  if (!take_front(rest, "*")) {
    const auto [end, problem] =
        std::from_chars(rest.data(), rest.data() + rest.size(), ranks.first);
    if (problem != std::errc())
      refuse_counter_name(name, "locality# must be followed by a rank or a star");
    if (ranks.first >= size()) {
      refuse_counter_name(
          name, "the rank is out of range, the job has " + std::to_string(size()) + " ranks");
    }
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    ranks.second = ranks.first + 1;
  }
  if (!take_front(rest, "/total}"))
    refuse_counter_name(name, "the only instance of a rank is total");
  return ranks;
}

std::vector<std::size_t> counters_like(std::string_view name, std::string_view wanted) {
  const bool is_open = wanted.ends_with('*');
  if (is_open) wanted.remove_suffix(1);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < counter_names.size(); ++i) {
    const std::string_view counter = counter_names[i].counter;
    if (is_open ? counter.starts_with(wanted) : counter == wanted) found.push_back(i);
  }
  if (found.empty()) refuse_counter_name(name, why_unknown(wanted, counter_names));
  return found;
}

}  // namespace

agas_snapshot take_agas_snapshot() {
  agas_snapshot now;
  now.nanoseconds = agas_nanoseconds();
  now.waiting_credit = objects_with_waiting_credit();
  const held_lock hold(space().lock);
  now.counts = agas_count_table;
  now.hints = space().hints.size();
  return now;
}

std::span<const agas_counter_name> all_counter_names() noexcept { return counter_names; }

void refuse_counter_name(std::string_view name, const std::string& why) {
  throw error(
      "read_agas_counters", "\"" + std::string(name) + "\" is not a counter: " + why,
      "write for example \"/agas{locality#*/total}/count/route\"; agas_counter_names() lists all");
}

std::uint64_t value_of_counter(std::size_t counter, const agas_snapshot& of) {
  return readings[counter].value(of);
}

agas_counter_choice read_counter_name(std::string_view name) {
  std::string_view rest = name;
  if (!take_front(rest, "/agas")) refuse_counter_name(name, "it does not begin with /agas");
  const auto [first, end] = parse_ranks(name, rest);
  if (!take_front(rest, "/")) refuse_counter_name(name, "the counter after the rank is missing");
  if (rest.find('@') != std::string_view::npos) refuse_counter_name(name, "it takes no parameters");
  return {.first = first, .end = end, .counters = counters_like(name, rest)};
}

std::vector<rank_snapshot> ask_for_snapshots(std::span<const agas_counter_choice> choices) {
  std::vector<std::pair<rank_t, future<agas_snapshot>>> asked;
  for (rank_t r = 0; r < size(); ++r) {
    const bool is_wanted = std::ranges::any_of(
        choices, [&](const agas_counter_choice& each) { return each.first <= r && r < each.end; });
    if (is_wanted && r != rank()) asked.emplace_back(r, rpc(r, take_agas_snapshot));
    if (is_wanted && r == rank()) asked.emplace_back(r, make_ready_future(take_agas_snapshot()));
  }
  std::vector<rank_snapshot> all;
  all.reserve(asked.size());
  for (auto& [r, answer] : asked) all.push_back({r, answer.get()});
  return all;
}

}  // namespace acre::agas
