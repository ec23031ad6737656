// SPDX-License-Identifier: BSD-3-Clause
// Joins fragments of large messages, which arrive in any order and may interleave.
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/runtime/detail/queued_message.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace acre::runtime {

struct fragment_head {
  word number;
  word begin;
  fabric::message_header whole;
};
using fragment_arguments = std::array<word, sizeof(fragment_head) / sizeof(word)>;

/// Thread-safe.
class joined_fragments {
 public:
  /// @return the whole message after its last fragment; else null
  /// @throws acre::error if the fragment does not fit
  [[nodiscard]] std::unique_ptr<queued_message> join(byte_pool& pool, const message& fragment) {
    fragment_arguments words;
    std::memcpy(words.data(), fragment.arguments.data(), sizeof words);
    auto head = std::bit_cast<fragment_head>(words);
    head.whole.source = fragment.header.source;
    const std::lock_guard hold(lock_);
    auto& joining = incomplete_[{fragment.header.source, head.number}];
    if (joining == nullptr) {
      joining.reset(queued_message::make(pool, head.whole));
      joining->bytes_to_come = body_bytes(head.whole);
    }
    require_room(*joining, head, fragment.payload.size());
    std::memcpy(joining->body() + head.begin, fragment.payload.data(), fragment.payload.size());
    joining->bytes_to_come -= fragment.payload.size();
    if (joining->bytes_to_come != 0) return nullptr;
    std::unique_ptr<queued_message> whole = std::move(joining);
    incomplete_.erase({fragment.header.source, head.number});
    return whole;
  }

 private:
  [[nodiscard]] static std::size_t body_bytes(const fabric::message_header& whole) noexcept {
    return whole.argument_count * sizeof(word) + whole.payload_bytes;
  }

  static void require_room(const queued_message& joining, const fragment_head& head,
                           std::size_t bytes) {
    const std::size_t all = body_bytes(joining.header);
    const bool is_of_it =
        body_bytes(head.whole) == all && head.whole.argument_count == joining.header.argument_count;
    if (is_of_it && head.begin <= all && bytes <= all - head.begin &&
        bytes <= joining.bytes_to_come)
      return;
    throw error("progress", "a fragment from rank " + std::to_string(joining.header.source) +
                                " does not fit into its message of " + std::to_string(all) +
                                " bytes");
  }

  spin_lock lock_;
  std::map<std::pair<rank_t, word>, std::unique_ptr<queued_message>> incomplete_;
};

}  // namespace acre::runtime
