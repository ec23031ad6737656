// SPDX-License-Identifier: BSD-3-Clause
// Batched exchange of bytes between team members, without global synchronisation.
//
// A rank fills a buffer per destination and sends it when full. Buffers are from a bounded pool in
// its segment; if exhausted, another buffer is sent early. On the same node the receiver reads a
// buffer in place and returns it by a store. If no other buffer is spare, and to other nodes, a
// message contains a copy. An item larger than a buffer has its own block.
//
// Threads of the receiver move messages to private memory, so a slow receiver blocks no sender.
//
// At the end of a round members exchange byte counts by an asynchronous alltoall, so they are at
// most one round apart: one bit distinguishes rounds.
//
// Writers: a buffer's owner until it is sent; word `busy`: the owner before sending (1), then the
// receiver after reading (0, release; read with acquire). Lists of arrivals: under the inbox lock.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/container/detail/pending_items.hpp>
#include <acre/fabric/message.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <typeinfo>
#include <vector>

namespace acre::container {

class batch_exchange final : private pending_items, private team_object<team_memory> {
 public:
  /// @param item_bytes  0 if they differ
  batch_exchange(const team& members, std::size_t item_bytes, const std::type_info& item,
                 std::size_t memory, const site& where);
  ~batch_exchange();

  using team_object::members;

  /// Returns space, to be written before the next call.
  [[nodiscard]] std::byte* make_room(rank_t member, std::size_t bytes) {
    outgoing& to = outgoing_[member];
    if (static_cast<std::size_t>(to.end - to.next) < bytes) [[unlikely]] {
      prepare(member, bytes);
    }
    std::byte* const room = to.next;
    to.next += bytes;
    return room;
  }
  void take_back(rank_t member, std::size_t bytes) noexcept { outgoing_[member].next -= bytes; }
  /// Bytes available without a further send, at least `least`.
  [[nodiscard]] std::size_t room_at_once(rank_t member, std::size_t least) {
    outgoing& to = outgoing_[member];
    if (static_cast<std::size_t>(to.end - to.next) < least) prepare(member, least);
    return static_cast<std::size_t>(to.end - to.next);
  }

  void flush();

  static constexpr std::size_t alignment = 64;
  struct aligned_delete {
    void operator()(std::byte* block) const noexcept {
      ::operator delete(block, std::align_val_t(alignment));
    }
  };
  using own_bytes = std::unique_ptr<std::byte, aligned_delete>;

  struct arrival {
    const std::byte* data = nullptr;
    std::uint64_t where = 0;  ///< global address, unless copied
    std::uint64_t busy = 0;
    std::size_t bytes = 0;
    std::size_t done = 0;
    own_bytes copy{};
  };

  [[nodiscard]] std::uint64_t waiting() const noexcept {
    return waiting_[round_].load(std::memory_order_acquire);
  }
  /// Removes a readable batch of this round.
  [[nodiscard]] bool take(arrival& into);
  /// Counts a batch; returns its buffer.
  void give_back(arrival& read);
  void put_back(arrival&& rest);

  void begin_end();
  [[nodiscard]] bool is_ending() const noexcept { return ending_; }
  /// Makes no progress.
  [[nodiscard]] bool is_complete(const char* call, const site& where);
  void await_more(const char* what, const site& where);
  void next_round() noexcept;

  void discard();

  struct inbox;
  struct arrivals;
  /// Any thread, under the inbox lock.
  void accept(unsigned round, arrival&& came);

 private:
  [[nodiscard]] std::uint64_t pushed_in_this_round() const noexcept;
  void throw_if_pending() const override;

  struct outgoing {
    std::byte* next = nullptr;
    std::byte* end = nullptr;
    std::byte* begin = nullptr;
  };

  void prepare(rank_t member, std::size_t bytes);
  void prepare_large(rank_t member, std::size_t bytes);
  void send(rank_t member);
  void send_in_place(rank_t member, std::byte* data, std::size_t bytes);
  void send_copy(rank_t member, std::span<const std::byte> batch);
  [[nodiscard]] bool is_of_pool(const std::byte* data) const noexcept;
  [[nodiscard]] bool has_spare();
  [[nodiscard]] std::byte* acquire_buffer();
  void collect_returned();
  void recycle(std::byte* data);
  [[nodiscard]] inbox& own_inbox() const noexcept;

  std::size_t item_bytes_;
  std::size_t buffer_bytes_;
  std::size_t stride_;
  std::size_t buffers_;
  site where_;
  std::byte* pool_ = nullptr;
  std::vector<outgoing> outgoing_;
  std::vector<std::byte*> spare_;
  std::vector<std::byte*> on_their_way_;
  rank_t hand_ = 0;

  std::vector<std::uint64_t> sent_;
  std::vector<std::uint64_t> told_;
  future<std::vector<std::uint64_t>> counts_;
  bool ending_ = false;
  bool knows_end_ = false;
  std::uint64_t expected_ = 0;
  std::uint64_t received_ = 0;

  unsigned round_ = 0;
  std::unique_ptr<arrivals> arrived_;  ///< by round; under the inbox lock
  std::array<std::atomic<std::uint64_t>, 2> waiting_{};
};

}  // namespace acre::container
