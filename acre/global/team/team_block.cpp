// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/team_block.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/base/hash_bytes.hpp>
#include <acre/global/team/detail/roll_call.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/memory.hpp>

#include <algorithm>
#include <string>

namespace acre {
namespace {

struct offer {
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t first;
  std::uint64_t name;
  std::uint64_t digest;  ///< of everything that must agree
};

constexpr const char* together =
    "create a container on all members of a team, with equal arguments";

struct complaint {
  std::string problem;
  std::string advice;
};

std::string who_differs(const team& members, const std::vector<offer>& offers,
                        std::uint64_t offer::* what, const char* name, const std::string& unit) {
  const auto other = std::ranges::find_if(
      offers, [&](const offer& each) { return each.*what != offers[0].*what; });
  if (other == offers.end()) return {};
  const auto tell = [&](const offer& each) {
    const auto member = static_cast<rank_t>(&each - offers.data());
    return std::to_string(each.*what) + unit + " on rank " +
           std::to_string(members.world_rank(member));
  };
  return std::string("the ") + name + " differ: " + tell(offers[0]) + ", " + tell(*other);
}

complaint find_fault(const team& members, const std::vector<offer>& offers, common_size asked,
                     const global::common_call& mine) {
  const auto differ = [&](std::uint64_t offer::* what) {
    return std::ranges::any_of(offers,
                               [&](const offer& each) { return each.*what != offers[0].*what; });
  };
  if (differ(&offer::name)) global::throw_calls_differ(members, mine);
  const std::string unit = std::string(" ") + asked.unit;
  std::string difference = who_differs(members, offers, &offer::first, "hosts", "");
  if (difference.empty()) difference = who_differs(members, offers, &offer::size, "sizes", unit);
  if (!difference.empty()) {
    return {difference, together};
  }
  if (differ(&offer::digest)) global::throw_calls_differ(members, mine);
  if (offers[0].first >= members.size()) {
    return {"the host, member " + std::to_string(offers[0].first) +
                ", is out of range in a team of " + std::to_string(members.size()) + " members",
            "a host is a member number of the team: 0 … size() - 1"};
  }
  if (const auto as_signed = static_cast<std::int64_t>(offers[0].size); as_signed < 0) {
    return {"the size of " + std::to_string(as_signed) + unit + " is negative",
            "sizes must be at least 0 and below 2^63: check its computation"};
  }
  return {};
}

}  // namespace

namespace {

std::uint64_t identity_here(const team& members) {
  return mix_bits(global::id_of(members) + mix_bits(members.phase() + 1));
}

}  // namespace

team_block::team_block(const team& members, std::byte* mine, owner whose)
    : mine_(mine), owner_(whose), identity_(identity_here(members)) {}

team_block& team_block::operator=(team_block&& other) noexcept {
  if (this == &other) return *this;
  free();
  mine_ = std::exchange(other.mine_, nullptr);
  owner_ = other.owner_;
  identity_ = other.identity_;
  return *this;
}

team_block::~team_block() { free(); }

void team_block::free() noexcept {
  if (owner_ == owner::team) runtime::free_private(mine_);
}

std::vector<std::uint64_t> team_block::allocate(const team& members, holders who, std::size_t bytes,
                                                std::size_t alignment, const char* call,
                                                common_size asked, const site& where) {
  const runtime::failures_held until_all_is_done;
  const auto holds = [who](rank_t member) { return member - who.first < who.number; };
  global::common_call mine(call, where);
  mine.with(asked.unit, asked.number).with_identity("the extents or the pattern", asked.shape);
  if (asked.type != nullptr) mine.with_type("of", *asked.type);
  offer told{.offset = 0,
             .size = asked.number,
             .first = who.first,
             .name = base::hash_bytes(call),
             .digest = mine.digest()};
  complaint no_room;
  if (holds(members.rank())) {
    try {
      mine_ = static_cast<std::byte*>(runtime::allocate_private(
          std::max<std::size_t>(bytes, 1), std::max<std::size_t>(alignment, 64)));
      told.offset = runtime::segment_offset(mine_);
    } catch (const error& full) {
      no_room = {full.problem(), full.advice()};
    }
  }
  const auto offers =
      global::in_the_name_of(call, where, [&] { return members.allgather(told, where); });
  identity_ = identity_here(members);
  const complaint fault = find_fault(members, offers, asked, mine);
  if (!fault.problem.empty()) throw error(call, fault.problem, fault.advice);
  const std::uint64_t segment_bytes = runtime::world.segment_bytes;
  std::vector<std::uint64_t> offsets;
  for (const offer& each : offers) {
    const auto member = static_cast<rank_t>(offsets.size());
    if (holds(member) && each.offset == 0) {
      if (no_room.problem.empty()) {
        no_room = {"rank " + std::to_string(members.world_rank(member)) + " is out of memory",
                   "see the message of that rank"};
      }
      throw error(call, no_room.problem, no_room.advice);
    }
    if (each.offset >= segment_bytes || (holds(member) && bytes > segment_bytes - each.offset)) {
      throw error(call, "rank " + std::to_string(members.world_rank(member)) +
                            " sent a block address outside its memory");
    }
    offsets.push_back(each.offset);
  }
  return offsets;
}

}  // namespace acre
