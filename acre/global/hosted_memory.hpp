// Memory of a hosted container: a block in the segment of one member of a team,
// from that member's private heap.
#pragma once

#include <acre/global/team.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace acre {

/// The member of the team in whose memory something lies: acre::hosted_by{2}.
struct hosted_by {
  rank_t member = 0;
};

}  // namespace acre

namespace acre::detail {

class hosted_memory {
 public:
  hosted_memory() = default;

  /// What the members must have asked for alike: 100 elements.
  struct common_size {
    std::uint64_t number;
    std::uint64_t least;  ///< that makes sense
    const char* unit;
  };

  /// Allocates `bytes` on the host alone. Collective: 1 allgather. Not initialised.
  /// @param call who asks, for the error
  /// @throws acre::error on all members when the host has no room or is no member, or
  ///         when they ask for different hosts or sizes, or less than the least
  hosted_memory(const team& members, hosted_by host, std::size_t bytes, std::size_t alignment,
                const char* call, common_size asked);

  hosted_memory(hosted_memory&& other) noexcept { swap(other); }
  hosted_memory& operator=(hosted_memory&& other) noexcept {
    hosted_memory(std::move(other)).swap(*this);
    return *this;
  }

  /// The host frees the block. The caller knows that nobody uses it any more.
  ~hosted_memory();

  /// The block, on the host; null on the others.
  [[nodiscard]] std::byte* mine() const noexcept { return mine_; }
  /// The bits of the global pointer to the block. l.
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }

  /// Leaves the block to the others, who may still use it, until the job ends.
  void abandon() noexcept { mine_ = nullptr; }

  void swap(hosted_memory& other) noexcept {
    std::swap(mine_, other.mine_);
    std::swap(bits_, other.bits_);
  }

 private:
  std::byte* mine_ = nullptr;
  std::uint64_t bits_ = 0;
};

}  // namespace acre::detail
