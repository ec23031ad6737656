// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/gathered_calls.hpp>

#include <acre/agas/detail/agas_counters.hpp>
#include <acre/agas/detail/delivery.hpp>
#include <acre/base/environment.hpp>
#include <acre/global/rpc/gathered_answers.hpp>
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
#include <span>

namespace acre::agas {

constinit std::size_t most_gathered_bytes = 0;

namespace {

constexpr runtime::handler_id call_batch{33};

using runtime::message;

class gathered_calls : runtime::deferred_task {
 public:
  gathered_calls() noexcept {
    run = [](runtime::deferred_task& task) {
      auto& calls = static_cast<gathered_calls&>(task);
      calls.is_deferred_.store(false);
      calls.gathered_.flush();
    };
  }

  void add(rank_t target, parcel_bytes parcel) {
    global::count_call_under_way();
    count(agas_counted::call_gathered);
    gathered_.add(target, {}, parcel, most_gathered_bytes);
    if (!is_deferred_.exchange(true)) runtime::defer(*this);
  }
  void flush(rank_t target) { gathered_.flush(target); }
  void clear() noexcept {
    gathered_.clear();
    is_deferred_ = false;
  }

 private:
  global::gathering gathered_{call_batch, [] { count(agas_counted::call_batch_sent); }};
  std::atomic<bool> is_deferred_{false};
};

gathered_calls& gathered() {
  static auto& made = *new gathered_calls;
  return made;
}

void receive_batch(const message& batch, runtime::responder&) {
  const std::array<fabric::word, 3> words{static_cast<fabric::word>(token_of<&deliver>()), 0, 0};
  message each{.header = batch.header, .arguments = words, .payload = {}};
  each.header.handler = static_cast<std::uint8_t>(global::handler_ids::rpc_request);
  each.header.argument_count = words.size();
  std::size_t left = batch.payload.size();
  global::for_each_item(batch.payload, [&](parcel_bytes parcel) {
    left -= global::packed_words(parcel.size()) * sizeof(std::uint64_t);
    each.payload = parcel;
    each.header.payload_bytes = static_cast<std::uint32_t>(parcel.size());
    left == 0 ? runtime::hand_to_owner(each, batch) : runtime::hand_to_owner(each);
  });
}

[[maybe_unused]] const bool batches_registered =
    runtime::set_builtin_handler(call_batch, receive_batch, {.brings_requests = true});

}  // namespace

bool gather(rank_t target, parcel_bytes parcel) {
  if (!gathers() || runtime::world.bases[target] != 0) return false;
  if (global::packed_words(parcel.size()) * sizeof(std::uint64_t) > most_gathered_bytes / 2) {
    gathered().flush(target);
    return false;
  }
  try {
    gathered().add(target, parcel);
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

void gather_calls(std::size_t bytes) noexcept {
  most_gathered_bytes = std::min(bytes, runtime::max_payload());
  global::gather_answers(bytes);
}

void start_gathering() { gather_calls(environment_size("ACRE_OBJECT_BATCH").value_or(0)); }

void stop_gathering() noexcept {
  most_gathered_bytes = 0;
  gathered().clear();
  global::stop_gathering_answers();
}

}  // namespace acre::agas
