// SPDX-License-Identifier: BSD-3-Clause
// A message consists of its seal (seals.hpp), header, arguments, payload, and zero padding to
// 64-bit words. Short ones are injected, others sent from slots.
#pragma once

#include <acre/fabric/direct_line.hpp>
#include <acre/fabric/message.hpp>
#include <acre/fabric/ofi_buffers.hpp>
#include <acre/fabric/ofi_endpoint.hpp>
#include <acre/fabric/seals.hpp>

#include <cstddef>
#include <optional>
#include <span>

namespace acre::fabric {

class ofi_messages {
 public:
  /// Must outlive the endpoint, which writes to the buffers until closed.
  /// @param most_under_way  upper bound of slots; below send_slots::most, messages are not injected
  ofi_messages(const ofi_endpoint& fabric, unsigned most_under_way);

  void open(const fi_info& info);
  void connect(seal_kind seals, const secret_key& secret, rank_t self, rank_t ranks);

  [[nodiscard]] std::size_t largest() const noexcept { return largest_; }
  [[nodiscard]] std::size_t max_payload() const noexcept;
  /// Sets the function that sends messages without payload.
  void set_short_sender(direct_line& line) noexcept;

  [[nodiscard]] bool try_send(rank_t target, const message_header& header, const word* arguments,
                              const void* payload);

  /// Buffers of messages, also used for copied puts.
  [[nodiscard]] send_slots& slots() noexcept { return slots_; }

  // For one thread at a time:

  /// Handles a queue entry: delivers a received message, or frees the slot of a sent message or a
  /// copied put.
  /// @return false for all other entries
  bool handle(const fi_cq_data_entry& entry, receiver& inbox);

  /// Counts a failed reception, possibly of an unauthenticated peer's message. (If a rank's message
  /// was lost, its next one reveals that.)
  /// @return false if the entry is not of a message
  /// @throws acre::error if reception is broken
  bool handle_failed_reception(const fi_cq_err_entry& failure, receiver& inbox);

  /// Frees the slot of a failed send.
  /// @return its target; null if `context` is no slot
  std::optional<rank_t> pop_failed_send(const void* context) noexcept;

  /// False if a receive buffer could not be posted; post_all() retries.
  [[nodiscard]] bool all_posted() const noexcept { return all_posted_; }
  void post_all();

 private:
  template <seal_kind Kind>
  static ssize_t send_short(void* self, void* message, std::size_t bytes, std::uint64_t target);
  [[gnu::noinline, gnu::cold]] ssize_t send_rare(void* message, std::size_t bytes, rank_t target,
                                                 std::uint64_t number);
  bool post(receive_buffers::buffer& buffer);
  void post_again(receive_buffers::buffer& buffer);
  void deliver(std::span<const std::byte> bytes, receiver& inbox);

  fid_ep* endpoint_;
  message_seals seals_;
  std::size_t largest_;
  std::size_t injected_;
  send_slots slots_;
  std::optional<receive_buffers> receives_;
  bool multi_receive_ = false;
  bool all_posted_ = false;
  unsigned failed_receptions_ = 0;
};

}  // namespace acre::fabric
