// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/team.hpp>

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/detail/roll_call.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace acre {

namespace global {

void throw_no_team() {
  throw error(
      "team", "this handle of a team is empty",
      "it was default-constructed, or returned by split() with a negative color: test it first");
}

void throw_no_member(const char* call, rank_t root, rank_t size) {
  throw error(
      call,
      "member " + std::to_string(root) + " is out of range in this team of " + std::to_string(size),
      "members are numbered from 0 to size()-1; member(rank) converts a rank of the job");
}

void throw_no_elements(const char* call, std::size_t member, std::size_t bytes,
                       std::size_t element_bytes) {
  throw error(call,
              "member " + std::to_string(member) + " of the team sent " + std::to_string(bytes) +
                  " bytes, but an element has " + std::to_string(element_bytes),
              "pass elements of the same type on all members");
}

void throw_bad_parts(const char* call, std::size_t elements, rank_t size) {
  throw error(call,
              std::to_string(elements) + " elements cannot be divided among a team of " +
                  std::to_string(size),
              "pass equally many for each member (alltoall), or one part for each (alltoallv)");
}

void require_counts(std::size_t elements, std::span<const std::size_t> counts, rank_t size) {
  const char* const advice = "pass the number of elements of each member, in their order";
  if (counts.size() != size) {
    throw error("alltoallv",
                "there are " + std::to_string(counts.size()) + " counts for a team of " +
                    std::to_string(size),
                advice);
  }
  std::size_t rest = elements;
  for (const std::size_t count : counts) {
    if (count > rest) {
      throw error("alltoallv",
                  "the counts add up to more than the " + std::to_string(elements) + " elements",
                  advice);
    }
    rest -= count;
  }
  if (rest == 0) return;
  throw error("alltoallv",
              "the counts add up to " + std::to_string(elements - rest) + ", but there are " +
                  std::to_string(elements) + " elements",
              advice);
}

const team_ref& reference_of(const team& members) { return team_maker::reference_of(members); }
std::uint64_t id_of(const team& members) { return reference_of(members)->id; }

namespace {

struct membership {
  int color;
  int key;
  std::uint32_t number;
};

}  // namespace
}  // namespace global

rank_t team::world_rank(rank_t member) const {
  if (member >= state().size) global::throw_no_member("team::world_rank", member, state().size);
  return state().world_rank(member);
}

std::optional<rank_t> team::member(rank_t world_rank) const {
  const auto& members = state().members;
  if (members.empty()) {
    if (world_rank >= state().size) return std::nullopt;
    return world_rank;
  }
  const auto found = std::ranges::find(members, world_rank);
  if (found == members.end()) return std::nullopt;
  return static_cast<rank_t>(found - members.begin());
}

rank_t team::find_number(acre::member who) const {
  const auto found = member(who.world_rank());
  if (!found) {
    throw error("team::number_of", "rank " + std::to_string(who.world_rank()) +
                                       " of the job is not in this team of " +
                                       std::to_string(size()));
  }
  return *found;
}

team team::split(int color, int key, const site& where) const {
  const runtime::failures_held until_all_is_done;
  const auto all = global::in_the_name_of("team::split", where, [&] {
    return allgather(
        global::membership{.color = color, .key = key, .number = global::reserve_team_number()},
        where);
  });
  if (color < 0) return {};
  std::vector<rank_t> chosen;
  for (rank_t r = 0; r < size(); ++r) {
    if (all[r].color == color) chosen.push_back(r);
  }
  std::ranges::sort(chosen, {}, [&](rank_t r) { return std::pair(all[r].key, r); });
  const std::uint32_t number = all[chosen[0]].number;
  for (rank_t& each : chosen) each = world_rank(each);
  return global::team_maker::make(std::move(chosen), number);
}

void team::barrier(const site& where) const {
  global::run_barrier(reference(), where);
  runtime::rethrow_lost_failure();
}

future<> team::barrier_async() const { return global::start_barrier(reference()); }

}  // namespace acre
