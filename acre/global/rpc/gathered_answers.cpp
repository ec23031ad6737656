// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/rpc/gathered_answers.hpp>

#include <acre/base/error.hpp>
#include <acre/global/rpc/gathering.hpp>
#include <acre/global/team/call_under_way.hpp>
#include <acre/global/wire/handler_ids.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>

namespace acre::global {

constinit std::size_t most_gathered_answer_bytes = 0;

namespace {

using fabric::word;
using runtime::message;
using answer_words = std::array<word, 3>;

class gathered_answers : runtime::deferred_task {
 public:
  gathered_answers() noexcept {
    run = [](runtime::deferred_task& task) {
      auto& answers = static_cast<gathered_answers&>(task);
      answers.is_deferred_.store(false);
      answers.gathered_.flush();
    };
  }

  void add(rank_t target, const answer_words& words, std::span<const std::byte> payload) {
    count_call_under_way();
    gathered_.add(target, std::as_bytes(std::span(words)), payload, most_gathered_answer_bytes);
    if (!is_deferred_.exchange(true)) runtime::defer_to_end(*this);
  }
  void clear() noexcept {
    gathered_.clear();
    is_deferred_ = false;
  }

 private:
  gathering gathered_{handler_ids::answer_batch};
  std::atomic<bool> is_deferred_{false};
};

gathered_answers& gathered() {
  static auto& made = *new gathered_answers;
  return made;
}

void receive_batch(const message& batch, runtime::responder&) {
  for_each_item(batch.payload, [&](std::span<const std::byte> item) {
    answer_words words;
    if (item.size() < sizeof words) {
      throw error("rpc", "an answer from rank " + std::to_string(batch.header.source) +
                             " has a truncated header");
    }
    std::memcpy(words.data(), item.data(), sizeof words);
    message each{.header = batch.header, .arguments = words, .payload = item.subspan(sizeof words)};
    each.header.handler = static_cast<std::uint8_t>(handler_ids::rpc_reply);
    each.header.argument_count = words.size();
    each.header.payload_bytes = static_cast<std::uint32_t>(each.payload.size());
    runtime::hand_to_owner(each);
  });
}

[[maybe_unused]] const bool batches_registered =
    runtime::set_builtin_handler(handler_ids::answer_batch, receive_batch);

}  // namespace

bool gather_answer(const rpc_return_address& caller, bool has_failed,
                   std::span<const std::byte> payload) {
  if (most_gathered_answer_bytes == 0 || !caller.may_be_gathered) return false;
  if (runtime::world.bases[caller.caller] != 0 || !runtime::more_is_to_run()) return false;
  if (payload.size() > most_gathered_answer_bytes / 2) return false;
  const answer_words words{caller.promise, caller.finisher, has_failed ? word{1} : word{0}};
  gathered().add(caller.caller, words, payload);
  return true;
}

void gather_answers(std::size_t bytes) noexcept {
  most_gathered_answer_bytes = std::min(bytes, runtime::max_payload());
}

void stop_gathering_answers() noexcept {
  most_gathered_answer_bytes = 0;
  gathered().clear();
}

}  // namespace acre::global
