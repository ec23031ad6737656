#include <acre/agas/detail/gathered_calls.hpp>

#include <acre/agas/detail/agas_counters.hpp>
#include <acre/agas/detail/delivery.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/global/call_under_way.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/undisturbed_sends.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace acre::detail {

constinit std::size_t most_gathered_bytes = 0;

namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;
using runtime::message;

// --- at the caller -----------------------------------------------------------------------

class gathered_calls : runtime::deferred_task {
 public:
  gathered_calls() noexcept {
    run = [](runtime::deferred_task& task) {
      auto& calls = static_cast<gathered_calls&>(task);
      calls.is_deferred_.store(false);
      calls.flush();
    };
  }

  void add(rank_t target, parcel_bytes parcel) {
    packed_parcels full;
    bool is_late = false;
    {
      const std::lock_guard hold(lock_);
      if (of_rank_.empty()) of_rank_.resize(size());
      packed_parcels& batch = of_rank_[target];
      const clock::time_point now = clock::now();
      if (targets_.empty()) begin_ = now;
      if (batch.empty()) targets_.push_back(target);
      if ((batch.size() + packed_words(parcel)) * sizeof(std::uint64_t) > most_gathered_bytes) {
        std::swap(full, batch);
      }
      if (batch.empty()) batch.reserve(most_gathered_bytes / sizeof(std::uint64_t));
      pack(parcel, batch);
      count_call_under_way();
      count(agas_counted::call_gathered);
      is_late = now - begin_ > 1ms;
    }
    if (!is_deferred_.exchange(true)) runtime::defer(*this);
    if (!full.empty()) send(target, full);
    if (is_late) flush();
  }
  /// What has been gathered for a rank.
  void flush(rank_t target) {
    packed_parcels all;
    {
      const std::lock_guard hold(lock_);
      if (target < of_rank_.size()) std::swap(all, of_rank_[target]);
    }
    if (!all.empty()) send(target, all);
  }
  void clear() noexcept {
    of_rank_ = {};
    targets_ = {};
    is_deferred_ = false;
  }

 private:
  void flush() {
    std::vector<rank_t> targets;
    {
      const std::lock_guard hold(lock_);
      std::swap(targets, targets_);
    }
    for (const rank_t each : targets) flush(each);
  }
  static void send(rank_t target, const packed_parcels& batch) {
    count(agas_counted::call_batch_sent);
    const runtime::undisturbed_sends alone;
    runtime::send(target, runtime::handler_id::call_batch, {}, std::as_bytes(std::span(batch)));
  }

  spin_lock lock_;
  std::vector<packed_parcels> of_rank_;
  std::vector<rank_t> targets_;  ///< of which something has been gathered
  clock::time_point begin_;      ///< when the first of it came
  std::atomic<bool> is_deferred_{false};
};

gathered_calls& gathered() {
  static auto& made = *new gathered_calls;
  return made;
}

// --- at the target -----------------------------------------------------------------------

void take_batch(const message& batch, runtime::responder&) {
  const std::array<fabric::word, 3> words{static_cast<fabric::word>(token_of_delivery()), 0, 0};
  message each{.header = batch.header, .arguments = words, .payload = {}};
  each.header.handler = static_cast<std::uint8_t>(runtime::handler_id::rpc_request);
  each.header.argument_count = words.size();
  std::size_t left = batch.payload.size();
  for_each_parcel(batch.payload, [&](parcel_bytes parcel) {
    left -= packed_words(parcel) * sizeof(std::uint64_t);
    each.payload = parcel;
    each.header.payload_bytes = static_cast<std::uint32_t>(parcel.size());
    left == 0 ? runtime::hand_to_owner(each, batch) : runtime::hand_to_owner(each);
  });
}

[[maybe_unused]] const bool batches_registered =
    runtime::set_builtin_handler(runtime::handler_id::call_batch, take_batch);

}  // namespace

bool gather(rank_t target, parcel_bytes parcel) {
  if (!gathers() || runtime::world.bases[target] != 0) return false;
  if (packed_words(parcel) * sizeof(std::uint64_t) > most_gathered_bytes / 2) {
    gathered().flush(target);
    return false;
  }
  gathered().add(target, parcel);
  return true;
}

void gather_calls(std::size_t bytes) noexcept {
  most_gathered_bytes = std::min(bytes, runtime::max_payload());
}

void start_gathering() { gather_calls(environment_size("ACRE_OBJECT_BATCH").value_or(0)); }

void stop_gathering() noexcept {
  most_gathered_bytes = 0;
  gathered().clear();
}

}  // namespace acre::detail
