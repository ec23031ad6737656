// How the result of an operation on a hash table comes back from another node:
// to somebody who waits for it, or to a promise.
#pragma once

#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/global/future.hpp>
#include <acre/global/remote_call.hpp>
#include <acre/global/serialization.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/wait.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::detail {

using at_owner::read_all;

inline constexpr fabric::word with_value = 0x100;
/// The value is there, but no message carries it: ask by RPC.
inline constexpr fabric::word answer_is_too_large = 0x200;

template <class V>
[[nodiscard]] fabric::word code_of(const met<V>& result) noexcept {
  return static_cast<fabric::word>(result.what) | (result.value ? with_value : 0);
}

/// @throws acre::error when the bytes are not those of a V
template <class V>
[[nodiscard]] met<V> met_of(fabric::word code, std::span<const std::byte> bytes) {
  met<V> result{outcome(code & 0xff)};
  if ((code & with_value) != 0) result.value.emplace(deserialize<V>(bytes));
  return result;
}

/// @throws acre::error: an operation has thrown at the owner
[[noreturn]] void throw_failed_at_owner(const char* call, rank_t owner,
                                        std::span<const std::byte> why);

/// An answer that its caller waits for. Written by the thread that finds it, read when
/// is_done() (release, acquire).
class awaited_reply : public call_ticket {
 public:
  awaited_reply() noexcept {
    complete = [](call_ticket& ticket, const call_reply& reply) noexcept {
      auto& self = static_cast<awaited_reply&>(ticket);
      self.failed_ = reply.failed;
      self.code_ = reply.code;
      self.bytes_.assign(reply.bytes.begin(), reply.bytes.end());
      self.done_.store(true, std::memory_order_release);
    };
  }

  [[nodiscard]] bool is_done() const noexcept { return done_.load(std::memory_order_acquire); }
  [[nodiscard]] fabric::word code() const noexcept { return code_; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

  /// Two ranks that update each other's keys both run what the other asks for.
  /// @throws acre::error when the call has thrown at the owner
  void await(run_by runner, rank_t owner, const char* call, const std::source_location& where) {
    const auto meanwhile =
        runner == run_by::owner ? runtime::may_run::user_code : runtime::may_run::internal;
    runtime::wait_until([this] { return is_done(); }, call, meanwhile, where);
    if (failed_) throw_failed_at_owner(call, owner, bytes_);
  }

 private:
  bool failed_ = false;
  fabric::word code_ = 0;
  std::vector<std::byte> bytes_;
  std::atomic<bool> done_{false};
};

/// An operation that fulfils a promise. Any thread may find the answer; the promise,
/// which may run user code, is the owner's to fulfil.
template <class V>
class promised_met : public call_ticket, public runtime::deferred_task {
 public:
  /// @param in_flight one more until the promise is fulfilled: what hangs on it may use the table
  promised_met(const char* call, rank_t owner, std::atomic<std::uint64_t>& in_flight)
      : call_(call), owner_(owner), in_flight_(in_flight) {
    in_flight_.fetch_add(1, std::memory_order_relaxed);
    complete = [](call_ticket& ticket, const call_reply& reply) noexcept {
      auto& self = static_cast<promised_met&>(ticket);
      self.failed_ = reply.failed;
      self.code_ = reply.code;
      self.bytes_.assign(reply.bytes.begin(), reply.bytes.end());
      runtime::defer(self);
    };
    run = [](runtime::deferred_task& task) {
      const std::unique_ptr<promised_met> self(static_cast<promised_met*>(&task));
      self->fulfil();
    };
  }
  ~promised_met() { in_flight_.fetch_sub(1, std::memory_order_release); }
  promised_met(const promised_met&) = delete;
  promised_met& operator=(const promised_met&) = delete;

  /// Nothing: the answer is too large.
  [[nodiscard]] future<std::optional<met<V>>> get_future() { return result_.get_future(); }

 private:
  void fulfil() {
    try {
      if (failed_) throw_failed_at_owner(call_, owner_, bytes_);
      std::optional<met<V>> answer;
      if (code_ != answer_is_too_large) answer.emplace(met_of<V>(code_, bytes_));
      result_.set_value(std::move(answer));
    } catch (...) {
      result_.set_exception(std::current_exception());
    }
  }

  promise<std::optional<met<V>>> result_;
  const char* call_;
  rank_t owner_;
  std::atomic<std::uint64_t>& in_flight_;
  bool failed_ = false;
  fabric::word code_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace acre::detail
