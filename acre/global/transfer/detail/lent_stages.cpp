// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/transfer/detail/lent_stages.hpp>

#include <acre/base/site.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/transfer/detail/runs_there.hpp>
#include <acre/runtime/job_hooks.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

namespace acre::global {
namespace {

struct lending {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static void serve(const at_owner::asked&, at_owner::answer& reply) {
    const std::size_t heap = runtime::world.segment_bytes / 2;
    if (runtime::segment_free().private_part < heap / 4 * 3) return;
    reply.code = runtime::segment_offset(runtime::allocate_private(stage_bytes));
  }
};

struct loan {
  rank_t owner = 0;
  bool is_used = false;
  std::uint64_t bits = 0;
};

class loans {
 public:
  /// Stage of the owner, or an unused slot for one; null if all are in use. A stage
  /// displaced from the slot moves to `given_up`.
  [[nodiscard]] loan* try_take(rank_t owner, at_owner::stage& given_up) noexcept {
    const std::lock_guard hold(lock_);
    const auto is_of_owner = [=](const loan& each) {
      return each.owner == owner && (each.is_used || each.bits != 0);
    };
    loan* found = std::ranges::find_if(
        all_, [&](const loan& each) { return is_of_owner(each) && !each.is_used; });
    if (found == all_.end()) {
      if (std::ranges::count_if(all_, is_of_owner) >= most_of_one) return nullptr;
      found = next_unused();
      if (found == nullptr) return nullptr;
      given_up = at_owner::stage(std::exchange(found->bits, 0), stage_bytes);
    }
    found->owner = owner;
    found->is_used = true;
    return found;
  }

  void note(loan& asked, std::uint64_t bits) noexcept {
    const std::lock_guard hold(lock_);
    note_unlocked(asked, bits);
  }

  void give_back(std::uint64_t bits) noexcept {
    const std::lock_guard hold(lock_);
    std::ranges::find(all_, bits, &loan::bits)->is_used = false;
  }

  void give_up(std::uint64_t bits) noexcept {
    const std::lock_guard hold(lock_);
    note_unlocked(*std::ranges::find(all_, bits, &loan::bits), 0);
  }

  void forget() noexcept { all_ = {}; }

 private:
  static constexpr std::ptrdiff_t most_of_one = 4;

  static void note_unlocked(loan& asked, std::uint64_t bits) noexcept {
    asked.bits = bits;
    asked.is_used = bits != 0;
  }

  [[nodiscard]] loan* next_unused() noexcept {
    for (std::size_t tries = 0; tries < all_.size(); ++tries) {
      loan& each = all_[next_];
      next_ = (next_ + 1) % all_.size();
      if (!each.is_used) return &each;
    }
    return nullptr;
  }

  spin_lock lock_;
  std::array<loan, 16> all_;
  std::size_t next_ = 0;
};

constinit loans borrowed;

[[maybe_unused]] const bool loans_registered =
    runtime::add_job_hooks({.started = [] { borrowed.forget(); }});

[[nodiscard]] std::uint64_t ask_for_stage(rank_t owner) {
  const at_owner::answered given =
      at_owner::ask<lending>(owner, {}, {}, "put_strided", site::current());
  return given.code == 0 ? 0 : std::uint64_t{owner} << offset_bits | given.code;
}

}  // namespace

lent_stage::~lent_stage() {
  if (bits_ == 0) return;
  borrowed.give_up(bits_);
  const at_owner::stage freed(bits_, stage_bytes);
}

lent_stage borrow_stage(rank_t owner) {
  at_owner::stage given_up;
  loan* taken = nullptr;
  runtime::until_room([&] { return (taken = borrowed.try_take(owner, given_up)) != nullptr; },
                      "put_strided");
  if (taken->bits != 0) return lent_stage(taken->bits);
  std::uint64_t bits = 0;
  try {
    bits = ask_for_stage(owner);
  } catch (...) {
    borrowed.note(*taken, 0);
    throw;
  }
  borrowed.note(*taken, bits);
  return lent_stage(bits);
}

void give_stage_back(std::uint64_t bits) noexcept { borrowed.give_back(bits); }

}  // namespace acre::global
