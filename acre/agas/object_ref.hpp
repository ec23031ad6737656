// SPDX-License-Identifier: BSD-3-Clause
// Counted references: an object lives while one exists on any rank.
//
//     acre::object_ref<cell> mine = acre::create_here<cell>(64);
//     acre::object_ref<cell> there = acre::create<cell>(3, 64).get();
//     acre::invoke_ff(there, &cell::set_neighbour, mine);      // sends a reference
//
// Data read more than once (broadcasts, hash_map values) must store object_ref::id() instead.
// Cycles live until job end, as do objects whose reference follows an undeserializable argument.
#pragma once

#include <acre/agas/detail/credit.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/global/rpc/rpc.hpp>

#include <concepts>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre {

/// Copying costs one locked instruction. Dropping a rank's last reference sends a few batched bytes
/// to the home. Thread-safe as shared_ptr.
template <class T>
class object_ref {
 public:
  using object_type = T;

  object_ref() noexcept = default;
  /// @throws acre::error if the object is of another type
  explicit object_ref(agas::reference from) : to_(std::move(from)) {
    if (to_) agas::require_type(to_.name(), agas::type_of<T>());
  }

  /// Converts to a base class; virtual calls are dispatched.
  template <class Derived>
    requires agas::is_derived_or_made_explicitly_of_untyped_or_name<Derived, T>
  object_ref(const object_ref<Derived>& other) noexcept  // NOLINT(google-explicit-constructor)
      : to_(other.untyped()) {
    agas::note_base<T, Derived>();
  }

  /// Name without ownership.
  [[nodiscard]] object_id<T> id() const noexcept { return agas::trusted_id<T>(to_.name()); }
  [[nodiscard]] gid name() const noexcept { return to_.name(); }
  [[nodiscard]] const agas::reference& untyped() const noexcept { return to_; }
  [[nodiscard]] explicit operator bool() const noexcept { return bool(to_); }
  [[nodiscard]] friend bool operator==(const object_ref& a, const object_ref& b) = default;

  friend auto acre_fields(object_ref& travelling) { return std::tie(travelling.to_); }

 private:
  agas::reference to_;
};
template <class T>
inline constexpr bool global::counts_references<object_ref<T>> = true;

/// Makes an object on this rank, its home. Cost: l.
/// @throws exceptions of T's constructor
template <class T, class... Arguments>
[[nodiscard]] object_ref<T> create_here(Arguments&&... arguments) {
  const gid name = agas::settle_here<T>(true, std::forward<Arguments>(arguments)...);
  return object_ref<T>(agas::reference(agas::first_reference(name)));
}

/// Makes an object on `home`; arguments as for rpc(). Cost: 2 M and that rank's progress.
template <class T, class... Arguments>
[[nodiscard]] future<object_ref<T>> create(rank_t home, const Arguments&... arguments) {
  if constexpr (agas::require_constructor<T, global::owned_t<Arguments>...>()) {
    return rpc(
        home, [](global::owned_t<Arguments>... each) { return create_here<T>(std::move(each)...); },
        arguments...);
  } else {
    return {};
  }
}

namespace agas {

template <class Brought, class T, class Issue>
[[nodiscard]] auto promise_referring(const object_ref<T>& object, parcel_kind kind, Issue&& issue) {
  return promise_own_call<Brought>(object.name(), kind, object.untyped(), issue);
}

template <class T>
struct call_by<object_ref<T>> {
  using object_type = T;

  template <class F, class... Arguments>
  static auto answered(const object_ref<T>& object, F&& f, const Arguments&... arguments) {
    const auto promise = [&]<class Brought>(auto&& issue) {
      return promise_referring<Brought>(object, parcel_kind::call, issue);
    };
    return invoke_answered<T>(object.name(), promise, f, arguments...);
  }
  template <class F, class... Arguments>
  static void forgotten(const object_ref<T>& object, F&& f, const Arguments&... arguments) {
    invoke_forgotten<T>([&] { return spend_credit(object.untyped().held()); }, f, arguments...);
  }
};

}  // namespace agas

/// As migrate() of its id(). Keeps the object until it has arrived or failed to move.
template <class T>
future<void> migrate(const object_ref<T>& object, rank_t to) {
  return agas::promise_referring<void>(object, agas::parcel_kind::move,
                                       [&](std::uint64_t promise, global::rpc_finisher finisher) {
                                         agas::issue_move<T>(object.name(), to, promise, finisher);
                                       });
}
template <class T>
[[nodiscard]] bool is_here(const object_ref<T>& object) noexcept {
  return is_here(object.id());
}

}  // namespace acre
