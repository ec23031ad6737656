#include <acre/global/team_memory.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/job.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/memory.hpp>

#include <algorithm>
#include <exception>
#include <string>

namespace acre::detail {
namespace {

/// What a member tells the others.
struct offer {
  std::uint64_t offset;  ///< of its block; 0, which is never allocated, when there was no room
  std::uint64_t size;    ///< that it was asked for
};

std::string who_differs(const team& members, const std::vector<offer>& offers, const char* unit) {
  const auto other =
      std::ranges::find_if(offers, [&](const offer& each) { return each.size != offers[0].size; });
  if (other == offers.end()) return {};
  const auto member = static_cast<rank_t>(other - offers.begin());
  const auto tell = [&](rank_t which) {
    return std::to_string(offers[which].size) + " " + unit + " on rank " +
           std::to_string(members.world_rank(which));
  };
  return "the sizes differ: " + tell(0) + ", " + tell(member);
}

}  // namespace

team_memory::team_memory(const team& members, std::size_t bytes, std::size_t alignment,
                         const char* call, common_size asked) {
  const runtime::failures_held until_all_is_done;
  std::string problem;
  std::string advice;
  try {
    mine_ = static_cast<std::byte*>(
        runtime::allocate_private(bytes, std::max<std::size_t>(alignment, 64)));
    offset_ = runtime::segment_offset(mine_);
  } catch (const error& full) {
    problem = full.problem();
    advice = full.advice();
  }
  const auto offers = members.allgather(offer{.offset = offset_, .size = asked.number});
  const auto failed = std::ranges::find(offers, std::uint64_t{0}, &offer::offset);
  const std::string difference = who_differs(members, offers, asked.unit);
  if (failed != offers.end() || !difference.empty()) {
    runtime::free_private(mine_);
    mine_ = nullptr;
    if (!difference.empty()) {
      problem = difference;
      advice = "all members of a team make a container together, of one size";
    } else if (problem.empty()) {
      const auto member = static_cast<rank_t>(failed - offers.begin());
      problem = "rank " + std::to_string(members.world_rank(member)) + " has no room";
      advice = "its own message says more";
    }
    throw error(call, problem, advice);
  }
  const bool all_equal =
      std::ranges::all_of(offers, [this](const offer& each) { return each.offset == offset_; });
  if (!all_equal || !members.is_world()) {
    for (rank_t member = 0; member < offers.size(); ++member) {
      blocks_.push_back(std::uint64_t{members.world_rank(member)} << offset_bits |
                        offers[member].offset);
    }
  }
  note_mapped(members.size());
}

void team_memory::note_mapped(rank_t members) {
  if (members > runtime::node_size()) return;
  auto mapped = std::make_unique<std::byte*[]>(members);
  for (rank_t member = 0; member < members; ++member) {
    mapped[member] = runtime::direct_address(bits_of(member));
    if (mapped[member] == nullptr) return;
  }
  mapped_ = std::move(mapped);
}

team_memory::~team_memory() { runtime::free_private(mine_); }

collective_end::collective_end() noexcept : exceptions_(std::uncaught_exceptions()) {}

bool collective_end::is_orderly() const noexcept {
  return size() != 0 && !runtime::job_is_abandoned() && std::uncaught_exceptions() <= exceptions_;
}

bool collective_end::await_others(const team& members) const noexcept {
  if (!is_orderly()) return false;
  try {
    members.barrier();
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
  return true;
}

}  // namespace acre::detail
