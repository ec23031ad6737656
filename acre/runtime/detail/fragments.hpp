// SPDX-License-Identifier: BSD-3-Clause
// Messages that are too large for one: they travel in fragments, and are joined where they arrive.
// The fragments of a message come in any order, and those of several of a sender may mix. Private
// to the runtime.
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/runtime/detail/letter.hpp>

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

/// The arguments of a fragment.
struct fragment_head {
  word number;                   ///< of its message, at its source
  word begin;                    ///< of its payload, in the message's body: arguments, then payload
  fabric::message_header whole;  ///< of the message
};
using fragment_arguments = std::array<word, sizeof(fragment_head) / sizeof(word)>;

/// Messages of which fragments have come. Any thread calls it.
class joined_fragments {
 public:
  /// @return the whole message, if this was the last fragment that it lacked; else null
  /// @throws acre::error when the fragment does not fit into its message
  [[nodiscard]] std::unique_ptr<letter> join(byte_pool& pool, const message& fragment) {
    fragment_arguments words;
    std::memcpy(words.data(), fragment.arguments.data(), sizeof words);
    auto head = std::bit_cast<fragment_head>(words);
    head.whole.source = fragment.header.source;  // who has sent the parts has sent the whole
    const std::lock_guard hold(lock_);
    auto& joining = incomplete_[{fragment.header.source, head.number}];
    if (joining == nullptr) {
      joining.reset(letter::make(pool, head.whole));
      joining->bytes_to_come = body_bytes(head.whole);
    }
    require_room(*joining, head, fragment.payload.size());
    std::memcpy(joining->body() + head.begin, fragment.payload.data(), fragment.payload.size());
    joining->bytes_to_come -= fragment.payload.size();
    if (joining->bytes_to_come != 0) return nullptr;
    std::unique_ptr<letter> whole = std::move(joining);
    incomplete_.erase({fragment.header.source, head.number});
    return whole;
  }

 private:
  [[nodiscard]] static std::size_t body_bytes(const fabric::message_header& whole) noexcept {
    return whole.argument_count * sizeof(word) + whole.payload_bytes;
  }

  /// @throws acre::error when the fragment is of another message, or would lie outside of this one
  static void require_room(const letter& joining, const fragment_head& head, std::size_t bytes) {
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
  std::map<std::pair<rank_t, word>, std::unique_ptr<letter>> incomplete_;  ///< by source and number
};

}  // namespace acre::runtime
