// SPDX-License-Identifier: BSD-3-Clause
// Rules that decide which parcel at an object starts next; checked by admission_model_test.cpp.
//
// Functions in T::acre_concurrent are concurrent, other calls exclusive. A change is a move or end.
//
// 1. Exclusion. An exclusive call excludes other exclusive calls; a change excludes all calls and
// pins, and no parcel starts during it.
// 2. Order. A call does not start before an earlier call of its caller.
// 3. Fairness. Calls after a waiting change wait while the gate is shut (change_gate.hpp). It is
// open while the object is pinned.
// 4. Dependencies. An awaited call whose family runs here passes a gate shut after that running
// call started, and earlier calls of its caller that are of another family or wait for an exclusive
// call of this family. An awaited concurrent call from within a call passes earlier calls of other
// families anywhere.
//
// By 4, known dependencies never deadlock; for unknown ones (promises) the gate reopens. By 3,
// independent calls do not starve a change.
#pragma once

#include <acre/agas/detail/parcel.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace acre::agas {

/// Called for the parcels at an object, oldest first; true if a parcel may start.
/// @tparam Object  has is_running(): an exclusive call or change; is_free(): no concurrent call or
/// pin; exclusive_family(), or 0
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

  void note_waiting(const Parcel& parcel) {
    if (parcel.is_about_object()) {
      change_waits_ = true;
      return;
    }
    const caller_and_family waits{parcel.caller, parcel.family()};
    if (std::ranges::find(waiting_, waits) == waiting_.end()) waiting_.push_back(waits);
  }

  [[nodiscard]] bool may_run(const Parcel& parcel) const {
    if (object_.is_changing()) return false;
    if (parcel.kind == parcel_kind::concurrent_call) return true;
    if (object_.is_running()) return false;
    return !parcel.is_about_object() || object_.is_free();
  }

  /// True if rules 2 and 4 let the parcel start.
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
  std::vector<caller_and_family> waiting_;
};

}  // namespace acre::agas
