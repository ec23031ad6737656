// SPDX-License-Identifier: BSD-3-Clause
// State of an object on the rank that hosts it.
#pragma once

#include <acre/agas/detail/change_gate.hpp>
#include <acre/agas/detail/object_type.hpp>
#include <acre/agas/detail/parcel.hpp>
#include <acre/agas/gid.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/running_code.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre::global {
class future_state_base;
}

namespace acre::agas {

/// Rank of an object after `epoch` moves.
struct place {
  rank_t owner = 0;
  std::uint32_t epoch = 0;
};

/// Next expected call of a caller, by stream and number.
struct caller_stream {
  rank_t caller;
  std::uint32_t stream;
  std::uint32_t next;
  std::uint32_t calls_until_hint = 0;
  std::uint32_t misses = 0;  ///< calls forwarded for lack of a hint since the last hint
};

/// A running parcel; on a stack, or stored with its pending future.
struct running_call {
  runtime::call_tag tag;
  gid object;
  rank_t caller = 0;
  parcel_kind kind = parcel_kind::call;
  std::uint32_t era = 0;  ///< of the gate when the call started; 0: no gate
  runtime::lent_pair answer{};
  change_gate::nanoseconds began = 0;
  const global::future_state_base* ends_by = nullptr;
  running_call* next_here = nullptr;
  running_call* next = nullptr;
  running_call* before = nullptr;
};

struct pin_record {
  struct hosted_object* object = nullptr;
  const void* thread = nullptr;
  pin_record* next = nullptr;
};

struct waiting_record {
  std::optional<change_gate> gate;
  std::uint32_t last_era = 0;
  std::int64_t look_again = 0;
  std::uint32_t looks = 0;
  bool is_watched = false;
};

/// Guarded by the lock of the space, except the value.
struct hosted_object {
  object_type* type = nullptr;
  gid name;
  std::uint32_t epoch = 0;
  std::uint32_t pins = 0;  ///< concurrent calls and pins
  std::uint32_t waiting_changes = 0;
  std::uint32_t waiting_concurrent = 0;
  bool is_running_alone = false;
  bool is_leaving = false;
  running_call* running = nullptr;
  pin_record* pinned_by = nullptr;
  std::vector<caller_stream> callers;
  parcel_queue waiting;
  parcel_queue early;
  std::unique_ptr<waiting_record> record;

  [[nodiscard]] bool is_running() const noexcept { return is_running_alone; }
  [[nodiscard]] bool is_changing() const noexcept { return is_leaving; }
  [[nodiscard]] bool is_free() const noexcept { return pins == 0; }
  [[nodiscard]] bool is_gate_open() const noexcept {
    return pinned_by != nullptr || !has_gate() || record->gate->is_open();
  }
  [[nodiscard]] std::uint64_t exclusive_family() const noexcept {
    for (const running_call* each = running; each != nullptr; each = each->next_here) {
      if (each->kind != parcel_kind::concurrent_call) return each->tag.family;
    }
    return 0;
  }
  [[nodiscard]] bool runs(std::uint64_t family) const noexcept {
    return runs_before(family, ~std::uint32_t{0});
  }
  [[nodiscard]] bool runs_before_gate(std::uint64_t family) const noexcept {
    return runs_before(family, has_gate() ? record->gate->era() : ~std::uint32_t{0});
  }

  [[nodiscard]] bool has_gate() const noexcept {
    return record != nullptr && record->gate.has_value();
  }
  void let_wait(std::unique_ptr<kept_parcel> parcel);
  [[nodiscard]] std::unique_ptr<kept_parcel> pop_next();
  [[nodiscard]] bool may_begin_at_once(const parcel_header& parcel) const;
  /// Called after changes of `pinned_by` or `waiting`: drain() and job end do not wait for the end
  /// of a pinned, unreferenced object.
  void count_ends_that_wait() noexcept;
  [[nodiscard]] std::unique_ptr<kept_parcel> pop_waiting(const parcel_header& parcel);

  /// True, once, if the parcel's caller's earlier calls have all arrived.
  [[nodiscard]] bool take_turn(const parcel_header& parcel);
  /// Has a value if a forwarded call's sender should receive a hint: for one in 8 calls of a rank,
  /// as several may be in flight, or the hint was evicted. The value counts the rank's calls since
  /// its last hint that its home forwarded for lack of one.
  [[nodiscard]] std::optional<std::uint32_t> hint_due(const parcel_header& parcel) noexcept;

