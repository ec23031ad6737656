// SPDX-License-Identifier: BSD-3-Clause
// Split-phase barrier of all nodes that compares their barrier names.
//
// Dissemination (Hensgen, Finkel and Manber, 1988): in round k a node stores its joined value, one
// 64-bit word, into a slot of the node 2^k further on. Joining is idempotent: anonymous matches any
// name, different names mismatch. Slots alternate by phase; a node two phases ahead proves that
// this one ended the previous phase, so no unread slot is overwritten.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace acre::gasnet {

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

/// Written by partners, one per slot; resides before the node's segment.
struct barrier_box {
  static constexpr unsigned most_rounds = 20;
  std::atomic<std::uint64_t> slots[2][most_rounds];
};
struct barrier_boxes {
  barrier_box attached;
  barrier_box user;
  barrier_box ending;
  barrier_box stopped;
};

/// This node's side. One thread at a time notifies and waits; any thread may advance it.
class split_barrier {
 public:
  explicit constexpr split_barrier(std::size_t box_offset) noexcept : box_offset_(box_offset) {}

  [[nodiscard]] bool is_open() const noexcept { return open_.load(std::memory_order_relaxed); }
  [[nodiscard]] barrier_value mine() const noexcept { return mine_; }
  /// Requires that advance() has returned true.
  [[nodiscard]] barrier_value result() const noexcept { return heard_; }

  void notify(barrier_value mine);
  bool advance();
  void close() noexcept { open_.store(false, std::memory_order_relaxed); }
  /// Relays other nodes' values while this node does not wait yet.
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
  /// At the end, all nodes first arrive at `ending`; at `stopped` no thread is in a call any more.
  split_barrier ending{offsetof(barrier_boxes, ending)};
  split_barrier stopped{offsetof(barrier_boxes, stopped)};
};
[[nodiscard]] barriers& the_barriers() noexcept;

}  // namespace acre::gasnet
