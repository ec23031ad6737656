// SPDX-License-Identifier: BSD-3-Clause
// What the objects of one type have in common, and its number, which is the same on all ranks.
//
// Every type of which a program makes objects is in a list before main() begins. Sorted by name
// they have numbers, so that ranks of one binary agree without a word.
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

/// Where a state is written that travels.
class state_room {
 public:
  /// Memory for as many bytes, at a multiple of payload_alignment. Called once.
  [[nodiscard]] virtual std::span<std::byte> make(std::size_t bytes) = 0;

 protected:
  ~state_room() = default;
};

struct object_type {
  const std::type_info* identity = nullptr;
  void (*destroy)(hosted_object*) noexcept = nullptr;
  void* (*value)(hosted_object&) noexcept = nullptr;
  // None where objects stay.
  void (*save)(hosted_object&, state_room&) = nullptr;
  hosted_object* (*load)(reader&) = nullptr;
  bool (*may_move)(hosted_object&, std::uint32_t to) = nullptr;  ///< and what it does before
  void (*has_moved)(hosted_object&) = nullptr;

  /// 0: it has none yet. Any thread that needs it first writes it, under the lock of all types; it
  /// says nothing of other memory.
  std::atomic<std::uint16_t> number{0};
  object_type* next = nullptr;

  [[nodiscard]] bool is_movable() const noexcept { return save != nullptr; }
};

/// Before main(), or when a library is loaded: on all ranks the same ones.
void add_object_type(object_type& added) noexcept;

/// That one class is a base of another, of whose objects a program has references as to the base.
struct base_of_type {
  object_type* base = nullptr;
  object_type* derived = nullptr;
  void* (*upcast)(void* value) noexcept = nullptr;
  base_of_type* next = nullptr;
};
/// When types are added.
void add_base_of_type(base_of_type& added) noexcept;
/// Whether it is the same class or a base, of which a program has such references.
[[nodiscard]] bool is_base_of(const object_type& base, const object_type& type) noexcept;
/// The part of a value of this type that is a base of its class; null if it is not a base.
[[nodiscard]] void* upcast(void* value, const object_type& type, const object_type& base) noexcept;

[[nodiscard]] std::uint16_t number_types_until(object_type& wanted);
[[nodiscard]] inline std::uint16_t number_of(object_type& type) {
  const std::uint16_t known = type.number.load(std::memory_order_relaxed);
  return known != 0 ? known : number_types_until(type);
}
/// None where this binary has no such type.
[[nodiscard]] object_type* type_of_number(std::uint16_t number);

[[nodiscard]] inline std::string name_of(const object_type& type) {
  return base::readable_name(*type.identity);
}

}  // namespace acre::agas
