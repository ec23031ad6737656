// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/call_rounds.hpp>

#include <acre/global/team/call_under_way.hpp>
#include <acre/global/team/detail/call_tally.hpp>
#include <acre/global/team/detail/collective_bytes.hpp>
#include <acre/runtime/wait.hpp>
#include <acre/runtime/world.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <utility>

namespace acre::global {
namespace {

struct most_of_all {
  std::uint64_t number = 0;
  std::uint64_t rank = 0;

  [[nodiscard]] most_of_all or_more(const most_of_all& other) const noexcept {
    if (number != other.number) return number > other.number ? *this : other;
    return rank <= other.rank ? *this : other;
  }
};

struct call_round {
  call_sums calls;
  most_of_all sent;
  most_of_all waiting;
  most_of_all unfinished;
};

struct {
  call_sums before_job;
  std::uint64_t done = 0;
  std::atomic<bool> is_counting{false};  ///< releases before_job to threads that answer other ranks
} known;

constinit kept_calls the_kept_calls{};

std::uint64_t number_of_kept_calls() noexcept {
  return the_kept_calls.count == nullptr ? 0 : the_kept_calls.count();
}

void combine(const void*, std::byte* result, const std::byte* left, const std::byte* right,
             std::size_t count) {
  for (std::size_t i = 0; i < count * sizeof(call_round); i += sizeof(call_round)) {
    call_round a;
    call_round b;
    std::memcpy(&a, left + i, sizeof a);
    std::memcpy(&b, right + i, sizeof b);
    const call_round both{
        .calls = {.sent = a.calls.sent + b.calls.sent, .done = a.calls.done + b.calls.done},
        .sent = a.sent.or_more(b.sent),
        .waiting = a.waiting.or_more(b.waiting),
        .unfinished = a.unfinished.or_more(b.unfinished)};
    std::memcpy(result + i, &both, sizeof both);
  }
}

constexpr combiner add_up{
    .apply = combine, .operation = nullptr, .element_bytes = sizeof(call_round)};

class wait_name {
 public:
  explicit wait_name(collective_kind kind) noexcept : kind_(kind) { update({}); }
  void update(const call_round& last) noexcept {
    if (last.sent.number != 0) {
      std::snprintf(text_, sizeof text_, "%s, while rank %u sends RPCs", name_of(kind_),
                    static_cast<unsigned>(last.sent.rank));
    } else if (last.waiting.number != 0) {
      std::snprintf(text_, sizeof text_, "%s, while %llu calls on rank %u wait for an object",
                    name_of(kind_), static_cast<unsigned long long>(last.waiting.number),
                    static_cast<unsigned>(last.waiting.rank));
    } else if (last.unfinished.number != 0) {
      std::snprintf(text_, sizeof text_, "%s, while %llu calls on rank %u await futures",
                    name_of(kind_), static_cast<unsigned long long>(last.unfinished.number),
                    static_cast<unsigned>(last.unfinished.rank));
    } else {
      std::snprintf(text_, sizeof text_, "%s", name_of(kind_));
    }
  }
  [[nodiscard]] const char* text() const noexcept { return text_; }

 private:
  collective_kind kind_;
  char text_[128];  // for the longest text, with numbers of 20 and 10 digits
};

}  // namespace

bool register_kept_calls(kept_calls functions) noexcept {
  the_kept_calls = functions;
  return true;
}

void start_counting_calls() noexcept {
  if (the_kept_calls.start != nullptr) the_kept_calls.start();
  known.before_job = sum_of_calls();
  known.done = 0;
  known.is_counting.store(true, std::memory_order_release);
}

call_sums calls_of_job() noexcept {
  constexpr std::uint64_t unknown = std::uint64_t{1} << 62;  // no sum of calls done equals it
  if (!known.is_counting.load(std::memory_order_acquire)) return {.sent = unknown, .done = 0};
  return sum_of_calls() - known.before_job;
}

void stop_counting_calls() noexcept { known.is_counting.store(false, std::memory_order_release); }

void fail_kept_calls() noexcept {
  if (the_kept_calls.fail != nullptr) the_kept_calls.fail();
}

void await_all_calls(const team_ref& world, collective_kind kind, const site& where) {
  wait_name name(kind);
  runtime::waiter waiting(name.text(), runtime::may_run::user_code, where);
  if (kind == collective_kind::job_end) waiting.waits_for(&job_end_wait, nullptr);
  std::uint64_t sent_before = (sum_of_calls() - known.before_job).sent;
  for (;;) {
    const call_sums mine = sum_of_calls() - known.before_job;
    call_round all{
        .calls = mine,
        .sent = {mine.sent - sent_before, runtime::world.rank},
        .waiting = {number_of_kept_calls(), runtime::world.rank},
        .unfinished = {unfinished_calls.load(std::memory_order_relaxed), runtime::world.rank}};
    sent_before = mine.sent;
    run_small_allreduce(world, kind, add_up, std::as_writable_bytes(std::span(&all, 1)), where);
    if (all.calls.sent == std::exchange(known.done, all.calls.done)) return;
    name.update(all);
    waiting.step();
  }
}

}  // namespace acre::global
