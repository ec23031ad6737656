// SPDX-License-Identifier: BSD-3-Clause
// State shared by a team's handles. Two levels in rank order: members of each node (`near`), first
// member of each node (`leaders`).
#pragma once

#include <acre/global/team/detail/attendance.hpp>
#include <acre/global/team/detail/mailbox.hpp>
#include <acre/global/team/detail/node_link.hpp>
#include <acre/runtime/counters.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace acre::global {

struct team_state {
  /// Called by all members with equal arguments; empty `world_ranks`: all ranks.
  /// @param number  unique among teams with the same member 0
  team_state(std::vector<rank_t> world_ranks, std::uint32_t number);
  ~team_state();
  team_state(const team_state&) = delete;
  team_state& operator=(const team_state&) = delete;

  [[nodiscard]] rank_t world_rank(rank_t member) const noexcept {
    return members.empty() ? member : members[member];
  }
  [[nodiscard]] rank_t node_index(rank_t member) const noexcept;

  [[nodiscard]] bool in_one_node() const noexcept { return leaders.size() == 1; }

  [[nodiscard]] std::uint64_t channel(std::uint64_t number) const noexcept {
    return id << 16 | static_cast<std::uint16_t>(number);
  }

  std::uint64_t enter(runtime::counted counter, const collective_mark& mark) {
    const std::uint64_t number = here->enter(mark);
    runtime::count(counter);
    return number;
  }

  std::vector<rank_t> members;
  rank_t rank = 0;
  rank_t size = 0;
  std::uint64_t id = 0;
  std::vector<rank_t> extents;  ///< of a grid team; else empty

  std::vector<rank_t> near;     ///< members of this node, ascending
  rank_t place = 0;             ///< this rank's index in `near`
  std::vector<rank_t> leaders;  ///< first member of each node, ascending
  rank_t my_node = 0;           ///< this node's index in `leaders`
  bool nodes_in_order = true;

  node_link link;
  std::optional<attendance> here;
  std::atomic<std::uint32_t> references{1};

 private:
  void find_nodes();
  void share_memory();
  void offer_memory(const std::vector<rank_t>& near_ranks, const envelope& to);

  std::byte* own_block_ = nullptr;
  std::uint64_t job_;
};

class team_ref {
 public:
  team_ref() = default;
  explicit team_ref(team_state* made) noexcept : state_(made) {}
  team_ref(const team_ref& other) noexcept : state_(other.state_) {
    if (state_ != nullptr) state_->references.fetch_add(1, std::memory_order_relaxed);
  }
  team_ref(team_ref&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  team_ref& operator=(team_ref other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~team_ref() {
    if (state_ != nullptr && state_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete state_;
    }
  }

  [[nodiscard]] team_state& operator*() const noexcept { return *state_; }
  [[nodiscard]] team_state* operator->() const noexcept { return state_; }
  friend bool operator==(const team_ref&, const team_ref&) noexcept = default;
  friend bool operator==(const team_ref& ref, std::nullptr_t) noexcept {
    return ref.state_ == nullptr;
  }

 private:
  team_state* state_ = nullptr;
};

inline constexpr std::uint32_t world_number = 0;
inline constexpr std::uint32_t node_number = 1;
inline constexpr std::uint32_t end_number = 2;

/// Returns an unused number for a team whose member 0 is this rank. Thread-safe.
[[nodiscard]] std::uint32_t reserve_team_number() noexcept;

/// Start and end of a job, after which existing teams do not touch its memory.
void start_teams() noexcept;
void end_teams() noexcept;

}  // namespace acre::global
