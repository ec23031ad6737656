// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/rpc/gathering.hpp>

#include <acre/runtime/undisturbed_sends.hpp>
#include <acre/runtime/world.hpp>

#include <mutex>
#include <utility>

namespace acre::global {

void gathering::add(rank_t target, std::span<const std::byte> head, std::span<const std::byte> body,
                    std::size_t most_bytes) {
  using namespace std::chrono_literals;
  packed_items full;
  bool is_late = false;
  {
    const std::lock_guard hold(lock_);
    if (of_rank_.empty()) of_rank_.resize(size());
    packed_items& batch = of_rank_[target];
    const clock::time_point now = clock::now();
    if (targets_.empty()) begin_ = now;
    if (batch.empty()) targets_.push_back(target);
    const std::size_t words = batch.size() + packed_words(head.size() + body.size());
    if (words * sizeof(std::uint64_t) > most_bytes) std::swap(full, batch);
    if (batch.empty()) batch.reserve(most_bytes / sizeof(std::uint64_t));
    pack(head, body, batch);
    is_late = now - begin_ > 1ms;
  }
  if (!full.empty()) send(target, full);
  if (is_late) flush();
}

void gathering::flush(rank_t target) {
  packed_items all;
  {
    const std::lock_guard hold(lock_);
    if (target < of_rank_.size()) std::swap(all, of_rank_[target]);
  }
  if (!all.empty()) send(target, all);
}

void gathering::flush() {
  std::vector<rank_t> targets;
  {
    const std::lock_guard hold(lock_);
    std::swap(targets, targets_);
  }
  for (const rank_t each : targets) flush(each);
}

void gathering::clear() noexcept {
  of_rank_ = {};
  targets_ = {};
}

void gathering::send(rank_t target, const packed_items& batch) const {
  if (sent_ != nullptr) sent_();
  const runtime::undisturbed_sends alone;
  runtime::send(target, handler_, {}, std::as_bytes(std::span(batch)));
}

}  // namespace acre::global
