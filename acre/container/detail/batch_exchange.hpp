// SPDX-License-Identifier: BSD-3-Clause
// Bytes that the members of a team send each other in batches, without a global step.
//
// A rank collects what it has for each member in a buffer and sends it when it is
// full. Buffers come from a pool of bounded size in the rank's segment, however many
// members there are: when it is used up, that of another member is sent early.
//
// A batch to a rank of this node stays where it is: a message says where, the receiver
// reads it there and gives the buffer back by a store. So many may be on their
// way as the pool has; when it has no more, batches are copied into messages, as
// those to other nodes are. Messages are taken by whatever thread of the
// receiver finds them, which copies them to its own memory: so a receiver that does
// not look at its batches, or waits for something else, stops nobody.
//
// Items larger than a buffer have a block of their own. The receiver reads it in
// place, or fetches it from another node, and then gives it back.
//
// The end is counted, in bytes: when a member has sent all of a round it tells each
// other one how much that was (one asynchronous alltoall), and a member has all when
// as much has come. Members are at most one round apart, because nobody ends a round
// that some other has not told its counts in; so one bit tells rounds apart.
//
// Who writes what: a buffer its owner, until it is sent; its word `busy` the owner
// before sending (1), and the receiver after reading (0, release; the owner looks with
// acquire): never both at once. The lists of what has arrived: under the lock of the inbox.
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
  /// @param item_bytes  of each item; 0 when they differ
  /// @param memory      for the buffers, about
  batch_exchange(const team& members, std::size_t item_bytes, const std::type_info& item,
                 std::size_t memory, const site& where);
  ~batch_exchange();

  using team_object::members;

  /// Room for `bytes` of an item to a member, which are written before the next call.
  /// Sends what is in the way.
  [[nodiscard]] std::byte* make_room(rank_t member, std::size_t bytes) {
    outgoing& to = outgoing_[member];
    if (static_cast<std::size_t>(to.end - to.next) < bytes) [[unlikely]] {
      prepare(member, bytes);
    }
    std::byte* const room = to.next;
    to.next += bytes;
    return room;
  }
  /// Forgets the room that was made last: nothing was written.
  void take_back(rank_t member, std::size_t bytes) noexcept { outgoing_[member].next -= bytes; }
  /// How many bytes fit without sending; at least those of an item of fixed size.
  [[nodiscard]] std::size_t room_at_once(rank_t member, std::size_t least) {
    outgoing& to = outgoing_[member];
    if (static_cast<std::size_t>(to.end - to.next) < least) prepare(member, least);
    return static_cast<std::size_t>(to.end - to.next);
  }

  /// Sends everything.
  void flush();

  static constexpr std::size_t alignment = 64;
  struct aligned_delete {
    void operator()(std::byte* block) const noexcept {
      ::operator delete(block, std::align_val_t(alignment));
    }
  };
  using own_bytes = std::unique_ptr<std::byte, aligned_delete>;

  /// A batch that has arrived.
  struct arrival {
    const std::byte* data = nullptr;  ///< mapped here; else it is to be fetched
    std::uint64_t where = 0;          ///< the global pointer to the data, if not copied
    std::uint64_t busy = 0;           ///< and to the word that gives it back
    std::size_t bytes = 0;
    std::size_t done = 0;  ///< bytes that were received already
    own_bytes copy{};
  };

  /// How many batches of this round have arrived.
  [[nodiscard]] std::uint64_t waiting() const noexcept {
    return waiting_[round_].load(std::memory_order_acquire);
  }
  /// Takes a batch of this round, if there is one, ready to be read.
  [[nodiscard]] bool take(arrival& into);
  /// After it was read.
  void give_back(arrival& read);
  /// When the reading has failed on the way.
  void put_back(arrival&& rest);

  // --- the end of a round -----------------------------------------------------------

  /// Sends everything, and tells the others how much it was. Once a round.
  void begin_end();
  [[nodiscard]] bool is_ending() const noexcept { return ending_; }
  /// Whether all of this round has been received. Makes no progress.
  /// @param call, where  for an error: who ends the round
  [[nodiscard]] bool is_complete(const char* call, const site& where);
  /// Waits until there is a batch, or the end is known.
  void await_more(const char* what, const site& where);
  void next_round() noexcept;

  /// Receives all that was sent to this member and nobody wants, for the end.
  void discard();

  struct inbox;
  struct arrivals;
  /// From the handler, in any thread.
  void accept(unsigned round, arrival&& came);

 private:
  // memory() is of the inboxes.

  [[nodiscard]] std::uint64_t pushed_in_this_round() const noexcept;
  /// Throws nothing once finish() has begun: its own exception has told the caller.
  void throw_if_pending() const override;

  /// What is being collected for a member.
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
  [[nodiscard]] std::byte* take_buffer();
  void collect_returned();
  void recycle(std::byte* data);
  [[nodiscard]] inbox& own_inbox() const noexcept;

  std::size_t item_bytes_;  ///< 0 when they differ
  std::size_t buffer_bytes_;
  std::size_t stride_;  ///< from buffer to buffer
  std::size_t buffers_;
  site where_;
  std::byte* pool_ = nullptr;
  std::vector<outgoing> outgoing_;
  std::vector<std::byte*> spare_;
  std::vector<std::byte*> on_their_way_;  ///< buffers, and blocks of large items
  rank_t hand_ = 0;                       ///< whose buffer is sent early next

  std::vector<std::uint64_t> sent_;  ///< bytes to each member in this round
  std::vector<std::uint64_t> told_;  ///< the same, while they are being told
  future<std::vector<std::uint64_t>> counts_;
  bool ending_ = false;
  bool knows_end_ = false;
  std::uint64_t expected_ = 0;
  std::uint64_t received_ = 0;

  unsigned round_ = 0;
  std::unique_ptr<arrivals> arrived_;  ///< by round; under the inbox's lock
  std::array<std::atomic<std::uint64_t>, 2> waiting_{};
};

}  // namespace acre::container
