// SPDX-License-Identifier: BSD-3-Clause
// The active messages of the conduit over libfabric.
//
// A message travels as its seal (seals.hpp), its header, its arguments and its payload, padded to
// whole words. Short ones are injected from the stack, larger ones leave from slots. Each is
// received in a buffer that is posted again when its message has been delivered.
#pragma once

#include <acre/base/spin_lock.hpp>
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
  /// It must outlive the endpoint: what comes while that closes still lands in its buffers.
  /// @param most_under_way  so many are sent at once; send_slots::most: as many as there is room
  /// for
  ofi_messages(const ofi_endpoint& fabric, unsigned most_under_way);

  /// Posts the buffers that messages are received in.
  void open(const fi_info& info);
  /// Until then none is sent, and none is genuine.
  void connect(const secret_key& secret, rank_t self, rank_t ranks);

  /// Bytes of the largest message, all included.
  [[nodiscard]] std::size_t largest() const noexcept { return largest_; }
  [[nodiscard]] std::size_t max_payload() const noexcept;
  /// Whether send_short() is a way for all messages without payload.
  [[nodiscard]] bool sends_short() const noexcept;

  // --- sending ------------------------------------------------------------------

  /// A header and its arguments as they lie in memory.
  /// @return what the provider says
  ssize_t send_short(const void* message, std::size_t bytes, rank_t target);

  /// As conduit::try_send().
  [[nodiscard]] bool try_send(rank_t target, const message_header& header, const word* arguments,
                              const void* payload);

  /// Where messages leave from, and bytes of puts that must be copied: of largest() bytes each.
  [[nodiscard]] send_slots& slots() noexcept { return slots_; }

  // --- what the queue says ----------------------------------------------------------
  // By one thread at a time.

  /// Delivers what has come, and frees what has left.
  /// @return false: the entry is of something else
  bool handle(const fi_cq_data_entry& entry, receiver& inbox);

  /// A message that cannot be received is no end: it may be anybody's. (What is lost of a rank's,
  /// its next message tells.)
  /// @return false: the failure is of something else
  /// @throws acre::error when nothing is received any more
  bool handle_failed_reception(const fi_cq_err_entry& failure, receiver& inbox);

  /// Frees the slot of what could not be sent, and says to whom; nothing where it is something
  /// else that has failed.
  std::optional<rank_t> take_failed_send(const void* context) noexcept;

  /// False where the provider had no room for a buffer: post_all() tries again.
  [[nodiscard]] bool all_posted() const noexcept { return all_posted_; }
  void post_all();

 private:
  template <class Send>
  ssize_t seal_and_send(rank_t target, const message_header& header, std::byte* message,
                        Send&& send);
  bool post(receive_buffers::buffer& buffer);
  void post_again(receive_buffers::buffer& buffer);
  void deliver(std::span<const std::byte> bytes, receiver& inbox);

  fid_ep* endpoint_;
  std::size_t largest_;
  std::size_t injected_;  ///< bytes up to which messages are injected
  send_slots slots_;
  std::optional<receive_buffers> receives_;
  bool multi_receive_ = false;
  bool all_posted_ = false;
  unsigned failed_receptions_ = 0;  ///< since the last message
  rank_t self_ = 0;
  message_seals seals_;
  spin_lock sending_;  ///< from a message's number until the provider has the message
};

}  // namespace acre::fabric
