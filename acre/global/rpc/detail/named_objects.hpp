// SPDX-License-Identifier: BSD-3-Clause
// Names of distributed objects are numbered per team, so creation in one order needs no
// communication. Calls wait for their objects.
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

/// Equal on all team members, unique in the job. Sent as bytes.
struct object_name {
  std::uint64_t team = 0;
  std::uint64_t number = 0;

  friend auto operator<=>(const object_name&, const object_name&) = default;
};

namespace global {

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

/// Name of an object under construction. Calls to the object wait; they fail if construction does.
class next_object_name {
 public:
  next_object_name(const team& members, const std::type_info& type);
  next_object_name(const next_object_name&) = delete;
  next_object_name& operator=(const next_object_name&) = delete;
  ~next_object_name();

  [[nodiscard]] const object_name& name() const noexcept { return name_; }
  void publish(const named_object_ref& made) noexcept;

 private:
  object_name name_;
  bool published_ = false;
};

void retire_object(const named_object& object) noexcept;

void require_object_at(rank_t target, const named_object& object);

struct arrived_call {
  std::span<const std::byte> payload;
  rpc_invoker* invoker;
  rpc_return_address caller;
};

/// True if all are found; else keeps the call until they exist.
/// @throws acre::error if one was destroyed or has another type
[[nodiscard]] bool find_objects(std::span<const object_name> names,
                                std::span<const std::type_info* const> types,
                                std::span<named_object_ref> found, const arrived_call& call);

}  // namespace global
}  // namespace acre
