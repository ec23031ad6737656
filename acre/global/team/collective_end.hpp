// SPDX-License-Identifier: BSD-3-Clause
// How an object ends whose memory the other members of a team may still use.
//
//     ~my_container() { if (end_.release(memory_, members_)) destroy(memory_.mine()); }
//     …
//     acre::collective_end end_;                 // a member, made with the object, of its site
//
// Destructors of such objects are collective: each waits for the others. One that runs
// because an exception passes does not wait, for the others may know nothing of the
// exception; but it takes its part in what they wait for, which tells them. Then all
// leave their blocks behind, until the job ends.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/team_block.hpp>

#include <cstdint>

namespace acre {

namespace global {

[[noreturn]] void throw_no_object(const char* call, const char* what, const char* maker);

/// What a handle refers to that `call` needs.
/// @param what, maker  for the error: "map", "hash_map{team, capacity}"
/// @throws acre::error when it refers to nothing
template <class Object>
[[nodiscard]] Object& require_object(Object* object, const char* call, const char* what,
                                     const char* maker) {
  if (object == nullptr) [[unlikely]] {
    throw_no_object(call, what, maker);
  }
  return *object;
}

}  // namespace global

class collective_end {
 public:
  /// @param ending, where  for the stall watch, which joins them to "waits in the destructor of
  ///                       the array made at user.cpp:12": the first is the text between "in" and
  ///                       "at", the second is where the object was made
  collective_end(const char* ending, const site& where) noexcept;

  /// Whether this rank may wait for the others: the job goes on, and no exception passes
  /// that was not under way when the object was made.
  [[nodiscard]] bool is_orderly() const noexcept;

  /// For the object's destructor: waits until all members are in theirs; where that is not
  /// orderly, only lets the others go on. Cost: B. What the wait throws is left to the next
  /// call that may throw.
  /// @param object  a number that is the same on all members: where it differs, they destroy
  ///                different objects, which is an acre::error that names these, of the next call
  ///                that may throw
  /// @return whether all came in good order, to the end of the same object
  bool meet(const team& members, std::uint64_t object = 0) const noexcept;

  /// The same for an object with a block, which is abandoned when some were not in good order.
  /// @return whether nobody else uses the block any more
  bool release(team_block& block, const team& members) const noexcept;

 private:
  const char* ending_;
  site where_;
  int exceptions_;
};

}  // namespace acre
