#include <acre/global/hosted_memory.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/memory.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace acre::detail {
namespace {

/// What a member tells the others.
struct offer {
  std::uint64_t offset;  ///< of the block; 0, which is never allocated, when there is none here
  std::uint64_t size;    ///< that it was asked for
  std::uint64_t host;
};

struct complaint {
  std::string problem;
  std::string advice;
};

/// Where the first member stands that differs from member 0, and what both said.
template <class Member>
std::string who_differs(const team& members, const std::vector<offer>& offers, Member what,
                        const std::string& name, const std::string& unit) {
  const auto other = std::ranges::find_if(
      offers, [&](const offer& each) { return each.*what != offers[0].*what; });
  if (other == offers.end()) return {};
  const auto member = static_cast<rank_t>(other - offers.begin());
  const auto tell = [&](rank_t which) {
    return std::to_string(offers[which].*what) + unit + " on rank " +
           std::to_string(members.world_rank(which));
  };
  return "the " + name + " differ: " + tell(0) + ", " + tell(member);
}

/// What is wrong with what the members ask for; the same on all of them.
complaint find_fault(const team& members, const std::vector<offer>& offers,
                     hosted_memory::common_size asked) {
  const std::string unit = std::string(" ") + asked.unit;
  std::string difference = who_differs(members, offers, &offer::host, "hosts", "");
  if (difference.empty()) difference = who_differs(members, offers, &offer::size, "sizes", unit);
  if (!difference.empty()) {
    return {difference, "all members of a team make a container together, of one size and host"};
  }
  if (offers[0].host >= members.size()) {
    return {"member " + std::to_string(offers[0].host) + " was to be the host, and the team has " +
                std::to_string(members.size()) + " members",
            "hosts are numbered in the team: 0 … size() - 1"};
  }
  if (offers[0].size < asked.least) {
    return {"a size of " + std::to_string(offers[0].size) + unit + " holds nothing",
            "ask for at least " + std::to_string(asked.least)};
  }
  if (offers[offers[0].host].offset == 0) {
    return {"rank " + std::to_string(members.world_rank(static_cast<rank_t>(offers[0].host))) +
                ", the host, has no room",
            "its own message says more"};
  }
  return {};
}

}  // namespace

hosted_memory::hosted_memory(const team& members, hosted_by host, std::size_t bytes,
                             std::size_t alignment, const char* call, common_size asked) {
  const runtime::failures_held until_all_is_done;
  complaint mine;
  offer told{.offset = 0, .size = asked.number, .host = host.member};
  if (members.rank() == host.member && asked.number >= asked.least) {
    try {
      mine_ = static_cast<std::byte*>(runtime::allocate_private(
          std::max<std::size_t>(bytes, 1), std::max<std::size_t>(alignment, 64)));
      told.offset = runtime::segment_offset(mine_);
    } catch (const error& full) {
      mine = {full.problem(), full.advice()};
    }
  }
  const auto offers = members.allgather(told);
  const complaint common = find_fault(members, offers, asked);
  if (!common.problem.empty()) {
    runtime::free_private(mine_);
    mine_ = nullptr;
    const complaint& most_telling = mine.problem.empty() ? common : mine;
    throw error(call, most_telling.problem, most_telling.advice);
  }
  bits_ =
      std::uint64_t{members.world_rank(host.member)} << offset_bits | offers[host.member].offset;
}

hosted_memory::~hosted_memory() { runtime::free_private(mine_); }

}  // namespace acre::detail
