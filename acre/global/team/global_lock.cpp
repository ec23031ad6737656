// SPDX-License-Identifier: BSD-3-Clause
// Who writes which word, and when the others see it. M and P are numbers of members, and 1; 0 is
// nobody.
//
//   tail     of the host alone. Exchanged for M by who comes; from M to 0 by who leaves, if nobody
//            came behind it. It is always the last of the queue.
//   next     of each member M. Reset by M before it exchanges the tail; set by the one behind M,
//            once, which learnt of M by that exchange. M does not leave before it is set, if
//            anybody is behind it; so the next reset cannot meet a late store.
//   granted  of each member M. Reset by M before it exchanges the tail; set by the one before M,
//            once, which learnt of M from its own `next`.
//
// Resets are relaxed: the exchange that follows makes them known, and nobody writes these words
// before it. The exchange acquires what the one before released, and each store releases: who has
// the lock has seen `granted` or a tail of 0, and so all that its predecessor had done, whose
// operations on third nodes were complete (quiet) before it let go. Where these words are on other
// nodes, the CPU there stores them when the message comes, with the same instructions; a message is
// behind a full fence.
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

/// Each on a line of its own: it is written by others while its owner looks at another.
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

/// Stores into another member's word, which may sleep until that changes.
void tell(const team& members, rank_t member, global_ptr<word> its, word value) {
  atomic_store_nbi(its, value, std::memory_order_release);
  // Across nodes the message wakes it.
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

/// std::scoped_lock calls from there.
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
        std::string(state_ == state::held ? "this rank has the lock already"
                                          : "this rank waits for the lock already") +
            words_of_place(where),
        "a rank takes it once: several threads, and RPCs that run while the rank waits, need "
        "a lock of their own");
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
    throw error("global_lock::unlock", "this rank has not got the lock" + words_of_place(where),
                "only who called lock() calls unlock()");
  }
  // Destructors call it: what fails here is heard of later, and the lock goes on.
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
    // Somebody is behind this rank, and about to say who.
    runtime::wait_until([&] { return load(mine.next) != 0; }, "global_lock::unlock",
                        runtime::may_run::internal, place_of(where));
  }
  const auto next = static_cast<rank_t>(load(mine.next) - 1);
  tell(members(), next,
       global_ptr<word>::from_bits(memory().bits_of(next) + offsetof(words, granted)), 1);
}

}  // namespace acre
