// SPDX-License-Identifier: BSD-3-Clause
// Seals prove that a message is from this job and new: libfabric accepts any sender.
//
// A seal is a keyed hash of header, target and sequence number within the pair; its low 16 bits are
// the number's. Messages of a pair arrive in order, so replayed, foreign and misdirected ones are
// detected, and gaps reveal loss. The payload is not covered (docs/security.md). Cost: 16 bytes per
// peer, 170 instructions per message and side.
#pragma once

#include <acre/base/keyed_hash.hpp>
#include <acre/fabric/message.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::fabric {

using message_seal = std::uint64_t;

class message_seals {
 public:
  message_seals() = default;
  message_seals(const secret_key& secret, rank_t ranks) : key_(secret), numbers_(ranks) {}

  // Sender: one thread at a time, until the network has accepted the message.

  [[nodiscard]] message_seal next(rank_t target, const message_header& header) const noexcept {
    return seal_of(header, target, numbers_[target].sent);
  }
  void note_sent(rank_t target) noexcept { ++numbers_[target].sent; }

  enum class verdict { genuine, foreign, too_early };

  [[nodiscard]] verdict judge(message_seal seal, const message_header& header,
                              rank_t self) noexcept {
    if (header.source >= numbers_.size()) return verdict::foreign;
    std::uint64_t& next = numbers_[header.source].received;
    const std::uint64_t ahead = (seal - next) & number_mask;
    if (seal != seal_of(header, self, next + ahead)) return verdict::foreign;
    if (ahead != 0) return verdict::too_early;
    ++next;
    return verdict::genuine;
  }

 private:
  static constexpr std::uint64_t number_mask = 0xffff;

  struct numbers {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
  };

  [[nodiscard]] message_seal seal_of(const message_header& header, rank_t target,
                                     std::uint64_t number) const noexcept {
    static_assert(sizeof(header) == 2 * sizeof(std::uint64_t));
    const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(header);
    // 20 bits of rank; 2^44 messages per pair: half a year at 10^6 per second.
    const std::uint64_t hash = keyed_hash<3>(key_, {words[0], words[1], number << 20 | target});
    return (hash & ~number_mask) | (number & number_mask);
  }

  secret_key key_;
  std::vector<numbers> numbers_;
};

}  // namespace acre::fabric
