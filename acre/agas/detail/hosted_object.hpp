// An object where it is: its value, who calls it, and what waits for it.
#pragma once

#include <acre/agas/detail/object_type.hpp>
#include <acre/agas/detail/parcel.hpp>
#include <acre/agas/gid.hpp>
#include <acre/global/serialization.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre::detail {

/// What an object knows of a rank that calls it: which call is the next one.
struct caller_stream {
  rank_t caller;
  std::uint32_t stream;
  std::uint32_t next;
  std::uint32_t untold = 0;  ///< so many of its calls by a detour until it is told the place again
};

/// All but the value. Under the lock of the space, but for the value.
struct hosted_object {
  object_type* type = nullptr;
  gid name;
  std::uint32_t epoch = 0;
  std::uint32_t pins = 0;              ///< concurrent calls, and who works with the value here
  bool is_running = false;             ///< a call, a move, or its end
  bool is_leaving = false;             ///< a move, or its end: nothing else begins
  std::vector<caller_stream> callers;  ///< sorted
  parcel_queue waiting;                ///< their turn has come
  parcel_queue early;                  ///< it has not

  [[nodiscard]] bool may_start(const parcel_header& parcel) const noexcept {
    if (parcel.kind == parcel_kind::concurrent_call) return !is_leaving;
    return !is_running && (!parcel.is_about_object() || pins == 0);
  }
  /// Whether all that this caller has called before has come. Then its turn is over.
  [[nodiscard]] bool take_turn(const parcel_header& parcel);
  /// Whether the caller of a call that came by a detour is to be told where the object is. It has
  /// been where others of its are under way, but may have forgotten it: one in 8 is told again.
  [[nodiscard]] bool wants_hint(const parcel_header& parcel) noexcept;
};

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
[[nodiscard]] T& value_of(hosted_object& object) noexcept {
  return static_cast<hosted<T>&>(object).value;
}

template <class T>
void describe(object_type& type) noexcept {
  type.identity = &typeid(T);
  type.destroy = [](hosted_object* gone) noexcept { delete static_cast<hosted<T>*>(gone); };
  if constexpr (movable_object<T>) {
    type.save = [](hosted_object& object, state_room& room) {
      const T& value = value_of<T>(object);
      write_to(room.make(serialized_size(value)), value);
    };
    type.load = [](reader& from) -> hosted_object* {
      return new hosted<T>(typename hosted<T>::read_from{from});
    };
    type.may_move = [](hosted_object& object, [[maybe_unused]] std::uint32_t to) {
      if constexpr (requires(T& value) {
                      { acre_before_move(value, rank_t{}) } -> std::convertible_to<bool>;
                    }) {
        return static_cast<bool>(acre_before_move(value_of<T>(object), to));
      } else {
        return true;
      }
    };
    type.has_moved = []([[maybe_unused]] hosted_object& object) {
      if constexpr (requires(T& value) { acre_after_move(value); }) {
        acre_after_move(value_of<T>(object));
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

}  // namespace acre::detail
