// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/waking_add.hpp>

#include <acre/base/error.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/runtime/rank_box.hpp>

#include <string>

namespace acre::global {

void wake_owner(const team& members, rank_t member, global_ptr<std::uint64_t> count) {
  if (count.is_local()) runtime::ring_bell(members.world_rank(member));
}

void add_and_wake(const team& members, rank_t member, global_ptr<std::uint64_t> count,
                  std::uint64_t amount) {
  atomic_add_nbi(count, amount);
  wake_owner(members, member, count);
}

void say_that_one_has_left(const team& members, rank_t member,
                           global_ptr<std::uint64_t> count) noexcept {
  try {
    atomic_or_nbi(count, left_bit);
    wake_owner(members, member, count);
  } catch (...) {
    return;
  }
}

void throw_has_left(const char* call, const char* who) {
  throw error(call, std::string(who) + " has left by an exception",
              "see the exception of that member");
}

}  // namespace acre::global
