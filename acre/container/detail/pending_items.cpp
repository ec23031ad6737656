// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/detail/pending_items.hpp>

#include <acre/base/error.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/runtime/job_hooks.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <exception>
#include <mutex>
#include <string>

namespace acre::container {
namespace {

constinit spin_lock pending_lock;
constinit pending_items* newest_pending = nullptr;  ///< under the lock, as are all links

[[maybe_unused]] const bool pending_registered =
    runtime::add_job_hooks({.ended = &pending_items::keep_losses});

}  // namespace

pending_items::pending_items() noexcept {
  const std::lock_guard hold(pending_lock);
  next_ = newest_pending;
  if (next_ != nullptr) next_->previous_ = this;
  newest_pending = this;
}

pending_items::~pending_items() {
  const std::lock_guard hold(pending_lock);
  (previous_ != nullptr ? previous_->next_ : newest_pending) = next_;
  if (next_ != nullptr) next_->previous_ = previous_;
}

void pending_items::keep_losses() noexcept {
  const std::lock_guard hold(pending_lock);
  for (const pending_items* each = newest_pending; each != nullptr; each = each->next_) {
    each->keep_loss();
  }
}

void pending_items::keep_loss() const noexcept {
  try {
    throw_if_pending();
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
}

void throw_pending(const char* what, std::uint64_t items, const site& where) {
  throw error("buffered",
              "the job ends while a " + std::string(what) + " holds " + std::to_string(items) +
                  " items, which are lost; it was made" + describe_place(where),
              "destroy it, or call flush(), before the job ends");
}

}  // namespace acre::container
