// SPDX-License-Identifier: BSD-3-Clause
// The exchange of halos: what a member takes from those whose elements it keeps copies of, and how
// both know when.
//
// Two members that exchange share a channel: a line of words in each one's block, which only the
// other one writes. Both count the exchanges in which the channel takes part; k is the number of
// this one.
//
// On one node each copies out of the other's elements into its own margins:
//     owner   its elements are as they shall be:  reader's ready[k % 2] = k
//     reader  sees that, copies:                  owner's taken = k
//     owner   sees that, and may change its elements.
// So nobody but a member itself writes to its margins, and the next `ready` comes after `taken`.
//
// Between nodes each packs what the other one keeps, and puts it into the other's stage k % 2, with
// the signal ready[k % 2] = k behind it (where the network lets signals overtake large puts: all
// puts, quiet(), all signals); the other unpacks it. There is no `taken`: both always signal, also
// with no data, and the signal k + 1 of a member comes after its unpacking of k. So whoever is
// about to fill a stage for k + 2 has seen k + 1, and the stage, the word and its own packed copy
// of k are free. No word is written twice before its reader has seen it, so it does not matter in
// which order messages come.
//
// All signals are raised before anything is waited for, and none waits for a signal of the same
// exchange: there is no cycle.
#pragma once

#include <acre/base/lifetime.hpp>
#include <acre/base/site.hpp>
#include <acre/fabric/box.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/team/call_series.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <typeinfo>
#include <vector>

namespace acre::arrays {

/// A box that one member keeps of another's.
struct halo_box {
  std::size_t direction;   ///< from the one who keeps it
  fabric::box shape;       ///< this member's array is the local side
  std::byte* kept;         ///< in this member's margins; null where another one keeps it
  const std::byte* owned;  ///< the original, where it is mapped here
};

/// What is exchanged with one member.
struct halo_peer {
  rank_t member;
  std::vector<halo_box> in;   ///< what this member keeps of the other's
  std::vector<halo_box> out;  ///< what the other one keeps, in the order of its own `in`
  /// Where this member's channel is in the other's block.
  std::size_t channel_there = 0;

  [[nodiscard]] std::size_t bytes_in() const noexcept;
  [[nodiscard]] std::size_t bytes_out() const noexcept;
};

/// The words of a channel.
struct halo_line;

/// Room in a block for a channel; by the larger of what goes either way, so that both sides of a
/// channel are alike.
[[nodiscard]] std::size_t halo_channel_bytes(bool is_near, std::size_t bytes_in,
                                             std::size_t bytes_out) noexcept;
[[nodiscard]] bool is_on_this_node(const team& members, rank_t member);

class halo_exchange : team_object<team_memory> {
 public:
  /// Everything, where a direction is asked for.
  static constexpr std::size_t all_directions = ~std::size_t{0};

  /// Collective.
  /// The part of a halo that must be equal on all members.
  struct kind {
    std::uint64_t shape;  ///< a number of the matrix and of what is exchanged
    const std::type_info& element;
  };

  /// @param own       what this member copies from itself
  /// @param elements  of the matrix
  halo_exchange(const team& members, std::vector<halo_peer> peers, std::vector<halo_box> own,
                base::lifetime::watch elements, const kind& all, const site& where);
  ~halo_exchange();

  /// Begins, when the one before has ended: packs, signals, and takes what is there.
  void start(std::size_t direction, const site& where);
  /// Takes what has come since.
  /// @return whether all has come, and all has been taken from here
  /// @throws acre::error when another member has left
  bool advance();
  /// Whether all members with whom this one exchanges are on its node.
  [[nodiscard]] bool is_near() const noexcept;
  /// @param call  "halo::update"
  /// @throws acre::error when the matrix has ended
  void require_elements(const char* call, const site& where) const {
    if (elements_.has_ended()) [[unlikely]] {
      throw_no_elements(call, where);
    }
  }
  /// One thread at a time.
  [[nodiscard]] base::lifetime::watch life() { return life_.observe(); }
  [[nodiscard]] bool is_under_way() const noexcept { return pending_ != 0; }
  void wait(const site& where) { wait_for_all(std::span(&first_of_one_, 1), where); }
  static void wait_for_all(std::span<halo_exchange* const> all, const site& where);

 private:
  struct channel {
    halo_peer peer;
    rank_t world_rank;
    bool is_near;
    halo_line* mine;             ///< written by the other one
    halo_line* theirs;           ///< where that is mapped here
    std::uint64_t theirs_bits;   ///< of a pointer to it
    std::byte* stages;           ///< two, for what comes from another node
    std::uint64_t stages_there;  ///< bits of a pointer
    std::byte* packed;           ///< two, for what goes there
    std::uint64_t count = 0;     ///< of exchanges
    bool awaits_ready = false;
    bool awaits_taken = false;
    bool is_to_raise = false;  ///< its signal, when the put is complete
  };

  [[nodiscard]] static bool has(const std::vector<halo_box>& boxes, std::size_t direction) noexcept;
  void signal_near(channel& at, std::uint64_t& word, std::uint64_t value) const noexcept;
  [[nodiscard]] bool send(channel& at);
  void raise(const channel& at) const;
  /// The word of the other one's that says that this exchange's elements are there.
  [[nodiscard]] static global_ptr<std::uint64_t> ready_there(const channel& at) noexcept;
  void take(channel& at);
  bool advance(channel& at);
  /// In a wait that lasts: whether those that this member waits for still come.
  void look_for_others(const site& where);
  void leave() noexcept;
  [[noreturn]] void throw_no_elements(const char* call, const site& where) const;

  std::vector<channel> channels_;
  std::vector<halo_box> own_;
  base::lifetime::watch elements_;
  site made_;
  std::optional<call_series> updates_;  ///< from when the memory is there
  halo_exchange* first_of_one_ = this;
  std::size_t direction_ = all_directions;
  std::size_t pending_ = 0;  ///< channels that this exchange waits for
  base::lifetime life_;
};

/// Of an update. @throws acre::error when its halo has ended
void require_exchange(const base::lifetime::watch& exchange, const site& where);

}  // namespace acre::arrays
