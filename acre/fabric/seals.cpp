// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/seals.hpp>

#include <acre/base/spin_lock.hpp>

#include <cstddef>
#include <new>
#include <sched.h>

namespace acre::fabric {

message_seals::message_seals(seal_kind kind, const secret_key& secret, rank_t self, rank_t ranks)
    : key_(secret), self_(self), ranks_(ranks), kind_(kind) {
  if (kind == seal_kind::unsealed) return;
  sent_ = make_streams(ranks);
  received_ = make_streams(ranks);
  if (kind == seal_kind::aes) aes_ = base::aes_key(secret);
}

message_seals::streams message_seals::make_streams(rank_t ranks) {
  // Large zeroed memory consists of untouched pages.
  static_assert(alignof(sealed_stream) <= alignof(std::max_align_t));
  void* const memory = std::calloc(ranks, sizeof(sealed_stream));
  if (memory == nullptr) throw std::bad_alloc();
  return streams(static_cast<sealed_stream*>(memory));
}

base::aes_block message_seals::state_of(rank_t source, rank_t target,
                                        std::uint64_t number) const noexcept {
  const base::aes_block first{std::uint64_t{source} << 32 | target, number >> 32};
  return aes_.encrypt(first) ^ aes_.first();
}

std::uint64_t message_seals::claim_or_begin(sealed_stream& stream, rank_t target,
                                            std::uint64_t number) const noexcept {
  for (int tries = 0; number == sealed_stream::claimed; ++tries) {
    if (tries < 64) {
      spin_pause();
    } else {
      ::sched_yield();
    }
    number = stream.claim();
  }
  if (kind_ == seal_kind::aes && static_cast<std::uint32_t>(number) == 0) {
    stream.state = state_of(self_, target, number);
  }
  return number;
}

message_seals::verdict message_seals::judge(std::uint64_t seal,
                                            const message_header& header) noexcept {
  if (header.source >= ranks_) return verdict::foreign;
  if (kind_ == seal_kind::unsealed) return verdict::genuine;
  sealed_stream& stream = received_[header.source];
  const std::uint64_t ahead = (seal - stream.number) & number_mask;
  const std::uint64_t number = stream.number + ahead;
  const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(header);
  if (kind_ == seal_kind::siphash) {
    if (seal != seal_of<seal_kind::siphash>(stream.state, words, self_, number))
      return verdict::foreign;
  } else {
    const bool begins = static_cast<std::uint32_t>(number) <= ahead;
    const base::aes_block state = begins ? state_of(header.source, self_, number) : stream.state;
    if (seal != seal_of<seal_kind::aes>(state, words, self_, number)) return verdict::foreign;
    if (ahead == 0) stream.state = state;
  }
  if (ahead != 0) return verdict::too_early;
  ++stream.number;
  return verdict::genuine;
}

}  // namespace acre::fabric
