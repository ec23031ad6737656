// SPDX-License-Identifier: BSD-3-Clause
// This member's block of memory that the members of a team make together, and how
// they agree on it: what team_memory and hosted_memory have in common.
//
// The blocks come from the private heaps, so what lies in them may be made, moved
// and destroyed in any order without upsetting the symmetric heap.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <cstdint>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

/// What the members must have asked for alike, as errors tell it: 100 elements.
struct common_size {
  std::uint64_t number;
  const char* unit;
  std::uint64_t shape = 0;  ///< a number for whatever else must be alike: extents, a pattern
  const std::type_info* type = nullptr;  ///< of the elements
};

class team_block {
 public:
  /// The block; null on a member that has none. Not initialised. l.
  [[nodiscard]] std::byte* mine() const noexcept { return mine_; }

  /// A number of the object whose memory this is, the same on all members. Objects have different
  /// ones if a collective of the team is between them. l.
  [[nodiscard]] std::uint64_t identity() const noexcept { return identity_; }

  /// Whether the user has brought it. l.
  [[nodiscard]] bool is_users() const noexcept { return owner_ == owner::user; }

  /// Leaves the block to the others, who may still use it, until the job ends.
  void abandon() noexcept { mine_ = nullptr; }

 protected:
  /// The members that get a block each: first … first + number - 1.
  struct holders {
    rank_t first;
    rank_t number;
  };

  /// Whose a block is that a member brings along.
  enum class owner : unsigned char { team, user };

  team_block() = default;
  /// All members make it at the same point of their collectives.
  team_block(const team& members, std::byte* mine, owner whose);
  team_block(team_block&& other) noexcept
      : mine_(std::exchange(other.mine_, nullptr)),
        owner_(other.owner_),
        identity_(other.identity_) {}
  team_block& operator=(team_block&& other) noexcept;
  /// Frees the block, if it is the team's. Whoever owns it knows that nobody uses it any more:
  /// collective_end.hpp.
  ~team_block();

  /// Once, collective: 1 allgather.
  /// @param call who asks, for the error
  /// @return the offset of each member's block in its segment; 0 where there is none
  /// @throws acre::error on all members when a holder has no room or is no member, or when
  ///         they ask for different holders, sizes, shapes or types, or for less than the least
  std::vector<std::uint64_t> allocate(const team& members, holders who, std::size_t bytes,
                                      std::size_t alignment, const char* call, common_size asked,
                                      const site& where);

 private:
  void free() noexcept;

  std::byte* mine_ = nullptr;
  owner owner_ = owner::team;
  std::uint64_t identity_ = 0;
};

}  // namespace acre
