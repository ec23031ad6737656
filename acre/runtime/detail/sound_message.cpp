// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/detail/sound_message.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/detail/body_in_block.hpp>
#include <acre/runtime/detail/fragments.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/world.hpp>

#include <bit>
#include <cstring>

namespace acre::runtime {

std::string sender_of(const fabric::message_header& header) {
  return "a message from rank " + std::to_string(header.source);
}

void reject(const message& received) {
  throw error("progress",
              sender_of(received.header) + " names the unknown handler " +
                  std::to_string(received.header.handler),
              "run the same binary on all ranks");
}

void reject_form(const fabric::message_header& header) {
  constexpr const char* advice =
      "run the same binary on all ranks; otherwise that rank or the network is faulty";
  if (header.source >= world.size) {
    throw error("progress",
                sender_of(header) + " arrived in a job of " + std::to_string(world.size) + " ranks",
                advice);
  }
  throw error("progress",
              sender_of(header) + " to handler " + std::to_string(header.handler) + " has " +
                  std::to_string(header.argument_count) + " arguments and " +
                  std::to_string(header.payload_bytes) + " bytes, which the handler cannot read",
              advice);
}

void require_sound_whole(const message& fragment) {
  fragment_arguments words;
  if (fragment.arguments.size() != words.size()) reject_form(fragment.header);
  std::memcpy(words.data(), fragment.arguments.data(), sizeof words);
  const auto head = std::bit_cast<fragment_head>(words);
  fabric::message_header whole = head.whole;
  whole.source = fragment.header.source;
  require_sound(whole);
  if (handlers[whole.handler].owner == nullptr) {
    reject({.header = whole, .arguments = {}, .payload = {}});
  }
}

bool names_body(const message& received) noexcept {
  return received.header.source < world.size && received.arguments.size() == words_of_body &&
         world.bases[received.header.source] != 0 &&
         borrowed_body::lies_in_blocks(received.arguments.data());
}

}  // namespace acre::runtime
