// SPDX-License-Identifier: BSD-3-Clause
// Seals prove that a message is from this job and new: libfabric accepts any sender.
//
// A seal is a keyed hash of header, pair of ranks and sequence number within the pair; its low 16
// bits are the number's. Messages of a pair arrive in order, so replayed, foreign and misdirected
// ones are detected, and gaps reveal loss. The payload is not covered (docs/security.md).
//
// With AES the hash is the CBC-MAC of two blocks: pair and epoch (the number's upper half), then
// header and number. The state after the first block is stored, so a message costs one block.
#pragma once

#include <acre/base/aes.hpp>
#include <acre/base/keyed_hash.hpp>
#include <acre/fabric/message.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sys/types.h>

namespace acre::fabric {

/// Ascending by strength: a job uses the weakest of its ranks.
enum class seal_kind : std::uint8_t { unsealed, siphash, aes };

/// Messages of a pair in one direction; all zero at the start.
struct sealed_stream {
  /// Number of the next message. Sender: `claimed` while a thread sends, exchanged with acquire,
  /// stored with release, so that numbers are in the order of messages. Receiver: of the polling
  /// thread.
  std::uint64_t number;
  base::aes_block state;  ///< guarded by `number`

  static constexpr std::uint64_t claimed = ~std::uint64_t{0};

  [[nodiscard]] std::uint64_t claim() noexcept {
    return std::atomic_ref(number).exchange(claimed, std::memory_order_acquire);
  }
  void release(std::uint64_t next) noexcept {
    std::atomic_ref(number).store(next, std::memory_order_release);
  }
};

class message_seals {
 public:
  message_seals() = default;
  /// Memory: 64 bytes per peer, committed when first used.
  message_seals(seal_kind kind, const secret_key& secret, rank_t self, rank_t ranks);

  [[nodiscard]] seal_kind kind() const noexcept { return kind_; }

  /// Seals a message_head and calls send(), which returns 0 if the message was sent.
  template <class Send>
  ssize_t seal_and_send(rank_t target, void* message, Send&& send) noexcept {
    if (kind_ == seal_kind::unsealed) return send();
    sealed_stream& stream = stream_to(target);
    std::uint64_t number = stream.claim();
    if (is_rare(number)) number = claim_or_begin(stream, target, number);
    return send_claimed(stream, target, number, message, send);
  }

  // The parts of seal_and_send(), for jobs with seals.

  [[nodiscard]] sealed_stream& stream_to(rank_t target) noexcept { return sent_[target]; }

  /// True if claim_or_begin() must follow claim(): the stream is claimed, or an epoch begins.
  [[nodiscard]] static bool is_rare(std::uint64_t number) noexcept {
    return static_cast<std::uint32_t>(number + 1) <= 1;
  }
  /// Waits for the stream if necessary.
  /// @param number  from claim()
  [[nodiscard]] std::uint64_t claim_or_begin(sealed_stream& stream, rank_t target,
                                             std::uint64_t number) const noexcept;

  template <class Send>
  ssize_t send_claimed(sealed_stream& stream, rank_t target, std::uint64_t number, void* message,
                       Send&& send) noexcept {
    return kind_ == seal_kind::aes
               ? send_claimed<seal_kind::aes>(stream, target, number, message, send)
               : send_claimed<seal_kind::siphash>(stream, target, number, message, send);
  }
  template <seal_kind Kind, class Send>
  [[gnu::always_inline]] inline ssize_t send_claimed(sealed_stream& stream, rank_t target,
                                                     std::uint64_t number, void* message,
                                                     Send&& send) noexcept {
    std::array<std::uint64_t, 2> header;
    std::memcpy(&header, static_cast<std::byte*>(message) + offsetof(message_head, header),
                sizeof header);
    const std::uint64_t seal = seal_of<Kind>(stream.state, header, target, number);
    std::memcpy(message, &seal, sizeof seal);
    const ssize_t result = send();
    stream.release(result == 0 ? number + 1 : number);
    return result;
  }

  enum class verdict { genuine, foreign, too_early };

  [[nodiscard]] verdict judge(std::uint64_t seal, const message_header& header) noexcept;

  /// For tests: continues both streams with this peer at `number`, of the current epoch.
  void skip_to(std::uint64_t number, rank_t peer) noexcept {
    sent_[peer].number = received_[peer].number = number;
  }

 private:
  static constexpr std::uint64_t number_mask = 0xffff;

  template <seal_kind Kind>
  [[nodiscard, gnu::always_inline]] inline std::uint64_t seal_of(
      const base::aes_block& state, const std::array<std::uint64_t, 2>& header, rank_t target,
      std::uint64_t number) const noexcept {
    if constexpr (Kind == seal_kind::aes) {
      // The number changes source and tag invertibly: the state contains source and epoch.
      const base::aes_block last{header[1] ^ number, header[0]};
      using shorts [[gnu::vector_size(16)]] = std::uint16_t;
      auto seal = std::bit_cast<shorts>(aes_.encrypt_sum(last ^ state));
      seal[0] = static_cast<std::uint16_t>(number);
      return std::bit_cast<base::aes_block>(seal)[0];
    } else {
      // 20 bits of rank; 2^44 messages per pair: half a year at 10^6 per second.
      const std::uint64_t hash = keyed_hash<3>(key_, {header[0], header[1], number << 20 | target});
      return (hash & ~number_mask) | (number & number_mask);
    }
  }

  /// The stream's state for the epoch of `number`.
  [[nodiscard]] base::aes_block state_of(rank_t source, rank_t target,
                                         std::uint64_t number) const noexcept;

  struct free_memory {
    void operator()(void* memory) const noexcept { std::free(memory); }
  };
  using streams = std::unique_ptr<sealed_stream[], free_memory>;
  [[nodiscard]] static streams make_streams(rank_t ranks);

  streams sent_;
  base::aes_key aes_;
  streams received_;
  secret_key key_;
  rank_t self_ = 0;
  rank_t ranks_ = 0;
  seal_kind kind_ = seal_kind::unsealed;
};

}  // namespace acre::fabric
