// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/sets/detail/union_batch.hpp>

#include <acre/base/divisor.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace acre::container {
namespace {

/// 40 MB.
constexpr std::size_t most_known = std::size_t{1} << 20;

}  // namespace

open_unions::open_unions(const forest_parts& all, const named_call& call)
    : all_(&all), near_(&all.near()), call_(call) {
  all.sign_on(*this);
}

open_unions::~open_unions() {
  if (all_ != nullptr) all_->sign_off(*this);
}

void open_unions::continue_in(const forest_parts& all) noexcept {
  all_ = &all;
  near_ = &all.near();
}

void open_unions::end() noexcept {
  static const forest none(0, 1, {});  // add() refuses all elements
  near_ = &none;
  all_ = nullptr;
}

void open_unions::require_sets() const {
  if (all_ != nullptr) return;
  throw error(call_.name, "the sets no longer exist", "flush a writer before its sets end");
}

void open_unions::refuse(std::uint64_t a, std::uint64_t b, phase_entry entry) {
  require_sets();
  united_ = finish(entry);
  all_->check(a, call_.name);
  all_->check(b, call_.name);
}

void open_unions::perform(phase_entry entry) {
  near_->with_words([&](auto words) { perform_in(words); });
  send_if_many(entry);
}

template <class Words>
void open_unions::perform_in(Words words) {
  runtime::direct_costs spent;
  const auto all = std::span(some_).first(std::exchange(count_, 0));
  for (const auto& [one, other] : all) {
    const auto low = words.above(one);
    const auto high = words.above(other);
    if (low.top == high.top) continue;
    element_pair both;
    note(words.template meet<true, path::halved>(low, high, both, spent), both);
  }
  spent.reads += 2 * all.size();
  runtime::count(spent);
}

void open_unions::unite_now(element_pair both, phase_entry entry) {
  runtime::direct_costs spent;
  note(near_->unite(both, spent), both);
  runtime::count(spent);
  send_if_many(entry);
}

void open_unions::note(meeting outcome, const element_pair& both) {
  if (outcome == meeting::linked) {
    ++united_;
  } else if (outcome == meeting::elsewhere) {
    known_.add(both);
  }
}

void open_unions::send_if_many(phase_entry entry) {
  if (known_.elements() < most_known) return;
  united_ += all_->send(known_, entry, call_);
  known_.clear();
}

std::uint64_t open_unions::finish(phase_entry entry) {
  if (pending() != 0) {
    require_sets();
    perform(entry);
    united_ += all_->send(known_, entry, call_);
  }
  // clear() of the sets may make known unions wrong.
  known_.clear();
  return std::exchange(united_, 0);
}

void forest_parts::sign_on(open_unions& open) const {
  const std::lock_guard hold(open_lock_);
  open_.push_back(&open);
}

void forest_parts::sign_off(open_unions& open) const noexcept {
  const std::lock_guard hold(open_lock_);
  std::erase(open_, &open);
}

void forest_parts::hand_open_to(const forest_parts& others) const {
  for (open_unions* each : std::exchange(open_, {})) {
    others.sign_on(*each);
    each->continue_in(others);
  }
}

void forest_parts::finish_open() const {
  for (open_unions* each : open_) each->united_ = each->finish(phase_entry(0));
}

void forest_parts::end_open() noexcept {
  for (open_unions* each : open_) each->end();
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
