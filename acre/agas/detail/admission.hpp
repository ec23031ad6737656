// SPDX-License-Identifier: BSD-3-Clause
// The rule that decides which parcel at an object starts next.
//
// A call is concurrent if T::acre_concurrent names its function, else exclusive. A change is a move
// or the end of the object.
//
// 1. Exclusion. An exclusive call starts if no other exclusive call runs; a change if no call runs
//    and the object is not pinned; a concurrent call at any time. Nothing starts during a change.
// 2. Order. A call does not start before an earlier call of the same caller.
// 3. Fairness. If a change waits, later calls wait as well while the gate is shut
// (change_gate.hpp).
//    The gate is open while the object is pinned.
// 4. Dependencies. An awaited call whose family has a running call at the object passes a gate that
//    was shut after that running call started. It also passes an earlier call of its own caller if
//    that is of another family, or waits for an exclusive call of this family. An awaited
//    concurrent call from within another call passes earlier calls of other families anywhere.
//
// By rule 4 a call, and the calls that it makes directly or through other objects, never wait for a
// change or a call that waits for them. Dependencies other than calls are unknown, for example a
// promise that a call from elsewhere fulfils; therefore the gate opens again and again. By rule 3 a
// stream of independent calls does not delay a change for ever: running calls end while the gate is
// shut, once that takes as long as a call.
//
// The rule is a template because the model (admission_model_test.cpp) searches this very code.
#pragma once

#include <acre/agas/detail/parcel.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace acre::agas {

/// Called for the parcels at one object, oldest first, returns whether a parcel may start now.
/// @tparam Object  has is_running(): an exclusive call or a change; is_changing(); is_free(): no
///   concurrent call runs, and it is not pinned; is_gate_open(); exclusive_family(), 0 if no
///   exclusive call runs; runs(family), and runs_before_gate(family): since before the gate shut
/// @tparam Parcel  has kind, caller, family(), is_awaited()
template <class Object, class Parcel>
class admission {
 public:
  explicit admission(const Object& object) noexcept : object_(object) {}
  explicit admission(const Object&& gone) = delete;

  [[nodiscard]] bool operator()(const Parcel& parcel) {
    if (may_begin(parcel)) return true;
    note_waiting(parcel);
    return false;
  }

  /// Takes note of a parcel that waits.
  void note_waiting(const Parcel& parcel) {
    if (parcel.is_about_object()) {
      change_waits_ = true;
      return;
    }
    const caller_and_family waits{parcel.caller, parcel.family()};
    if (std::ranges::find(waiting_, waits) == waiting_.end()) waiting_.push_back(waits);
  }

  /// Rule 1 alone.
  [[nodiscard]] bool may_run(const Parcel& parcel) const {
    if (object_.is_changing()) return false;
    if (parcel.kind == parcel_kind::concurrent_call) return true;
    if (object_.is_running()) return false;
    return !parcel.is_about_object() || object_.is_free();
  }

  /// Whether no call that waits, as noted so far, precedes it (rules 2 and 4).
  [[nodiscard]] bool passes_calls(const Parcel& parcel) const {
    const bool passes_others =
        parcel.is_awaited() &&
        (object_.runs(parcel.family()) ||
         (parcel.family() != 0 && parcel.kind == parcel_kind::concurrent_call));
    const bool is_of_exclusive =
        parcel.family() != 0 && parcel.family() == object_.exclusive_family();
    return std::ranges::none_of(waiting_, [&](const caller_and_family& before) {
      if (before.first != parcel.caller) return false;
      return !passes_others || (before.second == parcel.family() && !is_of_exclusive);
    });
  }

 private:
  using caller_and_family = std::pair<rank_t, std::uint64_t>;

  [[nodiscard]] bool may_begin(const Parcel& parcel) const {
    if (!may_run(parcel)) return false;
    return parcel.is_about_object() || (passes_gate(parcel) && passes_calls(parcel));
  }
  [[nodiscard]] bool passes_gate(const Parcel& parcel) const {
    return !change_waits_ || object_.is_gate_open() ||
           (parcel.is_awaited() && object_.runs_before_gate(parcel.family()));
  }

  const Object& object_;
  bool change_waits_ = false;
  std::vector<caller_and_family> waiting_;  ///< calls
};

}  // namespace acre::agas
