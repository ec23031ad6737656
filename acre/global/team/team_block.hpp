// SPDX-License-Identifier: BSD-3-Clause
// A member's block of collectively allocated memory. Blocks are in the private heaps, so their
// lifetimes do not affect the symmetric heap.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <cstdint>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

/// Size that all members must agree on; in errors "100 elements".
struct common_size {
  std::uint64_t number;
  const char* unit;
  std::uint64_t shape = 0;  ///< extents or pattern
  const std::type_info* type = nullptr;
};

class team_block {
 public:
  /// This member's block, uninitialised; null on a member without one. l.
  [[nodiscard]] std::byte* mine() const noexcept { return mine_; }

  /// Number of the object, equal on all members; unique among objects of the team if a collective
  /// separates their creation. l.
  [[nodiscard]] std::uint64_t identity() const noexcept { return identity_; }

  /// True if the user provided the block. l.
  [[nodiscard]] bool is_users() const noexcept { return owner_ == owner::user; }

  /// Leaves the block to other members until the job ends.
  void abandon() noexcept { mine_ = nullptr; }

 protected:
  /// Members first … first + number - 1, which have a block.
  struct holders {
    rank_t first;
    rank_t number;
  };

  enum class owner : unsigned char { team, user };

  team_block() = default;
  /// Adopts a block. All members call it between the same collectives.
  team_block(const team& members, std::byte* mine, owner whose);
  team_block(team_block&& other) noexcept
      : mine_(std::exchange(other.mine_, nullptr)),
        owner_(other.owner_),
        identity_(other.identity_) {}
  team_block& operator=(team_block&& other) noexcept;
  ~team_block();

  /// Allocates the members' blocks. Called once; collective: 1 allgather.
  /// @return offsets of all members' blocks; 0 without block
  /// @throws acre::error on all members if a holder has no memory or is no member, requests differ,
  /// or a size is negative
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
