// SPDX-License-Identifier: BSD-3-Clause
// The distributed objects of this rank by their names, and the calls that wait for them.
//
// An object's name is its team's number and how many objects the members made in that team
// before it; so members that make their objects in the same order agree on names without a
// word. A call carries the names of the objects that it is for. When one of them is not here
// yet, the call is kept as it came; the object's maker hands it to the next progress().
#pragma once

#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/team.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <typeinfo>

namespace acre {

/// The name of a distributed object: the same on all members of its team, and no other's in the
/// job. It travels as its bytes.
struct object_name {
  std::uint64_t team = 0;    ///< unique in the job
  std::uint64_t number = 0;  ///< of the object in its team

  friend auto operator<=>(const object_name&, const object_name&) = default;
};

namespace global {

/// What all distributed objects have. Handles own it, and so do calls under way.
class named_object {
 public:
  named_object(const object_name& name, const team& members) : name_(name), members_(members) {}
  named_object(const named_object&) = delete;
  named_object& operator=(const named_object&) = delete;
  virtual ~named_object() = default;

  [[nodiscard]] const object_name& name() const noexcept { return name_; }
  [[nodiscard]] const team& members() const noexcept { return members_; }

 private:
  object_name name_;
  team members_;
};
using named_object_ref = std::shared_ptr<named_object>;

/// The next name in a team, for an object that is being made. Calls to it wait from now on; if
/// it is not published they fail.
class next_object_name {
 public:
  next_object_name(const team& members, const std::type_info& type);
  next_object_name(const next_object_name&) = delete;
  next_object_name& operator=(const next_object_name&) = delete;
  ~next_object_name();

  [[nodiscard]] const object_name& name() const noexcept { return name_; }
  /// The object is here: what waits for it runs in the next progress().
  void publish(const named_object_ref& made) noexcept;

 private:
  object_name name_;
  bool published_ = false;
};

/// No call finds the object any more.
void retire_object(const named_object& object) noexcept;

/// @throws acre::error when the target is not in the object's team
void require_object_at(rank_t target, const named_object& object);

/// A call as it came, for later.
struct arrived_call {
  std::span<const std::byte> payload;
  rpc_invoker* invoker;
  rpc_return_address caller;
};

/// Finds all of these objects, or keeps the call until the first that is missing is here.
/// @return whether they were found
/// @throws acre::error when one was destroyed or is of another type
[[nodiscard]] bool find_objects(std::span<const object_name> names,
                                std::span<const std::type_info* const> types,
                                std::span<named_object_ref> found, const arrived_call& call);

}  // namespace global
}  // namespace acre
