#include <acre/global/team_block.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/global/detail/roll_call.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/memory.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace acre {
namespace {

/// What a member tells the others.
struct offer {
  std::uint64_t offset;  ///< of its block; 0, which is never allocated, when there is none
  std::uint64_t size;    ///< that it was asked for
  std::uint64_t first;   ///< of those who are to hold a block
  std::uint64_t call;    ///< the name of who asks, as a number
  std::uint64_t shape;
};

std::uint64_t number_of(std::string_view name) noexcept {
  std::uint64_t hash = name.size();
  for (const char letter : name) hash = mix_bits(hash ^ static_cast<unsigned char>(letter));
  return hash;
}

constexpr const char* together = "all members of a team make a container together, alike";

struct complaint {
  std::string problem;
  std::string advice;
};

/// Where the first member stands that differs from member 0, and what both said.
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

/// What is wrong with what the members ask for; the same on all of them.
complaint find_fault(const team& members, const std::vector<offer>& offers, common_size asked) {
  const auto other =
      std::ranges::find_if(offers, [&](const offer& each) { return each.call != offers[0].call; });
  if (other != offers.end()) {
    return {"ranks " + std::to_string(members.world_rank(0)) + " and " +
                std::to_string(members.world_rank(static_cast<rank_t>(other - offers.begin()))) +
                " make different ones",
            together};
  }
  const std::string unit = std::string(" ") + asked.unit;
  std::string difference = who_differs(members, offers, &offer::first, "hosts", "");
  if (difference.empty()) difference = who_differs(members, offers, &offer::size, "sizes", unit);
  if (!difference.empty()) {
    return {difference, together};
  }
  const auto shaped = std::ranges::find_if(
      offers, [&](const offer& each) { return each.shape != offers[0].shape; });
  if (shaped != offers.end()) {
    return {"ranks " + std::to_string(members.world_rank(0)) + " and " +
                std::to_string(members.world_rank(static_cast<rank_t>(shaped - offers.begin()))) +
                " ask for other extents, or other patterns",
            together};
  }
  if (offers[0].first >= members.size()) {
    return {"member " + std::to_string(offers[0].first) + " was to be the host, and the team has " +
                std::to_string(members.size()) + " members",
            "hosts are numbered in the team: 0 … size() - 1"};
  }
  if (offers[0].size < asked.least) {
    return {"a size of " + std::to_string(offers[0].size) + unit + " holds nothing",
            "ask for at least " + std::to_string(asked.least)};
  }
  return {};
}

}  // namespace

team_block& team_block::operator=(team_block&& other) noexcept {
  if (this == &other) return *this;
  free();
  mine_ = std::exchange(other.mine_, nullptr);
  owner_ = other.owner_;
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
  offer told{.offset = 0,
             .size = asked.number,
             .first = who.first,
             .call = number_of(call),
             .shape = asked.shape};
  complaint no_room;
  if (holds(members.rank()) && asked.number >= asked.least) {
    try {
      mine_ = static_cast<std::byte*>(runtime::allocate_private(
          std::max<std::size_t>(bytes, 1), std::max<std::size_t>(alignment, 64)));
      told.offset = runtime::segment_offset(mine_);
    } catch (const error& full) {
      no_room = {full.problem(), full.advice()};
    }
  }
  const auto offers =
      detail::in_the_name_of(call, where, [&] { return members.allgather(told, where); });
  const complaint fault = find_fault(members, offers, asked);
  if (!fault.problem.empty()) throw error(call, fault.problem, fault.advice);
  const std::uint64_t segment_bytes = runtime::world.segment_bytes;
  std::vector<std::uint64_t> offsets;
  for (const offer& each : offers) {
    const auto member = static_cast<rank_t>(offsets.size());
    if (holds(member) && each.offset == 0) {
      if (no_room.problem.empty()) {
        no_room = {"rank " + std::to_string(members.world_rank(member)) + " has no room",
                   "its own message says more"};
      }
      throw error(call, no_room.problem, no_room.advice);
    }
    if (each.offset >= segment_bytes || (holds(member) && bytes > segment_bytes - each.offset)) {
      throw error(call, "rank " + std::to_string(members.world_rank(member)) +
                            " names a block that is not in its memory");
    }
    offsets.push_back(each.offset);
  }
  return offsets;
}

}  // namespace acre
