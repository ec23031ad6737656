// SPDX-License-Identifier: BSD-3-Clause
// Queue of pending requests to owners.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/global/owner/at_owner.hpp>

#include <cstddef>
#include <utility>

namespace acre::at_owner {

/// Answers are taken in request order. For one thread; waits may run code that uses the object. The
/// destructor drops pending answers.
/// @tparam Note  caller's data for each request
template <class Note>
class requests_under_way {
 public:
  requests_under_way() = default;
  ~requests_under_way() {
    while (first_ != nullptr) static_cast<void>(pop_first());
  }
  requests_under_way(const requests_under_way&) = delete;
  requests_under_way& operator=(const requests_under_way&) = delete;

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  void add(const request& what, Note note) {
    // Allocation may fail: it precedes the request, which could not be tracked otherwise.
    base::unique_object<one> added(new one{{}, what.owner, std::move(note), nullptr});
    added->started = start_request(what);
    one* const last = added.get();
    (first_ == nullptr ? first_ : last_->next) = std::move(added);
    last_ = last;
    ++size_;
  }

  /// Waits until at most `at_most` requests are pending; calls take(note, record, owner) for each
  /// completed one.
  template <class Take>
  void await(std::size_t at_most, runtime::may_run meanwhile, Take&& take, const char* call,
             const site& where) {
    while (size_ > at_most) {
      runtime::wait_until([&] { return size_ <= at_most || first_->started.is_done(); }, call,
                          meanwhile, where);
      if (size_ <= at_most) return;
      const base::unique_object<one> first = pop_first();
      take(first->note, *first->started, first->owner);
    }
  }

 private:
  struct one {
    runtime::awaited<request_record> started;
    rank_t owner;
    Note note;
    base::unique_object<one> next;
  };

  base::unique_object<one> pop_first() noexcept {
    base::unique_object<one> first = std::move(first_);
    first_ = std::move(first->next);
    --size_;
    return first;
  }

  base::unique_object<one> first_;
  one* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace acre::at_owner
