// Which of the parcels at an object begins next.
//
// A call whose function T::acre_concurrent names is concurrent, another one is exclusive. A move
// and an end of the object are changes here.
//
// 1. What may run together. An exclusive call begins when no other one runs; a change when no call
//    runs and nothing pins the object; a concurrent call at any time; and none of them while a
//    change is carried out.
// 2. Order. A call does not begin before an earlier call of the same caller.
// 3. Fairness. While a change waits, a call that is behind it waits as well, as long as the gate is
//    shut (change_gate.hpp). The gate is open while something pins the object.
// 4. What a running call waits for gets in. A call that somebody awaits, of the family of a call
//    that runs, passes a gate that was shut after that call began. And it passes a call of its own
//    caller that is of another family, or that waits for an exclusive call of this family.
//
// By 4 a call and what it leads to, directly or through other objects, never wait for a change or
// for a call that waits for them. Dependencies that are no calls, for instance a promise that a
// call from elsewhere fulfils, are unknown: so the gate opens again and again. By 3 a stream of
// calls does not keep a change waiting for ever: calls end in a phase in which the gate is shut
// when that is as long as they run, and phases get so long (change_gate.hpp).
//
// The rule is a template, because the model (admission_model_test.cpp) searches this code itself.
#pragma once

#include <acre/agas/detail/parcel.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace acre::detail {

/// Asked of the parcels at one object, the oldest first, it says which of them may begin now.
/// @tparam Object  has is_running(): an exclusive call or a change; is_changing(); is_free(): no
///   concurrent call runs, and nothing pins it; is_gate_open(); exclusive_family(), 0 for none;
///   runs(family), and runs_before_gate(family): since before the gate was shut
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

  /// This one waits, whether it may begin or not.
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
  [[nodiscard]] bool passes_calls(const Parcel& parcel) const {
    const bool is_awaited_here = parcel.is_awaited() && object_.runs(parcel.family());
    const bool is_of_exclusive =
        parcel.family() != 0 && parcel.family() == object_.exclusive_family();
    return std::ranges::none_of(waiting_, [&](const caller_and_family& before) {
      if (before.first != parcel.caller) return false;
      return !is_awaited_here || (before.second == parcel.family() && !is_of_exclusive);
    });
  }

  const Object& object_;
  bool change_waits_ = false;
  std::vector<caller_and_family> waiting_;  ///< calls
};

}  // namespace acre::detail
