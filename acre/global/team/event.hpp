// SPDX-License-Identifier: BSD-3-Clause
// Events: a member says to another one that something is done, and that one waits for it. Nobody
// else takes part.
//
//     acre::event arrived(acre::world());
//     acre::put(x.pointer(next), mine);
//     arrived.post(next);                        // behind all that this rank has written
//     arrived.wait();                            // until one has posted here
//
// Each member has a count: post() adds to another one's, wait() takes from its own. So nothing is
// lost that is posted before it is waited for, and several may post to one.
//
//     arrived.post(next, x.pointer(next), values);   // the same with the data, in one message
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

/// Moves: local. Any thread may post, wait and look.
class event {
 public:
  /// No event: good for being assigned to.
  event() noexcept;
  /// An event on each member. Collective. Cost: B and 1 allgather.
  explicit event(const team& members, const site& where = site::current());
  event(event&&) noexcept;
  event& operator=(event&&) noexcept;
  /// Collective, B. Who leaves by an exception does not wait, and those who wait for a post that
  /// has not come hear of it.
  ~event();

  /// Adds 1 to a member's count, when all that this rank has issued without a future is complete
  /// (quiet): who has waited for it sees that. Does not wait for the member. Cost: A and quiet.
  /// @param number  of the member in the team
  /// @throws acre::error when there is no such member
  void post(rank_t number, const site& where = site::current());
  void post(member who, const site& where = site::current()) { post(number_of(who), where); }

  /// Writes values into the member's memory, then adds 1: who has waited for it sees these values,
  /// and nothing is said of what was written before. Returns when `values` may be used again. Cost:
  /// M; to a neighbour, or where a message does not carry the values, W + A.
  /// @throws acre::error when the target is not the member's
  template <writable T>
  void post(rank_t number, global_ptr<T> target, std::span<const std::type_identity_t<T>> values,
            const site& where = site::current()) {
    put_signal(target, values, pointer(number, where), 1, signal_operation::add, where);
    wake(number);
  }

  /// Waits until this rank's count is at least `count`, and takes that from it; RPCs of others run
  /// meanwhile. Cost: l.
  /// @throws acre::error when the posts have not come, and a member has left by an exception
  void wait(std::uint64_t count = 1, const site& where = site::current());
  /// Takes it if it is there. l. @return whether it was
  [[nodiscard]] bool try_wait(std::uint64_t count = 1);
  /// How many posts have come that nobody has waited for. l.
  [[nodiscard]] std::uint64_t query() const;

  /// A member's count, for put_signal() with signal_operation::add.
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
