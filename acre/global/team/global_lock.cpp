// SPDX-License-Identifier: BSD-3-Clause
// Writers of each word. M is a member number plus 1; 0 is empty.
//
//   tail     of the host: last of the queue. Exchanged for M on arrival (try_lock: if 0); from M
//            to 0 on leaving without successor.
//   next     of member M. Reset by M before that exchange; set once by its successor, which got M
//            from its exchange. M awaits it before leaving, so no reset meets a late store.
//   granted  of member M. Reset likewise; set once by its predecessor, which read M from `next`.
//
// Resets are relaxed: the exchange publishes them. Exchanges acquire and stores release, so a
// holder sees all writes of its predecessor, whose remote operations were complete (quiet). Stores
// to other nodes are messages, sent after a full fence.
#include <acre/global/team/global_lock.hpp>

#include <acre/base/error.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/wait.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <string_view>

namespace acre {

struct global_lock::words {
  alignas(64) std::uint64_t next = 0;
  alignas(64) std::uint64_t granted = 0;
};

namespace {

using word = std::uint64_t;

[[nodiscard]] word load(const word& of_mine) noexcept {
  return std::atomic_ref(const_cast<word&>(of_mine)).load(std::memory_order_acquire);
}
void reset(word& of_mine) noexcept { std::atomic_ref(of_mine).store(0, std::memory_order_relaxed); }

void tell(const team& members, rank_t member, global_ptr<word> its, word value) {
  atomic_store_nbi(its, value, std::memory_order_release);
  if (its.is_local()) runtime::ring_bell(members.world_rank(member));
}

}  // namespace

global_lock::global_lock(const team& members, hosted_by host, const site& where)
    : global_lock(hosted_memory(members, host, sizeof(word), alignof(words), "global_lock",
                                {.number = 1, .unit = "word"}, where),
                  members, where) {}

global_lock::global_lock(hosted_memory tail, const team& members, const site& where)
    : team_object(members,
                  team_memory(members, sizeof(words), alignof(words), "global_lock", where),
                  "the destructor of the global_lock made", where),
      tail_(std::move(tail)),
      made_(where) {
  const runtime::failures_held until_it_is_there;
  if (tail_.mine() != nullptr) ::new (tail_.mine()) word(0);
  ::new (memory().mine()) words;
  members.barrier(where);
}

global_lock::~global_lock() {
  release();
  end().release(tail_, members());
}

global_ptr<std::uint64_t> global_lock::tail() const noexcept {
  return global_ptr<word>::from_bits(tail_.bits());
}

namespace {

[[nodiscard]] bool is_of_standard_library(const site& where) noexcept {
  const std::string_view file = where.file_name();
  return file.find("/include/c++/") != std::string_view::npos;
}

}  // namespace

const site& global_lock::place_of(const site& call) const noexcept {
  return is_of_standard_library(call) ? made_ : call;
}

std::string global_lock::words_of_place(const site& call) const {
  return (is_of_standard_library(call) ? ", which was made" : "") + describe_place(place_of(call));
}

void global_lock::start(const char* call, const site& where) {
  if (state_ != state::idle) {
    throw error(
        call,
        std::string(state_ == state::held ? "this rank already holds the lock"
                                          : "this rank already waits for the lock") +
            words_of_place(where),
        "a rank can lock it once: use a second lock for other threads, and for RPCs that run "
        "during a wait");
  }
  auto& mine = *reinterpret_cast<words*>(memory().mine());
  reset(mine.next);
  reset(mine.granted);
}

void global_lock::lock(const site& where) {
  start("global_lock::lock", where);
  const word me = members().rank() + word{1};
  const word before = atomic_exchange(tail(), me);
  if (before != 0) {
    state_ = state::waiting;
    const auto previous = static_cast<rank_t>(before - 1);
    tell(members(), previous,
         global_ptr<word>::from_bits(memory().bits_of(previous) + offsetof(words, next)), me);
    const auto& mine = *reinterpret_cast<const words*>(memory().mine());
    runtime::wait_until(
        [&] { return load(mine.granted) != 0; },
        is_of_standard_library(where) ? "global_lock::lock of the lock made" : "global_lock::lock",
        runtime::may_run::user_code, place_of(where));
  }
  state_ = state::held;
}

bool global_lock::try_lock(const site& where) {
  start("global_lock::try_lock", where);
  if (atomic_compare_exchange(tail(), 0, members().rank() + word{1}) != 0) return false;
  state_ = state::held;
  return true;
}

void global_lock::unlock(const site& where) {
  if (state_ != state::held) {
    throw error("global_lock::unlock", "this rank does not hold the lock" + words_of_place(where),
                "call lock() before unlock()");
  }
  // Destructors of scoped locks call unlock(), so failures are kept.
  try {
    quiet();
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
  state_ = state::idle;
  try {
    hand_over(where);
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
}

void global_lock::hand_over(const site& where) {
  const word me = members().rank() + word{1};
  const auto& mine = *reinterpret_cast<const words*>(memory().mine());
  if (load(mine.next) == 0) {
    if (atomic_compare_exchange(tail(), me, 0) == me) return;
    runtime::wait_until([&] { return load(mine.next) != 0; }, "global_lock::unlock",
                        runtime::may_run::internal, place_of(where));
  }
  const auto next = static_cast<rank_t>(load(mine.next) - 1);
  tell(members(), next,
       global_ptr<word>::from_bits(memory().bits_of(next) + offsetof(words, granted)), 1);
}

}  // namespace acre
