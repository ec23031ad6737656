// SPDX-License-Identifier: BSD-3-Clause
// Typed names of movable objects, without ownership.
//
//     auto cell = acre::create_id<grid_cell>(3, 64).get();       // on rank 3
//     double sum = acre::invoke(cell, &grid_cell::sum).get();    // wherever it is
//     acre::destroy(cell).get();
#pragma once

#include <acre/agas/detail/objects.hpp>
#include <acre/agas/detail/own_call.hpp>
#include <acre/agas/detail/sending.hpp>
#include <acre/agas/gid.hpp>
#include <acre/base/error.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/rpc/rpc.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace acre {

template <class T>
class object_id;

namespace agas {
template <class T>
[[nodiscard]] constexpr object_id<T> trusted_id(const gid& name) noexcept {
  return {object_id<T>::trusted, name};
}
}  // namespace agas

/// Trivially copyable, also in messages.
template <class T>
class object_id {
 public:
  using object_type = T;

  constexpr object_id() noexcept = default;
  /// @throws acre::error if the object is of another type
  explicit object_id(const gid& name) : name_(name.without_credit()) {
    if (name) agas::require_type(name, agas::type_of<T>());
  }

  /// Converts to a base class.
  template <class Derived>
    requires agas::is_derived_or_made_explicitly_of_untyped_or_name<Derived, T>
  object_id(const object_id<Derived>& of) noexcept  // NOLINT(google-explicit-constructor)
      : name_(of.name()) {
    agas::note_base<T, Derived>();
  }

  [[nodiscard]] constexpr const gid& name() const noexcept { return name_; }
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return bool(name_); }
  [[nodiscard]] friend constexpr bool operator==(const object_id& a, const object_id& b) noexcept {
    return a.name_ == b.name_;
  }

 private:
  template <class U>
  friend constexpr object_id<U> agas::trusted_id(const gid& name) noexcept;

  enum trust { trusted };
  constexpr object_id(trust, const gid& name) noexcept : name_(name) {}

  gid name_;
};

/// Makes an object on this rank, its home. Cost: l.
/// @throws exceptions of T's constructor
template <class T, class... Arguments>
[[nodiscard]] object_id<T> create_id_here(Arguments&&... arguments) {
  return agas::trusted_id<T>(agas::settle_here<T>(false, std::forward<Arguments>(arguments)...));
}

/// Makes an object on `home`; arguments as for rpc(). Cost: 2 M and that rank's progress.
template <class T, class... Arguments>
[[nodiscard]] future<object_id<T>> create_id(rank_t home, const Arguments&... arguments) {
  if constexpr (agas::require_constructor<T, global::owned_t<Arguments>...>()) {
    return rpc(
        home,
        [](global::owned_t<Arguments>... each) { return create_id_here<T>(std::move(each)...); },
        arguments...);
  } else {
    return {};
  }
}

/// Keeps a local object here; calls still run. Waiting for its move or end meanwhile is an error if
/// the pin is a variable of the waiting function, otherwise a deadlock.
template <class T>
class pinned {
 public:
  explicit pinned(const object_id<T>& object) noexcept { agas::pin(object.name(), record_); }
  pinned(pinned&& other) noexcept { agas::move_pin(other.record_, record_); }
  pinned& operator=(pinned&&) = delete;
  ~pinned() { agas::unpin(record_); }

  /// True if the object was here and not about to leave.
  [[nodiscard]] explicit operator bool() const noexcept { return record_.object != nullptr; }
  [[nodiscard]] T& operator*() const noexcept { return agas::value_of<T>(*record_.object); }
  [[nodiscard]] T* operator->() const noexcept { return &agas::value_of<T>(*record_.object); }

 private:
  agas::pin_record record_;
};

/// True if the object is here now.
template <class T>
[[nodiscard]] bool is_here(const object_id<T>& object) noexcept {
  return agas::is_here(object.name());
}

/// Prefetches location data into the cache, before calls. Cost: l.
template <class T>
void prefetch(std::span<const object_id<T>> objects) noexcept {
  static_assert(sizeof(object_id<T>) == sizeof(gid));
  agas::prefetch({reinterpret_cast<const gid*>(objects.data()), objects.size()});
}

/// Ends the object after earlier calls of this rank; waits as migrate(). Later calls fail, as does
/// the future of a missing object.
template <class T>
future<void> destroy(const object_id<T>& object) {
  constexpr auto kind = agas::parcel_kind::destroy;
  const auto issue = [&](std::uint64_t promise, global::rpc_finisher finisher) {
    agas::require_name(object.name(), "destroy");
    agas::send_parcel_of(
        {.target = object.name(), .answer = global::lend_answer(promise, finisher), .kind = kind});
  };
  return agas::promise_own_call<void>(object.name(), kind, {}, issue);
}

namespace agas {

template <class T>
void issue_move(const gid& name, rank_t to, std::uint64_t promise, global::rpc_finisher finisher) {
  constexpr bool may_move =
      movable_object<T> || std::is_polymorphic_v<T>;  // a derived class may be movable
  static_assert(may_move,
                "objects of this class cannot move, because they cannot be sent: define "
                "acre_fields, or acre_save and acre_load (serialization.hpp)");
  require_name(name, "migrate");
  send_parcel_of(
      {.target = name, .answer = global::lend_answer(promise, finisher), .kind = parcel_kind::move},
      to);
}

}  // namespace agas

/// Moves the object to rank `to`, after earlier calls of this rank, when no call runs and no pin
/// exists. Calls that running ones depend on still run; others cannot delay the move forever
/// (detail/admission.hpp). No call is lost. Waiting for the move in the object's own function is an
/// error. T is serializable; `bool acre_before_move(T&, rank_t to)` may refuse, `void
/// acre_after_move(T&)` runs on arrival; then the future completes, or contains the error. Cost:
/// 3 M if neither end is the home; a request and an answer more from elsewhere.
template <class T>
future<void> migrate(const object_id<T>& object, rank_t to) {
  const auto issue = [&](std::uint64_t promise, global::rpc_finisher finisher) {
    agas::issue_move<T>(object.name(), to, promise, finisher);
  };
  return agas::promise_own_call<void>(object.name(), agas::parcel_kind::move, {}, issue);
}

}  // namespace acre
