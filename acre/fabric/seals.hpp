// What a network's messages carry to prove that they are of this job, and new.
//
// Whoever finds the port of an endpoint can send to it, and the providers of libfabric ask nobody
// who he is. So each message begins with a seal: a hash of its header, its target and its number
// among the messages of this pair, under a key that only the job's ranks have. The number does not
// travel: messages of a pair come in order, so the receiver knows which is next. What was recorded
// and is sent again has the seal of an earlier number, and is foreign like any other; so is a
// message of another job, and one to another rank. The payload is not covered: who can change what
// is on its way is not kept out (docs/security.md).
//
// Sixteen bytes a peer, and 168 instructions a message on each side.
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
    // What a network loses is noticed by one of the next messages.
    constexpr std::uint64_t looked_ahead = 16;
    if (header.source >= numbers_.size()) return verdict::foreign;
    std::uint64_t& next = numbers_[header.source].received;
    if (seal == seal_of(header, self, next)) [[likely]] {
      ++next;
      return verdict::genuine;
    }
    for (std::uint64_t later = next + 1; later <= next + looked_ahead; ++later) {
      if (seal == seal_of(header, self, later)) return verdict::too_early;
    }
    return verdict::foreign;
  }

 private:
  struct numbers {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
  };

  [[nodiscard]] message_seal seal_of(const message_header& header, rank_t target,
                                     std::uint64_t number) const noexcept {
    static_assert(sizeof(header) == 2 * sizeof(std::uint64_t));
    const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(header);
    // A rank has 20 bits; 2^44 messages of a pair are half a year of a million a second.
    return keyed_hash<3>(key_, {words[0], words[1], number << 20 | target});
  }

  secret_key key_;
  std::vector<numbers> numbers_;
};

}  // namespace acre::fabric
