// SPDX-License-Identifier: BSD-3-Clause
// What a network's messages carry to prove that they are of this job, and new.
//
// Whoever finds the port of an endpoint can send to it, and the providers of libfabric ask nobody
// who he is. So each message begins with a seal: a hash of its header, its target and its number
// among the messages of this pair, under a key that only the job's ranks have. Messages of a pair
// come in order, so the receiver knows which is next. What was recorded and is sent again has an
// earlier number, and is foreign like any other; so is a message of another job, and one to another
// rank. Of the number the last 16 bits travel, in place of as many of the hash: so a message behind
// one that was lost on its way is told from what is foreign. The payload is not covered: who can
// change what is on its way is not kept out (docs/security.md).
//
// Sixteen bytes a peer, and some 170 instructions a message on each side.
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

  // --- of what is sent ----------------------------------------------------------
  // By one thread at a time, until the network has the message.

  [[nodiscard]] message_seal next(rank_t target, const message_header& header) const noexcept {
    return seal_of(header, target, numbers_[target].sent);
  }
  void note_sent(rank_t target) noexcept { ++numbers_[target].sent; }

  // --- of what has come -----------------------------------------------------------
  // By one thread at a time.

  enum class verdict {
    genuine,
    foreign,   ///< of another job, of nobody, sent again, or damaged
    too_early  ///< of this job; but messages before it are lost
  };

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
    // A rank has 20 bits; 2^44 messages of a pair are half a year of a million a second.
    const std::uint64_t hash = keyed_hash<3>(key_, {words[0], words[1], number << 20 | target});
    return (hash & ~number_mask) | (number & number_mask);
  }

  secret_key key_;
  std::vector<numbers> numbers_;
};

}  // namespace acre::fabric
