// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/sets/detail/union_batch.hpp>

#include <acre/base/divisor.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <span>
#include <utility>

namespace acre::container {
namespace {

/// 40 MB.
constexpr std::size_t most_known = std::size_t{1} << 20;

}  // namespace

void open_unions::refuse(std::uint64_t a, std::uint64_t b, phase_entry entry) {
  united_ = finish(entry);
  all_->check(a, call_.name);
  all_->check(b, call_.name);
}

void open_unions::perform(phase_entry entry) {
  near_->with_words([&](auto words) { perform_in(words); });
  if (known_.elements() >= most_known) {
    united_ += all_->send(known_, entry, call_);
    known_.clear();
  }
}

template <class Words>
void open_unions::perform_in(Words words) {
  runtime::direct_costs spent;
  std::uint64_t compared = 0;
  for (const auto& [one, other] : std::span(some_).first(std::exchange(count_, 0))) {
    if (are_here(one, other)) [[likely]] {
      ++compared;
      if (words.have_one_parent(one, other)) continue;
    }
    const auto low = words.above(one, spent);
    const auto high = words.above(other, spent);
    element_pair both;
    const meeting outcome = words.template meet<true, path::halved>(low, high, both, spent);
    if (outcome == meeting::linked) {
      ++united_;
    } else if (outcome == meeting::elsewhere) {
      known_.add(both);
    }
  }
  spent.reads += 2 * compared;
  runtime::count(spent);
}

std::uint64_t open_unions::finish(phase_entry entry) {
  perform(entry);
  united_ += all_->send(known_, entry, call_);
  // clear() of the sets may make known unions wrong.
  known_.clear();
  return std::exchange(united_, 0);
}

void add_sets(const forest_parts& larger, const forest_parts& smaller, const named_call& call) {
  const runtime::failures_held until_all_is_done;
  smaller.begin_collective(call);
  const divisor each(smaller.near().each());
  const auto moved = [&](std::uint64_t element) {
    return element / each * larger.near().each() + element % each;
  };
  // Priorities differ there, so parents cannot be copied.
  open_unions unions(larger, call);
  const std::uint64_t end = smaller.first() + smaller.count();
  for (std::uint64_t element = smaller.first(); element < end; ++element) {
    const std::uint64_t parent = smaller.near().parent_of(element);
    if (parent == element) continue;
    unions.add(moved(element), moved(parent), phase_entry(0));
  }
  unions.finish(phase_entry(0));
  larger.members().barrier(call.where);
}

}  // namespace acre::container
