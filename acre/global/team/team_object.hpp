// SPDX-License-Identifier: BSD-3-Clause
// Base of objects with memory that all members use.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/team/team.hpp>

#include <cstdint>
#include <utility>

namespace acre {

/// Destruction: collective, B (collective_end.hpp). If a derived constructor throws, the destructor
/// does not wait, and memory() stays until the job ends unless give_up() was called.
/// @tparam Memory  team_memory or hosted_memory
template <class Memory>
class team_object {
 public:
  team_object(const team_object&) = delete;
  team_object& operator=(const team_object&) = delete;

  [[nodiscard]] const team& members() const noexcept { return members_; }
  /// Number of the object, equal on all members. l.
  [[nodiscard]] std::uint64_t identity() const noexcept { return memory_.identity(); }

 protected:
  /// @param ending, where  as for collective_end
  team_object(const team& members, Memory memory, const char* ending, const site& where)
      : members_(members), memory_(std::move(memory)), end_(ending, where) {}
  ~team_object() { release(); }

  [[nodiscard]] Memory& memory() noexcept { return memory_; }
  [[nodiscard]] const Memory& memory() const noexcept { return memory_; }
  [[nodiscard]] const collective_end& end() const noexcept { return end_; }

  /// Waits for all members; for derived destructors with further work. Cost: B, once.
  /// @return true if no other member uses the memory
  bool release() noexcept {
    if (!is_released_) is_orderly_ = end_.release(memory_, members_);
    is_released_ = true;
    return is_orderly_;
  }

  /// Frees memory() without waiting, before all members throw by agreement.
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
