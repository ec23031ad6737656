// SPDX-License-Identifier: BSD-3-Clause
// Each member A counts the syncs of every B with A. Only B adds to that counter; A waits until it
// reaches A's own count. B is ahead by at most one, since its next sync needs A.
#include <acre/global/team/pairwise_barrier.hpp>

#include <acre/base/error.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/memory/wait_until.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/team/detail/member_counts.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/running_code.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace acre {

struct pairwise_barrier::state : global::member_counts {
  struct partner {
    std::uint64_t syncs = 0;
    std::uint64_t last_call = 0;
  };

  state(const team& of, const site& where)
      : global::member_counts(of, of.size(), of.rank(), "pairwise_barrier",
                              "the destructor of the pairwise_barrier made", where),
        partners(of.size()) {}

  [[nodiscard]] bool has_come(rank_t other) const {
    const value seen = own(other);
    if (seen.count >= partners[other].syncs) return true;
    if (seen.has_left) {
      const std::string who = "member " + std::to_string(other);
      global::throw_has_left("pairwise_barrier::sync", who.c_str());
    }
    return false;
  }
  void check(std::span<const rank_t> with, const site& where) {
    ++calls;
    for (const rank_t each : with) {
      if (each >= members().size()) {
        global::throw_no_member(("pairwise_barrier::sync" + describe_place(where)).c_str(), each,
                                members().size());
      }
      if (partners[each].last_call == calls) {
        throw error(
            "pairwise_barrier::sync",
            "member " + std::to_string(each) + " is in the list twice" + describe_place(where),
            "list each member once; call sync() twice to synchronise twice");
      }
      partners[each].last_call = calls;
    }
  }

  std::vector<partner> partners;
  std::uint64_t calls = 0;
};

pairwise_barrier::pairwise_barrier() noexcept = default;
pairwise_barrier::pairwise_barrier(pairwise_barrier&&) noexcept = default;
pairwise_barrier& pairwise_barrier::operator=(pairwise_barrier&&) noexcept = default;
pairwise_barrier::~pairwise_barrier() = default;

pairwise_barrier::pairwise_barrier(const team& members, const site& where) {
  const runtime::failures_held until_it_is_there;
  state_ = base::make_unique_object<state>(members, where);
  members.barrier(where);
}

pairwise_barrier::state& pairwise_barrier::get(const char* call) const {
  return global::require_object(state_.get(), call, "pairwise_barrier", "pairwise_barrier{team}");
}

const team& pairwise_barrier::members() const { return get("pairwise_barrier::members").members(); }

void pairwise_barrier::sync(std::span<const rank_t> with, const site& where) {
  state& here = get("pairwise_barrier::sync");
  runtime::require_no_served_call("pairwise_barrier::sync");
  here.check(with, where);
  quiet();
  for (const rank_t each : with) {
    if (each == here.members().rank()) continue;
    ++here.partners[each].syncs;
    here.add(each);
  }
  std::size_t come = 0;
  const auto all_have_come = [&] {
    while (come < with.size() && here.has_come(with[come])) ++come;
    return come == with.size();
  };
  global::wait_until(all_have_come, "pairwise_barrier::sync", where);
}

}  // namespace acre