 private:
  [[nodiscard]] bool runs_before(std::uint64_t family, std::uint32_t era) const noexcept {
    if (family == 0) return false;
    for (const running_call* each = running; each != nullptr; each = each->next_here) {
      if (each->tag.family == family && each->era < era) return true;
    }
    return false;
  }
  void note_taken(const kept_parcel* taken) noexcept;
};

struct destroy_hosted {
  void operator()(hosted_object* object) const noexcept { object->type->destroy(object); }
};
using object_owner = std::unique_ptr<hosted_object, destroy_hosted>;

/// @throws acre::error if `base` is no base of its class
[[nodiscard]] void* base_part_of(hosted_object& object, const object_type& base);

[[nodiscard]] std::int64_t nanoseconds_now() noexcept;

template <class T>
struct hosted final : hosted_object {
  template <class... Arguments>
  explicit hosted(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}
  struct read_from {
    reader& from;
  };
  explicit hosted(read_from state) : value(state.from.template read<T>()) {}

  T value;
};

template <class T>
concept movable_object = serializable<T>;

template <class T>
[[nodiscard]] object_type& type_of() noexcept;

template <class T>
[[nodiscard]] T& own_value_of(hosted_object& object) noexcept {
  return static_cast<hosted<T>&>(object).value;
}
/// The object as a T, which may be a base class.
template <class T>
[[nodiscard]] T& value_of(hosted_object& object) {
  if constexpr (std::is_abstract_v<T>) {
    return *static_cast<T*>(base_part_of(object, type_of<T>()));
  } else {
    if constexpr (std::is_class_v<T> && !std::is_final_v<T>) {
      if (object.type != &type_of<T>()) [[unlikely]] {
        return *static_cast<T*>(base_part_of(object, type_of<T>()));
      }
    }
    return own_value_of<T>(object);
  }
}

template <class T>
concept asked_before_moves = requires(T& value) {
  { acre_before_move(value, rank_t{}) } -> std::convertible_to<bool>;
};
template <class T>
concept told_after_moves = requires(T& value) { acre_after_move(value); };

template <class T>
void describe(object_type& type) noexcept {
  type.identity = &typeid(T);
}
template <class T>
  requires(!std::is_abstract_v<T>)
void describe(object_type& type) noexcept {
  type.identity = &typeid(T);
  type.destroy = [](hosted_object* gone) noexcept { delete static_cast<hosted<T>*>(gone); };
  type.value = [](hosted_object& object) noexcept -> void* { return &own_value_of<T>(object); };
  if constexpr (movable_object<T>) {
    type.save = [](hosted_object& object, state_room& room) {
      const T& value = own_value_of<T>(object);
      write_to(room.make(serialized_size(value)), value);
    };
    type.load = [](reader& from) -> hosted_object* {
      return new hosted<T>(typename hosted<T>::read_from{from});
    };
    type.may_move = [](hosted_object& object, [[maybe_unused]] std::uint32_t to) {
      if constexpr (asked_before_moves<T>) {
        return static_cast<bool>(acre_before_move(own_value_of<T>(object), to));
      } else {
        return true;
      }
    };
    type.has_moved = []([[maybe_unused]] hosted_object& object) {
      if constexpr (told_after_moves<T>) {
        acre_after_move(own_value_of<T>(object));
      }
    };
  }
}

template <class T>
struct added_type {
  object_type type;
  added_type() noexcept {
    describe<T>(type);
    add_object_type(type);
  }
};
template <class T>
inline added_type<T> type_entry;

template <class T>
[[nodiscard]] object_type& type_of() noexcept {
  return type_entry<T>.type;
}

template <class Base, class Derived>
struct added_base {
  base_of_type link;
  added_base() noexcept {
    link.base = &type_of<Base>();
    link.derived = &type_of<Derived>();
    link.upcast = [](void* value) noexcept -> void* {
      return static_cast<Base*>(static_cast<Derived*>(value));
    };
    add_base_of_type(link);
  }
};
template <class Base, class Derived>
inline added_base<Base, Derived> base_entry;

/// Compilers print this name.
template <class Derived, class Base>
inline constexpr bool is_derived_or_made_explicitly_of_untyped_or_name =
    !std::is_same_v<Derived, Base> && std::is_class_v<Derived> && std::derived_from<Derived, Base>;

/// Registers the base at program start.
template <class Base, class Derived>
void note_base() noexcept {
  static_cast<void>(base_entry<Base, Derived>.link.base);
}

}  // namespace acre::agas
