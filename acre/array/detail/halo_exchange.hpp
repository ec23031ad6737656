// SPDX-License-Identifier: BSD-3-Clause
// Halo exchange: copies margins between neighbours. Two peers share a channel: words in each block,
// written only by the other peer. Both count exchanges; k is the current number.
//
// Within a node, readers copy from the owner's memory:
// - owner: data valid, sets the reader's ready[k % 2] = k
// - reader: copies, sets the owner's taken = k
// - owner: may then change its elements
//
// Only a member writes its own margins; the next `ready` follows `taken`.
//
// Between nodes, each peer puts packed data into stage k % 2, then ready[k % 2] = k (after quiet(),
// if signals may overtake large puts); the receiver unpacks. Both signal, even if only one has
// data, and k + 1 only after unpacking k. So a sender that saw k + 1 may reuse the buffers of k; no
// word is overwritten before it is read.
//
// No deadlock: a member sends all `ready` before it waits; `taken` depends on `ready` only.
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

struct halo_box {
  std::size_t direction;
  fabric::box shape;  ///< its local side is this array
  std::byte* kept;    ///< margins; null if kept remotely
  const std::byte* owned;
};

struct halo_peer {
  rank_t member;
  std::vector<halo_box> in;
  std::vector<halo_box> out;
  std::size_t channel_there = 0;

  [[nodiscard]] std::size_t bytes_in() const noexcept;
  [[nodiscard]] std::size_t bytes_out() const noexcept;
};

struct halo_line;

[[nodiscard]] std::size_t halo_channel_bytes(bool is_near, std::size_t bytes_in,
                                             std::size_t bytes_out) noexcept;
[[nodiscard]] bool is_on_this_node(const team& members, rank_t member);

class halo_exchange : team_object<team_memory> {
 public:
  static constexpr std::size_t all_directions = ~std::size_t{0};

  struct kind {
    std::uint64_t shape;
    const std::type_info& element;
  };

  /// @param own  copies within this member
  halo_exchange(const team& members, std::vector<halo_peer> peers, std::vector<halo_box> own,
                base::lifetime::watch elements, const kind& all, const site& where);
  ~halo_exchange();

  void start(std::size_t direction, const site& where);
  /// @return true if all channels are complete
  /// @throws acre::error if another member left
  bool advance();
  bool poll(const site& where);
  [[nodiscard]] bool is_near() const noexcept;
  void require_elements(const char* call, const site& where) const {
    if (elements_.has_ended()) [[unlikely]] {
      throw_no_elements(call, where);
    }
  }
  [[nodiscard]] base::lifetime::watch life() { return life_.observe(); }
  [[nodiscard]] bool is_under_way() const noexcept { return pending_ != 0; }
  void wait(const site& where) { wait_for_all(std::span(&first_of_one_, 1), where); }
  static void wait_for_all(std::span<halo_exchange* const> all, const site& where);

 private:
  struct channel {
    halo_peer peer;
    rank_t world_rank;
    bool is_near;
    halo_line* mine;  ///< written by the peer
    halo_line* theirs;
    std::uint64_t theirs_bits;
    std::byte* stages;
    std::uint64_t stages_there;
    std::byte* packed;
    std::uint64_t count = 0;
    bool awaits_ready = false;
    bool awaits_taken = false;
    bool is_to_raise = false;
  };

  [[nodiscard]] static bool has(const std::vector<halo_box>& boxes, std::size_t direction) noexcept;
  void signal_near(channel& at, std::uint64_t& word, std::uint64_t value) const noexcept;
  [[nodiscard]] bool send(channel& at);
  void raise(const channel& at) const;
  [[nodiscard]] static global_ptr<std::uint64_t> ready_there(const channel& at) noexcept;
  void take(channel& at);
  bool advance(channel& at);
  void look_for_others(const site& where);
  void leave() noexcept;
  [[noreturn]] void throw_no_elements(const char* call, const site& where) const;

  std::vector<channel> channels_;
  std::vector<halo_box> own_;
  base::lifetime::watch elements_;
  site made_;
  std::optional<call_series> updates_;
  halo_exchange* first_of_one_ = this;
  std::size_t direction_ = all_directions;
  std::size_t pending_ = 0;
  base::lifetime life_;
};

void require_exchange(const base::lifetime::watch& exchange, const site& where);

}  // namespace acre::arrays
