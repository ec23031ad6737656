// SPDX-License-Identifier: BSD-3-Clause
// Engine of a rank: handles messages of ring and network; a helper thread does while the owner
// computes.
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
  /// @param network   may be null
  /// @param launcher  gets time to report before a network failure is thrown; outlives the engine
  engine(fabric::smp_ring& ring, fabric::conduit* network, bootstrap& launcher);
  ~engine();
  /// Called after all modules' hooks: requests need their state.
  void start_helper();
  void stop_helper();

  [[nodiscard]] bool try_send(rank_t target, handler_id handler, std::span<const word> arguments,
                              std::span<const std::byte> payload, std::uint32_t tag);
  [[gnu::cold]] void send_when_there_is_room(rank_t target, handler_id handler,
                                             std::span<const word> arguments,
                                             std::span<const std::byte> payload, std::uint32_t tag);
  [[gnu::noinline]] void send_large(rank_t target, handler_id handler,
                                    std::span<const word> arguments,
                                    std::span<const std::byte> payload, std::uint32_t tag);
  /// Sends a payload that is already in a block, at bytes_before_payload.
  void send_written(rank_t target, handler_id handler, std::span<const word> arguments,
                    std::span<std::byte> payload);
  [[nodiscard]] std::size_t max_payload() const noexcept { return max_payload_; }

  std::size_t progress_internal();
  std::size_t progress_all();
  std::size_t poll_network();
  /// Records that a thread of the rank polls, so that the helper need not.
  void note_poll() noexcept {
    polls_.store(polls_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  void run_some_of_queue();

  void note_repeated_call() noexcept;

  /// Runs a message, user code included, from the ring if no older work waits.
  bool handle_next_directly();
  [[nodiscard]] bool has_mail() const noexcept { return cursor_.ready(); }
  void defer(deferred_task& task) noexcept { inbox_.append(task); }
  void defer_to_end(deferred_task& task) noexcept { inbox_.append_at_end(task); }
  [[nodiscard]] bool has_queue() const noexcept { return inbox_.size() != 0; }
  void hand_to_owner(const message& carried, std::uint32_t units);

  void hold_requests() noexcept { inbox_.hold_requests(); }
  void admit_requests() noexcept { inbox_.admit_requests(); }
  [[nodiscard]] bool take_user_code() noexcept { return inbox_.take_user_code(); }
  void give_up_user_code() noexcept;
  [[nodiscard]] bool another_thread_has_user_code() const noexcept {
    return inbox_.another_thread_has_user_code();
  }

  /// Keeps the current exception for later calls that need progress, and ends polling.
  void keep_network_failure() noexcept;

  /// True if a wait that runs `kind` has something to do and may not sleep.
  [[nodiscard]] bool has_work(may_run kind) const noexcept;

 private:
  void deliver(const message& received) override;
  void note_refused() noexcept override;
  void note_unsealed() noexcept override;
  void reply(handler_id handler, std::span<const word> arguments,
             std::span<const std::byte> payload) override;
  void reply_to_rank(rank_t target, handler_id handler, std::span<const word> arguments,
                     std::span<const std::byte> payload);
  void flush_replies();
  void note_told(const fabric::message_header& header, word units);
  void accept_near(const message& received);
  void accept(const message& received);
  void join_fragment(const message& fragment);
  void keep(queued_message* kept) noexcept;
  void keep_copy(const message& received, std::uint32_t units);

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

  static constexpr std::size_t most_in_ring = fabric::smp_ring::max_message_bytes / 4;
  /// Largest payload to a rank of this node that is sent in one piece.
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
  void send_whole(rank_t target, handler_id handler, std::span<const word> arguments,
                  std::span<const std::byte> payload, std::uint32_t tag, part_of whole);
  void send_fragments(rank_t target, handler_id handler, std::span<const word> arguments,
                      std::span<const std::byte> payload, std::uint32_t tag);
  void hold_back(rank_t target, const fabric::message_header& header);

  [[nodiscard]] std::byte* block_for(std::size_t bytes, part_of whole);
  [[nodiscard]] bool send_in_block(rank_t target, handler_id handler,
                                   std::span<const word> arguments,
                                   std::span<const std::byte> payload, std::uint32_t tag,
                                   part_of whole);
  void send_block(rank_t target, const fabric::message_header& header, const word* arguments,
                  std::byte* payload, part_of whole);

  class wait_for_room;
  void run_what_came();
  [[gnu::cold]] void run_a_few();

  fabric::smp_ring::cursor cursor_;
  spin_lock ring_lock_;
  fabric::conduit* network_;
  std::size_t max_payload_;
  /// By rank. Same node: cached head of its ring. Other nodes: credit counter (request_window.hpp).
  std::unique_ptr<std::atomic<std::uint64_t>[]> peer_words_;
  window_excess excess_;
  /// By block size: true if the last search found a block.
  std::array<std::atomic<bool>, fabric::smp_blocks::sizes> blocks_come_back_{true, true, true};

  byte_pool& pool_ = pool_of_messages();
  inbox inbox_;
  joined_fragments fragments_;
  std::atomic<word> fragmented_messages_{0};
  reply_queue replies_;
  /// True from a full queue until the next progress_all(): sends of requests then run messages.
  /// Relaxed: guards no data.
  std::atomic<bool> sends_run_requests_{false};

  std::atomic<std::uint32_t> polls_{0};
  std::atomic<std::int64_t> last_repeated_call_{0};
  std::atomic<std::int64_t> aside_until_{0};
  std::atomic<bool> stop_{false};

  bootstrap& launcher_;
  std::once_flag launcher_has_spoken_;
  spin_lock failure_lock_;
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false};
  std::thread helper_;
};

/// Null outside a job.
extern constinit engine* the_engine;

/// Called if a host of the job is lost. This node's ranks throw in their next call and end within
/// seconds.
void note_lost_host(const std::string& problem);

}  // namespace acre::runtime
