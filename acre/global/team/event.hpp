// SPDX-License-Identifier: BSD-3-Clause
// Events: post() increments a member's counter, its wait() subtracts. Early posts are not lost;
// several members may post to one.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/memory/put_signal.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/team.hpp>

#include <cstdint>
#include <span>
#include <type_traits>

namespace acre {

/// Moves are local. Thread-safe.
class event {
 public:
  /// Makes an empty handle.
  event() noexcept;
  /// Collective. Cost: B and 1 allgather.
  explicit event(const team& members, const site& where = site::current());
  event(event&&) noexcept;
  event& operator=(event&&) noexcept;
  /// Collective, B. During stack unwinding it does not wait, but notifies waiting members.
  ~event();

  /// Waits for this rank's operations without a future (quiet), then increments the counter of
  /// member `number`, which sees their effects after wait(). Cost: A and quiet.
  /// @throws acre::error if there is no member `number`
  void post(rank_t number, const site& where = site::current());
  void post(member who, const site& where = site::current()) { post(number_of(who), where); }

  /// Writes `values` at `target`, then increments the member's counter; orders these values only.
  /// `values` may be reused at return. Cost: M; within a node W + A; for large values W + M or W +
  /// A.
  /// @throws acre::error unless `target` is the member's
  template <writable T>
  void post(rank_t number, global_ptr<T> target, std::span<const std::type_identity_t<T>> values,
            const site& where = site::current()) {
    put_signal(target, values, pointer(number, where), 1, signal_operation::add, where);
    wake(number);
  }

  /// Waits until this rank's counter is at least `count` and subtracts it; RPCs run meanwhile.
  /// Cost: l.
  /// @throws acre::error if posts are missing and a member has left by an exception
  void wait(std::uint64_t count = 1, const site& where = site::current());
  /// Non-blocking wait(). l.
  [[nodiscard]] bool try_wait(std::uint64_t count = 1);
  /// This rank's counter: posts not yet subtracted by wait(). l.
  [[nodiscard]] std::uint64_t query() const;

  /// Counter of member `number`, for put_signal() with signal_operation::add.
  [[nodiscard]] global_ptr<std::uint64_t> pointer(rank_t number,
                                                  const site& where = site::current()) const;
  [[nodiscard]] const team& members() const;
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

 private:
  struct state;

  [[nodiscard]] state& get(const char* call) const;
  [[nodiscard]] rank_t number_of(member who) const { return members().number_of(who); }
  void wake(rank_t number) const;

  base::unique_object<state> state_;
};

}  // namespace acre
