// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/sets/detail/number_pool.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/global/memory/atomic.hpp>

#include <cmath>
#include <mutex>
#include <string>

namespace acre::container {
namespace {

[[noreturn]] void throw_no_slot(const char* call, std::uint64_t slots, rank_t member,
                                std::uint64_t members) {
  throw error(call,
              "the part of member " + std::to_string(member) + " is full (" +
                  std::to_string(slots) + " elements, team of " + std::to_string(members) + ")",
              "use a larger capacity with disjoint_set{team, capacity}, or call reserve() on all "
              "ranks");
}

}  // namespace

std::uint64_t slots_for(std::uint64_t capacity, rank_t members) noexcept {
  // Each deviates from its mean by six standard deviations at most.
  const auto most = [&](double mean) { return mean + 6 * std::sqrt(mean) + 4; };
  const double parts = members;
  const double used = most(static_cast<double>(capacity) / parts);
  const double taken = parts * most(static_cast<double>(numbers_at_once) / parts);
  const double too_many = 0x1p60 / parts;
  return static_cast<std::uint64_t>(std::ceil(std::fmin(used + taken, too_many)));
}

void number_pool::take(rank_t member, std::size_t count, std::vector<std::uint64_t>& into,
                       const char* call) {
  count -= take_spare(member, count, into);
  if (count == 0) return;
  const auto taken = taken_.pointer(member);
  const std::uint64_t first = fetch_add(taken, count);
  const std::uint64_t end = smaller(first + count, slots_);
  // Never decreases, so that no number is given twice.
  if (end < first + count) {
    for (std::uint64_t slot = first; slot < end; ++slot)
      give_back(slot * members_.value() + member);
    throw_no_slot(call, slots_, member, members_.value());
  }
  for (std::uint64_t slot = first; slot < end; ++slot) {
    into.push_back(slot * members_.value() + member);
  }
}

std::size_t number_pool::take_spare(rank_t member, std::size_t count,
                                    std::vector<std::uint64_t>& into) {
  const std::lock_guard hold(*lock_);
  auto& mine = spare_[member];
  const std::size_t some = smaller(count, mine.size());
  into.insert(into.end(), mine.end() - static_cast<std::ptrdiff_t>(some), mine.end());
  mine.resize(mine.size() - some);
  return some;
}

void number_pool::give_back(std::uint64_t number) {
  const std::lock_guard hold(*lock_);
  spare_[number % members_].push_back(number);
}

void number_pool::clear() {
  for (auto& each : spare_) each.clear();
  taken_.local()[0] = 0;
}

}  // namespace acre::container
