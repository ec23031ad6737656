// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/call_tally.hpp>

#include <mutex>

namespace acre::global {

constinit thread_local thread_tally calls_of_this_thread;

namespace {

struct tally_list {
  std::mutex lock;
  thread_tally* first = nullptr;
  call_sums ended;
};

/// Never destroyed: threads may outlive static objects.
tally_list& list() {
  static auto& made = *new tally_list;
  return made;
}

std::uint64_t number_in(const std::atomic<std::uint64_t>& word) noexcept {
  return word.load(std::memory_order_acquire) + 1;
}

void merge_from(thread_tally& from) noexcept {
  list().ended.sent += number_in(from.sent);
  list().ended.done += number_in(from.done);
  from.sent.store(thread_tally::none, std::memory_order_relaxed);
  from.done.store(thread_tally::none, std::memory_order_relaxed);
}

class tally_closer {
 public:
  void watch() noexcept {}
  ~tally_closer() {
    thread_tally& mine = calls_of_this_thread;
    const std::lock_guard hold(list().lock);
    thread_tally** link = &list().first;
    while (*link != &mine) link = &(*link)->next;
    *link = mine.next;
    merge_from(mine);
    mine.has_ended = true;
  }
};
thread_local tally_closer closer;

}  // namespace

void list_calls_of_this_thread() noexcept {
  thread_tally& mine = calls_of_this_thread;
  if (mine.is_listed && !mine.has_ended) return;
  if (!mine.is_listed) closer.watch();
  const std::lock_guard hold(list().lock);
  if (mine.has_ended) return merge_from(mine);
  mine.is_listed = true;
  mine.next = list().first;
  list().first = &mine;
}

void undo_call_sent() noexcept {
  const std::lock_guard hold(list().lock);
  --list().ended.sent;
}

call_sums sum_of_calls() noexcept {
  const std::lock_guard hold(list().lock);
  call_sums all = list().ended;
  for (const thread_tally* each = list().first; each != nullptr; each = each->next) {
    all.sent += number_in(each->sent);
    all.done += number_in(each->done);
  }
  return all;
}

}  // namespace acre::global
