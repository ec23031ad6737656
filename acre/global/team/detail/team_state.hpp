// SPDX-License-Identifier: BSD-3-Clause
// What the handles of a team share: who its members are and where they sit,
// and this rank's side of the memory that they share.
//
// A team has two levels: the members of each node ("near"), and the first
// member of each node, its leader ("leaders"). Both are in the order of the
// team's ranks. A rank stores the list of members (none for world), the
// members of its own node, and a leader per node.
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
  /// Builds the team whose members (world ranks; none: all ranks of the job) all
  /// call this with the same arguments. `number` is unique among the teams
  /// whose member 0 is the same rank.
  team_state(std::vector<rank_t> world_ranks, std::uint32_t number);
  ~team_state();
  team_state(const team_state&) = delete;
  team_state& operator=(const team_state&) = delete;

  [[nodiscard]] rank_t world_rank(rank_t member) const noexcept {
    return members.empty() ? member : members[member];
  }
  /// The index in `leaders` of the node of a member.
  [[nodiscard]] rank_t node_index(rank_t member) const noexcept;

  /// Whether shared memory reaches all members.
  [[nodiscard]] bool in_one_node() const noexcept { return leaders.size() == 1; }

  /// The channel of the collective of that number.
  [[nodiscard]] std::uint64_t channel(std::uint64_t number) const noexcept {
    return id << 16 | static_cast<std::uint16_t>(number);
  }

  /// This rank enters a collective.
  /// @return its number in the team
  std::uint64_t enter(runtime::counted counter, const collective_mark& mark) {
    const std::uint64_t number = here->enter(mark);
    runtime::count(counter);
    return number;
  }

  std::vector<rank_t> members;  ///< world ranks; empty: the identity
  rank_t rank = 0;
  rank_t size = 0;
  std::uint64_t id = 0;  ///< 48 bits, unique in the job

  std::vector<rank_t> near;     ///< the members of this node, ascending
  rank_t place = 0;             ///< this rank's index in near
  std::vector<rank_t> leaders;  ///< the first member of each node, ascending
  rank_t my_node = 0;           ///< this node's index in leaders
  bool nodes_in_order = true;   ///< the members of each node follow each other

  node_link link;
  std::optional<attendance> here;  ///< from when the members are known
  std::atomic<std::uint32_t> references{1};

 private:
  void find_nodes();
  void share_memory();
  void offer_memory(const std::vector<rank_t>& near_ranks, const envelope& to);

  std::byte* own_block_ = nullptr;  ///< the leader's: the memory of the block
  std::uint64_t job_;
};

/// Handles and collectives under way keep a team alive, by the count in it.
class team_ref {
 public:
  team_ref() = default;
  /// The first to refer to it.
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

/// The numbers of the teams that every job begins with.
inline constexpr std::uint32_t world_number = 0;
inline constexpr std::uint32_t node_number = 1;
inline constexpr std::uint32_t end_number = 2;

/// A number for a team whose member 0 is this rank, never given before in this
/// job. Any thread.
[[nodiscard]] std::uint32_t reserve_team_number() noexcept;

/// When a job starts, and when it ends. Teams that are left then stay out of the
/// job's memory.
void start_teams() noexcept;
void end_teams() noexcept;

}  // namespace acre::global
