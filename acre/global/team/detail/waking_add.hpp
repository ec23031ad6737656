// A count in the memory of a member that may sleep until it changes.
#pragma once

#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/team/team.hpp>

#include <cstdint>

namespace acre::detail {

/// In a count: a member has left by an exception, and adds nothing any more.
inline constexpr std::uint64_t left_bit = std::uint64_t{1} << 63;

/// Adds to a member's count and wakes the member. Complete after quiet(); sums do not depend on the
/// order in which they come. Cost: A.
void add_and_wake(const team& members, rank_t member, global_ptr<std::uint64_t> count,
                  std::uint64_t amount);
/// Wakes the member whose count has changed. Across nodes the message that changes it does.
void wake_owner(const team& members, rank_t member, global_ptr<std::uint64_t> count);
/// Sets left_bit in it. For destructors: where the network is lost, nobody waits for it.
void say_that_one_has_left(const team& members, rank_t member,
                           global_ptr<std::uint64_t> count) noexcept;
/// The same in the counts of all members, where this one leaves by an exception, and has a job.
/// @param count_at  count_at(member): where it is
template <class CountOf>
void say_if_one_has_left(const collective_end& end, const team& members,
                         CountOf&& count_at) noexcept {
  if (size() == 0 || end.is_orderly()) return;
  for (rank_t each = 0; each < members.size(); ++each) {
    say_that_one_has_left(members, each, count_at(each));
  }
}
/// @param call  "event::wait"
[[noreturn]] void throw_has_left(const char* call, const char* who);

}  // namespace acre::detail
