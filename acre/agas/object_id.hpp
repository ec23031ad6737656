// SPDX-License-Identifier: BSD-3-Clause
// Names of objects that may move, as handles with a type.
//
//     auto cell = acre::create_id<grid_cell>(3, 64).get();       // on rank 3
//     double sum = acre::invoke(cell, &grid_cell::sum).get();    // wherever it is
//     acre::migrate(cell, 0).get();
//     acre::destroy(cell).get();
//
// An object_id says nothing about the object's life: whoever makes it destroys it.
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
/// Of a name whose type is known.
template <class T>
[[nodiscard]] constexpr object_id<T> trusted_id(const gid& name) noexcept {
  return {object_id<T>::trusted, name};
}
}  // namespace agas

/// A name without lifetime. Trivially copyable: it may lie in arrays, maps and messages.
template <class T>
class object_id {
 public:
  using object_type = T;

  constexpr object_id() noexcept = default;
  /// @throws acre::error when the name is that of an object of another type
  explicit object_id(const gid& name) : name_(name.without_credit()) {
    if (name) agas::require_type(name, agas::type_of<T>());
  }

  /// The name of an object of a class derived from T.
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

/// Makes an object on this rank, which is its home. Cost: l.
/// @throws what T's constructor throws
template <class T, class... Arguments>
[[nodiscard]] object_id<T> create_id_here(Arguments&&... arguments) {
  return agas::trusted_id<T>(agas::settle_here<T>(false, std::forward<Arguments>(arguments)...));
}

/// Makes an object on a rank of the job, of arguments that travel as those of rpc() do.
/// Cost: 2 M and that rank's attention.
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

/// The object, where it is on this rank, which it does not leave until this ends. Calls of it run
/// meanwhile, also while a move or its end waits for this. Wait for neither where you hold one:
/// that is an error when the pin is a variable of the function that waits, and without end
/// otherwise.
template <class T>
class pinned {
 public:
  explicit pinned(const object_id<T>& object) noexcept { agas::pin(object.name(), record_); }
  pinned(pinned&& other) noexcept { agas::move_pin(other.record_, record_); }
  pinned& operator=(pinned&&) = delete;
  ~pinned() { agas::unpin(record_); }

  /// Whether it is here, and not about to leave.
  [[nodiscard]] explicit operator bool() const noexcept { return record_.object != nullptr; }
  [[nodiscard]] T& operator*() const noexcept { return agas::value_of<T>(*record_.object); }
  [[nodiscard]] T* operator->() const noexcept { return &agas::value_of<T>(*record_.object); }

 private:
  agas::pin_record record_;
};

/// Whether the object is on this rank now.
template <class T>
[[nodiscard]] bool is_here(const object_id<T>& object) noexcept {
  return agas::is_here(object.name());
}

/// Says that calls of these objects follow soon: what is known of where they are is fetched into
/// the cache meanwhile. For calls of many objects in a row, between which the program uses other
/// memory. Nothing else comes of it. Cost: l.
template <class T>
void prefetch(std::span<const object_id<T>> objects) noexcept {
  static_assert(sizeof(object_id<T>) == sizeof(gid));
  agas::prefetch({reinterpret_cast<const gid*>(objects.data()), objects.size()});
}

/// Ends the object, behind the calls that this rank has sent it before, when no call of it runs and
/// nothing pins it. It waits for that as migrate() does. Calls that come later, from whomever,
/// fail. The future has its end, or the error that there is no such object. As invoke().
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

/// Asks an object to move; the answer goes to the promise.
template <class T>
void issue_move(const gid& name, rank_t to, std::uint64_t promise, global::rpc_finisher finisher) {
  constexpr bool may_move = movable_object<T> || std::is_polymorphic_v<T>;  // what is derived may
  static_assert(may_move,
                "objects of this class cannot move, because they cannot be sent: give it "
                "acre_fields, or acre_save and acre_load (serialization.hpp)");
  require_name(name, "migrate");
  send_parcel_of(
      {.target = name, .answer = global::lend_answer(promise, finisher), .kind = parcel_kind::move},
      to);
}

}  // namespace agas

/// Moves the object to a rank, behind the calls that this rank has sent it before, when no call of
/// it runs and nothing pins it. Until then what these calls wait for runs, and others may; those
/// that nobody is known to wait for are held back now and then, so that calls which overlap do not
/// keep the object for ever (detail/admission.hpp). No call is lost. A function of the object may
/// ask for its move, but not wait for it: that is an error, which names the object. Its class can
/// be sent (serialization.hpp); `bool acre_before_move(T&, rank_t to)` may refuse, and `void
/// acre_after_move(T&)` is called where it has come. The future has its arrival, or why it has not
/// gone. Cost: 3 M where neither end is the home, and a request and an answer from elsewhere.
template <class T>
future<void> migrate(const object_id<T>& object, rank_t to) {
  const auto issue = [&](std::uint64_t promise, global::rpc_finisher finisher) {
    agas::issue_move<T>(object.name(), to, promise, finisher);
  };
  return agas::promise_own_call<void>(object.name(), agas::parcel_kind::move, {}, issue);
}

}  // namespace acre
