// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/own_call.hpp>

#include <acre/agas/detail/own_call_list.hpp>
#include <acre/agas/detail/whereabouts.hpp>

#include <mutex>

namespace acre::agas {

own_call::own_call(const gid& target, parcel_kind kind, const global::future_state_base& state)
    : state_(state), target_(target.without_credit()), kind_(kind) {
  if (runtime::current_call().call == 0) return;
  is_listed_ = true;
  const std::lock_guard hold(own_calls.lock);
  next_ = std::exchange(own_calls.first, this);
  if (next_ != nullptr) next_->before_ = this;
}

void own_call::finish() noexcept {
  if (!std::exchange(is_listed_, false)) return;
  const std::lock_guard hold(own_calls.lock);
  if (next_ != nullptr) next_->before_ = before_;
  (before_ == nullptr ? own_calls.first : before_->next_) = next_;
}

std::string own_call::describe() const {
  const char* const what = kind_ == parcel_kind::move      ? "for the move of "
                           : kind_ == parcel_kind::destroy ? "for the end of "
                                                           : "for a call of ";
  return what + describe_object(target_) + " (" + describe_whereabouts(target_) + ")";
}

}  // namespace acre::agas
