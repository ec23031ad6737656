// SPDX-License-Identifier: BSD-3-Clause
// Bulk unions, one at a time.
//
//     acre::buffered writer(sets, acre::uniting);
//     for (const edge& each : mine) writer.unite(each.from, each.to);
//     const std::uint64_t united = writer.flush();
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/detail/pending_items.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash/buffered.hpp>

#include <cstdint>
#include <exception>
#include <utility>

namespace acre {

struct uniting_rule {};
inline constexpr uniting_rule uniting;

/// A writer of one rank, for one thread at a time. Pairs are united at the end of the next flush()
/// at the latest, or by a collective call of the sets. Pairs left at the job's end are an
/// acre::error. Cost: as unite_all().
/// @tparam Sets  union_find or disjoint_set
template <class Sets>
class buffered<Sets, uniting_rule> final : private container::pending_items {
  using value_type = typename Sets::value_type;

 public:
  explicit buffered(Sets& sets, uniting_rule = {}, const site& where = site::current())
      : unions_(sets, {"buffered", where}), made_at_(where) {}

  buffered(buffered&&) = delete;
  buffered& operator=(buffered&&) = delete;

  /// Flushes, except during unwinding.
  ~buffered() noexcept(false) {
    if (std::uncaught_exceptions() == 0) flush();
  }

  /// @throws acre::error as unite() of the sets
  void unite(const value_type& a, const value_type& b) { unions_.add(a, b); }

  /// Returns when all pairs are united.
  /// @return number of pairs that united two sets since the last flush
  std::uint64_t flush() { return unions_.finish(); }

 private:
  void throw_if_pending() const override {
    if (unions_.pending() != 0) container::throw_pending("writer", unions_.pending(), made_at_);
  }

  typename Sets::template union_batch<no_guarantee> unions_;
  site made_at_;
};

}  // namespace acre
