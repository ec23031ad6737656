// SPDX-License-Identifier: BSD-3-Clause
// Collective destruction of an object whose memory other members may still use. During stack
// unwinding the destructor only notifies them; all then abandon their blocks until the job ends.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/team_block.hpp>

#include <cstdint>

namespace acre {

namespace global {

[[noreturn]] void throw_no_object(const char* call, const char* what, const char* maker);

/// @param what, maker  for the error: "map", "hash_map{team, capacity}"
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
  /// @param ending, where  for the stall watch: "the destructor of the array made", its site
  collective_end(const char* ending, const site& where) noexcept;

  /// False if the job has ended or is abandoned, or an exception newer than the object is
  /// unwinding.
  [[nodiscard]] bool is_orderly() const noexcept;

  /// Waits until all members are in their destructors; if not orderly, only notifies them. Cost: B.
  /// Exceptions, and the error for different objects, are kept for the next call that may throw.
  /// @param object  equal on all members
  /// @return true if all were orderly, with the same object
  bool meet(const team& members, std::uint64_t object = 0) const noexcept;

  /// As meet(); abandons `block` if that returns false.
  bool release(team_block& block, const team& members) const noexcept;

 private:
  const char* ending_;
  site where_;
  int exceptions_;
};

}  // namespace acre
