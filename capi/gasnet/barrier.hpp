// SPDX-License-Identifier: BSD-3-Clause
// A barrier in two halves among all nodes, which also tells whether their names for it agree.
//
// Dissemination (Hensgen, Finkel and Manber, 1988): in round k a node tells the one 2^k places
// further on what it has heard so far, in one word that is stored into a slot of that node's
// box. Names join as they travel: anonymous ones with any, different ones to a mismatch; to
// hear of a node twice changes nothing. A slot is used in every second phase, so nobody writes
// into one that has not been read: who is two phases ahead has heard that I ended the last.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace acre::gasnet {

/// What a node says at a barrier, or several nodes together.
struct barrier_value {
  enum kind_t : std::uint8_t { anonymous, named, mismatch };
  kind_t kind = anonymous;
  int id = 0;

  [[nodiscard]] barrier_value joined(barrier_value other) const noexcept {
    if (kind == mismatch || other.kind == anonymous) return *this;
    if (other.kind == mismatch || kind == anonymous) return other;
    return id == other.id ? *this : barrier_value{mismatch, 0};
  }
};

/// Written by the node's partners, one a slot; read by the node. It lies before its segment.
struct barrier_box {
  static constexpr unsigned most_rounds = 20;  // of 2^20 ranks
  std::atomic<std::uint64_t> slots[2][most_rounds];
};
struct barrier_boxes {
  barrier_box attached;
  barrier_box user;
  barrier_box ending;
  barrier_box stopped;
};

/// This node's side. One thread at a time notifies and waits; any may help it on.
class split_barrier {
 public:
  /// @param box_offset  where the box lies in a node's barrier_boxes
  explicit constexpr split_barrier(std::size_t box_offset) noexcept : box_offset_(box_offset) {}

  [[nodiscard]] bool is_open() const noexcept { return open_.load(std::memory_order_relaxed); }
  /// What this node said.
  [[nodiscard]] barrier_value mine() const noexcept { return mine_; }
  /// What all said, when advance() has said that it is over.
  [[nodiscard]] barrier_value result() const noexcept { return heard_; }

  void notify(barrier_value mine);
  /// Goes on as far as the partners have come.
  /// @return whether all nodes have notified
  bool advance();
  /// After that: the next phase may begin.
  void close() noexcept { open_.store(false, std::memory_order_relaxed); }
  /// What a node does that is not in the barrier's second half yet: others may be, and hear of
  /// each other through it.
  void help() {
    if (is_open() && !over_.load(std::memory_order_relaxed)) advance();
  }

 private:
  [[nodiscard]] std::atomic<std::uint64_t>* slot_of(std::uint32_t node) const noexcept;
  void tell_partner();

  std::size_t box_offset_;
  barrier_value mine_;
  barrier_value heard_;
  std::uint32_t phase_ = 0;
  unsigned round_ = 0;
  std::atomic<bool> open_{false};
  std::atomic<bool> over_{false};
  std::atomic<bool> advancing_{false};
};

struct barriers {
  split_barrier attached{offsetof(barrier_boxes, attached)};
  split_barrier user{offsetof(barrier_boxes, user)};
  /// At the end: all nodes have come to it, then no thread of any node is in a call any more.
  split_barrier ending{offsetof(barrier_boxes, ending)};
  split_barrier stopped{offsetof(barrier_boxes, stopped)};
};
[[nodiscard]] barriers& the_barriers() noexcept;

}  // namespace acre::gasnet
