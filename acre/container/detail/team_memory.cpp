#include <acre/base/error.hpp>
#include <acre/container/detail/team_memory.hpp>
#include <acre/runtime/job.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/memory.hpp>

#include <algorithm>
#include <exception>
#include <string>

namespace acre::detail {

team_memory::team_memory(const team& members, std::size_t bytes, std::size_t alignment,
                         const char* call) {
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
  // Offset 0 is never allocated: it says that there was no room.
  const auto offsets = members.allgather(offset_);
  const auto failed = std::ranges::find(offsets, std::uint64_t{0});
  if (failed != offsets.end()) {
    runtime::free_private(mine_);
    mine_ = nullptr;
    if (problem.empty()) {
      const auto member = static_cast<rank_t>(failed - offsets.begin());
      problem = "rank " + std::to_string(members.world_rank(member)) + " has no room";
      advice = "its own message says more";
    }
    throw error(call, problem, advice);
  }
  const bool all_equal =
      std::ranges::all_of(offsets, [this](std::uint64_t offset) { return offset == offset_; });
  if (all_equal && members.is_world()) return;
  for (rank_t member = 0; member < offsets.size(); ++member) {
    blocks_.push_back(std::uint64_t{members.world_rank(member)} << offset_bits | offsets[member]);
  }
}

team_memory::~team_memory() { runtime::free_private(mine_); }

collective_end::collective_end() noexcept : exceptions_(std::uncaught_exceptions()) {}

void collective_end::meet(const team& members) noexcept {
  try {
    members.barrier();
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
}

bool collective_end::is_possible() const noexcept {
  return size() != 0 && !runtime::job_is_abandoned() && std::uncaught_exceptions() <= exceptions_;
}

}  // namespace acre::detail
