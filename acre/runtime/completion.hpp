// SPDX-License-Identifier: BSD-3-Clause
// Completion records of operations under way. The provider, a message or another thread writes the
// outcome, then calls the record's `complete`.
//
// Records are on the heap (block_pool.hpp), as an exception may unwind the waiting frame. Both
// sides exchange the stage once; the second frees the record:
//
//     completer:  writes the outcome, then exchanges `done` (release)
//     waiter:     loads `done` (acquire), then reads; when leaving, exchanges `abandoned`
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/runtime/block_pool.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/wait.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace acre::runtime {

template <class Record>
concept completable =
    std::is_default_constructible_v<Record> &&
    requires(Record& record, void (*f)(Record&) noexcept) { record.complete = f; };

/// A started operation and its record. Not thread-safe.
template <completable Record>
class [[nodiscard]] awaited {
 public:
  awaited() noexcept = default;

  /// Makes a record with `room` bytes; issue(record, bytes) starts the operation. If issue throws
  /// or returns false, nothing was started.
  template <class Issue>
    requires std::invocable<Issue&, Record&, std::byte*>
  awaited(std::size_t room, Issue&& issue) : state_(state::make(room)) {
    try_issue(issue);
  }

  awaited(awaited&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  awaited& operator=(awaited&& other) noexcept {
    awaited(std::move(other)).swap(*this);
    return *this;
  }
  ~awaited() {
    if (state_ != nullptr) state_->leave();
  }

  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

  /// Starts another operation with this record; the previous one must be done.
  template <class Issue>
  void start_again(Issue&& issue) {
    state_->how_far.store(stage::pending, std::memory_order_relaxed);
    try_issue(issue);
  }

  [[nodiscard]] bool is_done() const noexcept {
    return state_->how_far.load(std::memory_order_acquire) == stage::done;
  }

  /// @throws acre::error if the network is lost
  void wait(const char* what, may_run meanwhile = may_run::internal,
            const site& where = site::current()) const {
    wait_until([this] { return is_done(); }, what, meanwhile, where);
  }

  /// Valid once done.
  [[nodiscard]] Record& operator*() const noexcept { return *state_; }
  [[nodiscard]] Record* operator->() const noexcept { return state_; }
  [[nodiscard]] std::byte* room() const noexcept { return state_->room(); }

  /// Converts to a handle for C; exactly one from_handle() must follow.
  [[nodiscard]] void* to_handle() && noexcept { return std::exchange(state_, nullptr); }
  [[nodiscard]] static awaited from_handle(void* handle) noexcept {
    awaited taken;
    taken.state_ = static_cast<state*>(handle);
    return taken;
  }
  [[nodiscard]] static bool is_done(const void* handle) noexcept {
    return static_cast<const state*>(handle)->how_far.load(std::memory_order_acquire) ==
           stage::done;
  }

  void swap(awaited& other) noexcept { std::swap(state_, other.state_); }

 private:
  enum class stage : std::uint32_t { pending, done, abandoned };

  struct alignas(std::max_align_t) state final : Record {
    std::atomic<stage> how_far{stage::pending};
    std::size_t bytes;

    static state* make(std::size_t room) {
      const std::size_t bytes = sizeof(state) + room;
      return ::new (allocate_block(bytes)) state(bytes);
    }
    explicit state(std::size_t all) noexcept : bytes(all) {
      this->complete = [](Record& finished) noexcept {
        auto& self = static_cast<state&>(finished);
        if (self.how_far.exchange(stage::done, std::memory_order_acq_rel) == stage::abandoned) {
          self.free();
        }
      };
    }
    [[nodiscard]] std::byte* room() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
    void leave() noexcept {
      if (how_far.load(std::memory_order_acquire) == stage::done ||
          how_far.exchange(stage::abandoned, std::memory_order_acq_rel) == stage::done) {
        free();
      }
    }
    void free() noexcept {
      const std::size_t all = bytes;
      this->~state();
      return_block(this, all);
    }
  };

  template <class Issue>
  void try_issue(Issue& issue) {
    try {
      if constexpr (std::same_as<std::invoke_result_t<Issue&, Record&, std::byte*>, bool>) {
        if (!issue(static_cast<Record&>(*state_), state_->room())) forget();
      } else {
        issue(static_cast<Record&>(*state_), state_->room());
      }
    } catch (...) {
      forget();
      throw;
    }
  }
  void forget() noexcept { std::exchange(state_, nullptr)->free(); }

  state* state_ = nullptr;
};

template <completable Record, class Finish>
struct finishing_record final : Record, pooled {
  explicit finishing_record(Finish&& given) : finish(std::move(given)) {
    this->complete = [](Record& finished) noexcept {
      const base::unique_object<finishing_record> self(static_cast<finishing_record*>(&finished));
      self->finish(finished);
    };
  }
  Finish finish;
};

template <completable Record, class Finish>
struct deferred_record final : Record, deferred_task, pooled {
  explicit deferred_record(Finish&& given) : finish(std::move(given)) {
    this->complete = [](Record& finished) noexcept {
      defer(static_cast<deferred_record&>(finished));
    };
    this->run = [](deferred_task& task) {
      const base::unique_object<deferred_record> self(static_cast<deferred_record*>(&task));
      self->finish(static_cast<Record&>(*self));
    };
  }
  Finish finish;
};

template <class Made, completable Record, class Finish, class Issue>
void issue_record(Finish finish, Issue&& issue) {
  auto made = base::make_unique_object<Made>(std::move(finish));
  issue(static_cast<Record&>(*made), made->finish);
  static_cast<void>(made.release());
}

/// Starts an operation by issue(record, finish). At completion, finish(record) runs in any thread:
/// it must be short, and not send or wait.
template <completable Record, class Finish, class Issue>
void finish_anywhere(Finish finish, Issue&& issue) {
  issue_record<finishing_record<Record, Finish>, Record>(std::move(finish), issue);
}

/// As above, but finish(record) runs in the owner's calls and may run user code.
template <completable Record, class Finish, class Issue>
void finish_by_owner(Finish finish, Issue&& issue) {
  issue_record<deferred_record<Record, Finish>, Record>(std::move(finish), issue);
}

}  // namespace acre::runtime
