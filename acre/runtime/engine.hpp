// SPDX-License-Identifier: BSD-3-Clause
// The engine of a rank: takes messages from the ring and from the network,
// runs built-in handlers, queues the rest for the owner, and keeps a helper
// thread that does so while the owner computes. For the runtime and the job.
//
// It is written in one file an idea: receive.cpp, run_queue.cpp (the progress of the owner),
// helper_thread.cpp; sending in send.cpp, send_near.hpp (the short way to a neighbour) and
// send_in_block.cpp; the wait of a send that finds no room in wait_for_room.hpp.
#pragma once

#include <acre/base/spin_lock.hpp>
#include <acre/fabric/smp_blocks.hpp>
#include <acre/fabric/smp_ring.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/bootstrap.hpp>
#include <acre/runtime/byte_pool.hpp>
#include <acre/runtime/detail/fragments.hpp>
#include <acre/runtime/detail/handler_table.hpp>
#include <acre/runtime/detail/inbox.hpp>
#include <acre/runtime/detail/reply_queue.hpp>
#include <acre/runtime/detail/window_excess.hpp>
#include <acre/runtime/progress.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>

namespace acre::runtime {

class engine final : private fabric::receiver, private responder {
 public:
  /// @param ring    this rank's own ring
  /// @param network may be null: then there is no helper thread either
  /// @param launcher  gets time to speak, once, before a failure of the network that progress has
  ///                  found is thrown to anybody; shall outlive the engine
  engine(fabric::smp_ring& ring, fabric::conduit* network, bootstrap& launcher);
  ~engine();
  /// When the job is complete: what others ask meets the state of all rooms in the helper thread.
  void start_helper();
  /// The helper thread ends; the network is not used any more.
  void stop_helper();

  [[nodiscard]] bool try_send(rank_t target, handler_id handler, std::span<const word> arguments,
                              std::span<const std::byte> payload, std::uint32_t tag);
  /// The rest of send(), where there was no room.
  [[gnu::cold]] void send_when_there_is_room(rank_t target, handler_id handler,
                                             std::span<const word> arguments,
                                             std::span<const std::byte> payload, std::uint32_t tag);
  /// send() of a payload that the cells of a ring are not for.
  [[gnu::noinline]] void send_large(rank_t target, handler_id handler,
                                    std::span<const word> arguments,
                                    std::span<const std::byte> payload, std::uint32_t tag);
  /// A payload that has been written to a block, at bytes_before_payload.
  void send_written(rank_t target, handler_id handler, std::span<const word> arguments,
                    std::span<std::byte> payload);
  [[nodiscard]] std::size_t max_payload() const noexcept { return max_payload_; }

