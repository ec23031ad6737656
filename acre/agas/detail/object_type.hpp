// SPDX-License-Identifier: BSD-3-Clause
// Types register before main(), and are numbered by name: ranks with the same binary agree without
// communication.
#pragma once

#include <acre/base/type_name.hpp>
#include <acre/global/wire/serialization.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <typeinfo>

namespace acre::agas {

struct hosted_object;

class state_room {
 public:
  /// Memory for a state, aligned to payload_alignment. Called once.
  [[nodiscard]] virtual std::span<std::byte> make(std::size_t bytes) = 0;

 protected:
  ~state_room() = default;
};

struct object_type {
  const std::type_info* identity = nullptr;
  void (*destroy)(hosted_object*) noexcept = nullptr;
  void* (*value)(hosted_object&) noexcept = nullptr;
  void (*save)(hosted_object&, state_room&) = nullptr;
  hosted_object* (*load)(reader&) = nullptr;
  bool (*may_move)(hosted_object&, std::uint32_t to) = nullptr;
  void (*has_moved)(hosted_object&) = nullptr;

  /// 0: not numbered. Written under the lock of all types by the first user; relaxed, as it
  /// publishes no other memory.
  std::atomic<std::uint16_t> number{0};
  object_type* next = nullptr;

  [[nodiscard]] bool is_movable() const noexcept { return save != nullptr; }
};

/// Called before main() or at library load, equally on all ranks.
void add_object_type(object_type& added) noexcept;

struct base_of_type {
  object_type* base = nullptr;
  object_type* derived = nullptr;
  void* (*upcast)(void* value) noexcept = nullptr;
  base_of_type* next = nullptr;
};
void add_base_of_type(base_of_type& added) noexcept;
[[nodiscard]] bool is_base_of(const object_type& base, const object_type& type) noexcept;
[[nodiscard]] void* upcast(void* value, const object_type& type, const object_type& base) noexcept;

[[nodiscard]] std::uint16_t number_types_until(object_type& wanted);
[[nodiscard]] inline std::uint16_t number_of(object_type& type) {
  const std::uint16_t known = type.number.load(std::memory_order_relaxed);
  return known != 0 ? known : number_types_until(type);
}
[[nodiscard]] object_type* type_of_number(std::uint16_t number);

[[nodiscard]] std::string name_of(const object_type& type);

}  // namespace acre::agas
