// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/detail/inbox.hpp>

#include <acre/runtime/counters.hpp>

#include <mutex>

namespace acre::runtime {
namespace {

thread_local constinit char this_thread = 0;

}  // namespace

inbox::~inbox() {
  for (work left = pop(true); left.task != nullptr || left.mail != nullptr; left = pop(true)) {
    delete left.mail;
  }
}

void inbox::append(deferred_task& task) noexcept {
  const std::lock_guard hold(lock_);
  tasks_.append(&task);
  size_.store(size_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void inbox::append_at_end(deferred_task& task) noexcept {
  const std::lock_guard hold(lock_);
  at_end_.append(&task);
  size_.store(size_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

deferred_task* inbox::pop_at_end() noexcept {
  const std::lock_guard hold(lock_);
  deferred_task* const taken = at_end_.pop();
  if (taken != nullptr) {
    size_.store(size_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  }
  return taken;
}

void inbox::append_answer(queued_message* kept) noexcept {
  const std::lock_guard hold(lock_);
  answers_.append(kept);
  count_in(*kept);
}

void inbox::append_request(queued_message* kept) noexcept {
  const std::lock_guard hold(lock_);
  requests_.append(kept);
  if (first_unacknowledged_ == nullptr) first_unacknowledged_ = kept;
  count_in(*kept);
}

void inbox::count_in(const queued_message& kept) noexcept {
  const std::size_t bytes = bytes_.load(std::memory_order_relaxed) + kept.bytes();
  bytes_.store(bytes, std::memory_order_relaxed);
  count_most(counted::most_inbox_bytes, bytes);
  size_.store(size_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

inbox::work inbox::pop(bool requests_too) noexcept {
  const std::lock_guard hold(lock_);
  work taken{.task = tasks_.pop(), .mail = nullptr, .unacknowledged = false};
  if (taken.task == nullptr) taken.mail = answers_.pop();
  if (taken.task == nullptr && taken.mail == nullptr && requests_too) {
    taken.mail = requests_.pop();
  }
  if (taken.task == nullptr && taken.mail == nullptr) return taken;
  size_.store(size_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  if (taken.mail != nullptr) {
    bytes_.store(bytes_.load(std::memory_order_relaxed) - taken.mail->bytes(),
                 std::memory_order_relaxed);
    taken.unacknowledged = taken.mail == first_unacknowledged_;
    if (taken.unacknowledged) first_unacknowledged_ = first_unacknowledged_->next;
  }
  return taken;
}

bool inbox::has_work_for(share of_thread) const noexcept {
  if (of_thread == share::nothing) return false;
  const std::lock_guard hold(lock_);
  return !tasks_.empty() || !answers_.empty() || !at_end_.empty() ||
         (!requests_.empty() && of_thread == share::all);
}

std::optional<inbox::charge_of> inbox::pop_unacknowledged() noexcept {
  const std::lock_guard hold(lock_);
  if (first_unacknowledged_ == nullptr) return std::nullopt;
  const queued_message& told = *first_unacknowledged_;
  first_unacknowledged_ = told.next;
  return charge_of{.source = told.header.source, .units = told.units};
}

void inbox::set_gate(bool held, const void* runner, std::uint32_t times) noexcept {
  held_ = held;
  runner_ = runner;
  runner_times_ = times;
  const std::uint32_t size = size_.load(std::memory_order_relaxed) & ~gate_bit;
  const bool gated = held || runner != nullptr;
  size_.store(gated ? size | gate_bit : size, std::memory_order_release);
}

void inbox::hold_requests() noexcept {
  const std::lock_guard hold(lock_);
  set_gate(true, runner_, runner_times_);
}

void inbox::admit_requests() noexcept {
  const std::lock_guard hold(lock_);
  set_gate(false, runner_, runner_times_);
}

bool inbox::take_user_code() noexcept {
  const std::lock_guard hold(lock_);
  if (runner_ != nullptr && runner_ != &this_thread) return false;
  set_gate(held_, &this_thread, runner_times_ + 1);
  return true;
}

bool inbox::give_up_user_code() noexcept {
  const std::lock_guard hold(lock_);
  if (runner_ != &this_thread) return false;
  const std::uint32_t left = runner_times_ - 1;
  set_gate(held_, left == 0 ? nullptr : runner_, left);
  return true;
}

bool inbox::another_thread_has_user_code() const noexcept {
  const std::lock_guard hold(lock_);
  return runner_ != nullptr && runner_ != &this_thread;
}

inbox::share inbox::share_behind_gate() const noexcept {
  const std::lock_guard hold(lock_);
  if (runner_ != nullptr && runner_ != &this_thread) return share::nothing;
  return held_ ? share::all_but_requests : share::all;
}

}  // namespace acre::runtime