  std::size_t progress_internal();
  std::size_t progress_all();
  /// And sends replies that waited for room.
  std::size_t poll_network();
  /// One of the rank's own threads polls the network: the helper steps aside while this is said.
  void note_poll() noexcept {
    polls_.store(polls_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// See undisturbed_sends.hpp.
  void run_some_of_queue();

  /// See progress.hpp.
  void note_repeated_call() noexcept;

  /// The short way of a short message of a neighbour, from the ring to its handler,
  /// when nothing older waits. Runs user code.
  bool handle_next_directly();
  /// Whether the ring holds a message; a look without side effects.
  [[nodiscard]] bool has_mail() const noexcept { return cursor_.ready(); }
  void defer(deferred_task& task) noexcept { inbox_.append(task); }
  void defer_to_end(deferred_task& task) noexcept { inbox_.append_at_end(task); }
  /// Of what waits for the owner.
  [[nodiscard]] bool has_queue() const noexcept { return inbox_.size() != 0; }
  /// See active_message.hpp.
  void hand_to_owner(const message& carried, std::uint32_t units);

  /// Nobody runs requests until they are admitted: it begins so, and the job ends so.
  void hold_requests() noexcept { inbox_.hold_requests(); }
  void admit_requests() noexcept { inbox_.admit_requests(); }
  /// See inbox.hpp.
  [[nodiscard]] bool take_user_code() noexcept { return inbox_.take_user_code(); }
  void give_up_user_code() noexcept;
  [[nodiscard]] bool another_thread_has_user_code() const noexcept {
    return inbox_.another_thread_has_user_code();
  }

  /// The exception that is being handled is the network's end: every later call of this rank that
  /// needs progress throws it, and nobody polls the network any more.
  void keep_network_failure() noexcept;

  /// Whether there is something that a wait of this kind has to do before it may sleep.
  [[nodiscard]] bool has_work(may_run kind) const noexcept;

 private:
  // Receiving.
  void deliver(const message& received) override;
  void note_refused() noexcept override;
  void reply(handler_id handler, std::span<const word> arguments,
             std::span<const std::byte> payload) override;
  void reply_to_rank(rank_t target, handler_id handler, std::span<const word> arguments,
                     std::span<const std::byte> payload);
  void flush_replies();
  void note_told(const fabric::message_header& header, word units);
  void accept_near(const message& received);
  void accept(const message& received);
  void join_fragment(const message& fragment);
  void keep(letter* kept) noexcept;
  void keep_copy(const message& received, std::uint32_t units);

  // Progress.
  bool handle_next(std::size_t& queued);
  static void run_in_place(const fabric::message_header& header, const word* words) noexcept;
  std::size_t drain_ring();
  std::size_t drain_network();
  std::size_t use_network();
  std::size_t run_queue(std::uint32_t most = ~std::uint32_t{0});
  void run_at_end();
  std::size_t run_what_waits(bool has_handled);
  [[nodiscard]] inbox::share share_of_this_thread() const noexcept;
  void tell_of_run(rank_t source, std::uint32_t units);
  void tell_of_queued();
  void help();
  void end_soon();

  // Sending. try_...: false is for want of room.
  /// Of payload, in the cells of a neighbour's ring.
  static constexpr std::size_t most_in_ring = fabric::smp_ring::max_message_bytes / 4;
  /// What a block holds goes through the ring's cells in one piece, too.
  static constexpr std::size_t most_near =
      larger(most_in_ring, fabric::smp_blocks::largest_body - fabric::max_arguments * sizeof(word));
  [[nodiscard]] std::size_t most_at_once(rank_t target) const noexcept;

  bool push_near(rank_t target, const fabric::message_header& header, const word* arguments,
                 const void* payload);
  bool push_far(rank_t target, fabric::message_header header, const word* arguments,
                const void* payload);
  bool try_send_near(rank_t target, const fabric::message_header& header, const word* arguments,
                     const void* payload);
  bool try_send_far(rank_t target, const fabric::message_header& header, const word* arguments,
                    const void* payload);
  bool try_send_charged(rank_t target, const fabric::message_header& header, const word* arguments,
                        const void* payload);
  bool try_reply(rank_t target, const fabric::message_header& header, const word* arguments,
                 const void* payload);
  void wait_and_send(rank_t target, handler_id handler, std::span<const word> arguments,
                     std::span<const std::byte> payload, std::uint32_t tag, part_of whole);
  /// send_large() of what may go in one message.
  void send_whole(rank_t target, handler_id handler, std::span<const word> arguments,
                  std::span<const std::byte> payload, std::uint32_t tag, part_of whole);
  /// For a payload that is too large for one message.
  void send_fragments(rank_t target, handler_id handler, std::span<const word> arguments,
                      std::span<const std::byte> payload, std::uint32_t tag);
  void hold_back(rank_t target, const fabric::message_header& header);

  // Sending in blocks.
  [[nodiscard]] std::byte* block_for(std::size_t bytes, part_of whole);
  [[nodiscard]] bool send_in_block(rank_t target, handler_id handler,
                                   std::span<const word> arguments,
                                   std::span<const std::byte> payload, std::uint32_t tag,
                                   part_of whole);
  void send_block(rank_t target, const fabric::message_header& header, const word* arguments,
                  std::byte* payload, part_of whole);

  // Sends that are held back.
  class wait_for_room;
  void run_what_came();
  [[gnu::cold]] void run_a_few();

  fabric::smp_ring::cursor cursor_;
  spin_lock ring_lock_;  ///< one consumer at a time
  fabric::conduit* network_;
  std::size_t max_payload_;
  /// By rank. What we remember of the head of a neighbour's ring, which saves a cache miss a send;
  /// for a rank of another node, the requests under way (request_window.hpp).
  std::unique_ptr<std::atomic<std::uint64_t>[]> peer_words_;
  window_excess excess_;
  /// By their sizes: whether the last search for a block found one.
  std::array<std::atomic<bool>, fabric::smp_blocks::sizes> blocks_come_back_{true, true, true};

  byte_pool& pool_ = pool_of_messages();  ///< of all letters
  inbox inbox_;
  joined_fragments fragments_;
  std::atomic<word> fragmented_messages_{0};
  reply_queue replies_;
  /// A send that was held back has met a full queue: the next ones run what comes. Any thread
  /// writes it (relaxed: it guards nothing).
  std::atomic<bool> sends_run_requests_{false};

  std::atomic<std::uint32_t> polls_{0};
  // Of the steady clock, in its own units.
  std::atomic<std::int64_t> last_repeated_call_{0};
  std::atomic<std::int64_t> aside_until_{0};  ///< the helper
  std::atomic<bool> stop_{false};

  // The network fails once and for all: nobody polls it afterwards.
  bootstrap& launcher_;
  std::once_flag launcher_has_spoken_;
  spin_lock failure_lock_;
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false};  ///< failure_ is set
  std::thread helper_;
};

/// The engine of the running job, or null.
extern constinit engine* the_engine;

/// Another host cannot be reached any more: all ranks of this node hear of it in their next call,
/// and have ended some seconds later in any case.
void note_lost_host(const std::string& problem);

}  // namespace acre::runtime
