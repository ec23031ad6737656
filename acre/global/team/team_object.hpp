// SPDX-License-Identifier: BSD-3-Clause
// An object of a team with memory that all members may use: the part that all of them have alike.
//
//     class my_container : acre::team_object<acre::team_memory> {
//      public:
//       my_container(const acre::team& members, std::size_t bytes, const acre::site& where)
//           : team_object(members, acre::team_memory(members, bytes, 8, "my_container", where),
//                         "the destructor of the my_container made", where) {}
//       ~my_container() { if (release()) destroy(memory().mine()); }   // if there is such an end
//     };
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/team/team.hpp>

#include <cstdint>
#include <utility>

namespace acre {

/// Destruction: collective, B; see collective_end.hpp. A constructor of a derived class that throws
/// ends it as well, without waiting: memory() stays until the job ends, unless give_up() was
/// called. Further blocks of a derived class are its own affair.
/// @tparam Memory  team_memory or hosted_memory
template <class Memory>
class team_object {
 public:
  team_object(const team_object&) = delete;
  team_object& operator=(const team_object&) = delete;

  [[nodiscard]] const team& members() const noexcept { return members_; }
  /// A number of this object, the same on all members. l.
  [[nodiscard]] std::uint64_t identity() const noexcept { return memory_.identity(); }

 protected:
  /// @param ending, where  as those of collective_end
  team_object(const team& members, Memory memory, const char* ending, const site& where)
      : members_(members), memory_(std::move(memory)), end_(ending, where) {}
  ~team_object() { release(); }

  [[nodiscard]] Memory& memory() noexcept { return memory_; }
  [[nodiscard]] const Memory& memory() const noexcept { return memory_; }
  [[nodiscard]] const collective_end& end() const noexcept { return end_; }

  /// For the destructor of a derived class that has something to do after all members are there, or
  /// before its memory goes. Cost: B, once.
  /// @return whether no other member uses the memory any more
  bool release() noexcept {
    if (!is_released_) is_orderly_ = end_.release(memory_, members_);
    is_released_ = true;
    return is_orderly_;
  }

  /// Frees memory() without waiting, for a constructor that is about to throw on all members: they
  /// have agreed on that, so no member uses the memory any more.
  void give_up() noexcept {
    memory_ = {};
    is_released_ = true;
  }

 private:
  team members_;
  Memory memory_;
  collective_end end_;
  bool is_released_ = false;
  bool is_orderly_ = false;
};

}  // namespace acre
