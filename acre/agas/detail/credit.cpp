// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/credit.hpp>

#include <acre/agas/collect.hpp>
#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/whereabouts.hpp>
#include <acre/base/error.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/call_under_way.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/require_job.hpp>

#include <algorithm>
#include <bit>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace acre::agas {
namespace {

constexpr std::uint64_t whole = std::uint64_t{1} << 24;

struct credit_of {
  gid name;
  std::uint64_t credit;
};

using end_function = void (*)(const gid& name);
constinit end_function end_of_unreferred = nullptr;

void redeem(std::span<const credit_of> returned) {
  agas_timer timed(agas_counted::decrement_credit_batch, agas_timed::decrement_credit);
  std::vector<gid> unreferred;
  {
    const held_lock hold(space().lock);
    count(agas_counted::decrement_credit, returned.size());
    for (const auto& [name, credit] : returned) {
      directory_entry* const entry = space().entry_of(name);
      if (entry == nullptr) continue;
      entry->issued -= credit;
      if (entry->issued == 0) unreferred.push_back(name);
    }
  }
  timed.stop();
  for (const gid& each : unreferred) end_of_unreferred(each);
}

std::uint64_t issue_more(const gid& name) {
  const agas_timer timed(agas_counted::increment_credit, agas_timed::increment_credit);
  const held_lock hold(space().lock);
  directory_entry* const entry = space().entry_of(name);
  if (entry == nullptr || entry->issued == 0) return 0;  // not counted, or its end is under way
  entry->issued += whole;
  return whole;
}

/// Credit to return: waits until `threshold` objects have some, then is sent at the next progress()
/// in one message per home. From then on it counts as a call in flight, so drain() waits.
class returns : runtime::deferred_task {
 public:
  returns() noexcept {
    run = [](runtime::deferred_task& task) { static_cast<returns&>(task).run_deferred(); };
  }

  void wait_for(std::size_t objects) noexcept {
    const held_lock hold(lock_);
    threshold_ = objects;
  }
  void add(const gid& name, std::uint64_t credit) {
    {
      const held_lock hold(lock_);
      queued_[name] += credit;
      if (counted_.has_value() || queued_.size() < threshold_) return;
      counted_.emplace();
    }
    runtime::defer(*this);
  }
  [[nodiscard]] std::uint64_t queued(const gid& name) noexcept {
    const held_lock hold(lock_);
    const std::uint64_t* const credit = queued_.find(name);
    return credit == nullptr ? 0 : *credit;
  }
  [[nodiscard]] std::size_t objects() noexcept {
    const held_lock hold(lock_);
    return queued_.size();
  }
  /// Not sent here: objects of this rank end in a thread that may run user code.
  std::size_t start() {
    std::size_t objects = 0;
    {
      const held_lock hold(lock_);
      objects = queued_.size();
      if (objects == 0 || counted_.has_value()) return objects;
      counted_.emplace();
    }
    runtime::defer(*this);
    return objects;
  }
  void clear() { queued_ = {}; }

 private:
  void run_deferred() {
    gid_table<std::uint64_t> all;
    const global::call_under_way counted;
    {
      const held_lock hold(lock_);
      std::swap(all, queued_);
      counted_.reset();
    }
    send(all);
  }

  static void send(gid_table<std::uint64_t>& all) {
    std::map<rank_t, std::vector<credit_of>> by_home;
    all.for_each([&](const gid& name, std::uint64_t credit) {
      by_home[name.home()].push_back({name, credit});
    });
    for (auto& [home, credits] : by_home) {
      std::ranges::sort(credits, {}, [](const credit_of& each) { return each.name.slot(); });
    }
    for (const auto& [home, credits] : by_home) {
      if (home == rank()) continue;
      count(agas_counted::credit_batch_sent);
      rpc_ff(home, [](std::span<const credit_of> come) { redeem(come); }, credits);
    }
    if (const auto mine = by_home.find(rank()); mine != by_home.end()) redeem(mine->second);
  }

  spin_lock lock_;
  gid_table<std::uint64_t> queued_;
  std::size_t threshold_ = 1;
  std::optional<global::call_under_way> counted_;
};

/// Never destroyed: static objects may hold references.
returns& returns_to_come() {
  static auto& made = *new returns;
  return made;
}

gid_table<held_credit*>& held() {
  static auto& made = *new gid_table<held_credit*>;
  return made;
}

constinit thread_local credit_trail* trail = nullptr;

/// While it exists, nested work is not recorded in the trail of this thread.
class trail_aside {
 public:
  trail_aside() noexcept : aside_(std::exchange(trail, nullptr)) {}
  ~trail_aside() { trail = aside_; }
  trail_aside(const trail_aside&) = delete;
  trail_aside& operator=(const trail_aside&) = delete;

 private:
  credit_trail* aside_;
};

void replenish(held_credit& kept, held_lock& hold) {
  const gid name = kept.name;
  hold.unlock();
  const trail_aside while_it_waits;
  const std::uint64_t more =
      name.home() == rank() ? issue_more(name) : rpc(name.home(), issue_more, name).get();
  if (more == 0) {
    throw no_such_object("object_ref", name);
  }
  hold.lock();
  kept.credit += more;
}

gid take_part(held_credit& kept, bool takes_half) {
  held_lock hold(space().lock);
  while (kept.credit < 2) replenish(kept, hold);
  const unsigned log2 = takes_half ? static_cast<unsigned>(std::bit_width(kept.credit)) - 2 : 0;
  const std::uint64_t part = std::uint64_t{1} << log2;
  if (trail != nullptr) trail->note_shared(kept, part);
  kept.credit -= part;
  return kept.name.with_credit(log2);
}

}  // namespace

held_credit* first_reference(const gid& name) {
  {
    const held_lock hold(space().lock);
    space().entry_of(name)->issued = whole;
  }
  const trail_aside not_read;
  return take_reference(name.with_credit(log2_of_new_credit()));
}

held_credit* take_reference(const gid& name) {
  const held_lock hold(space().lock);
  held_credit*& known = held()[name];
  if (known == nullptr) known = new held_credit{.name = name.without_credit()};
  const std::uint64_t part = std::uint64_t{1} << (name.log2_credit() & 63);
  known->credit += part;  // NOLINT(clang-analyzer-core.uninitialized.Assign)
  copy_reference(*known);
  if (trail != nullptr) trail->note_taken(*known, part);
  return known;
}

void drop_reference(held_credit& kept) noexcept {
  std::uint32_t count = kept.references.load(std::memory_order_relaxed);
  while (count > 1) {
    if (kept.references.compare_exchange_weak(count, count - 1, std::memory_order_release,
                                              std::memory_order_relaxed)) {
      return;
    }
  }
  std::uint64_t credit = 0;
  {
    const held_lock hold(space().lock);
    if (kept.references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    held_credit** const known = held().find(kept.name);
    if (known != nullptr && *known == &kept) {
      held().erase(kept.name);
      credit = kept.credit;
    }
  }
  const gid name = kept.name;
  delete &kept;
  if (credit != 0) returns_to_come().add(name, credit);
}

namespace {
constinit thread_local bool writes_names_only = false;
}  // namespace

names_only::names_only() noexcept : before_(std::exchange(writes_names_only, true)) {}
names_only::~names_only() { writes_names_only = before_; }

gid share_credit(held_credit* held) {
  if (held == nullptr) return {};
  return writes_names_only ? held->name.with_credit(0) : take_part(*held, true);
}

gid spend_credit(held_credit* held) { return held == nullptr ? gid() : take_part(*held, false); }

held_credit* copy_held_reference(const gid& name) noexcept {
  const held_lock hold(space().lock);
  held_credit** const known = held().find(name);
  if (known == nullptr) return nullptr;
  copy_reference(**known);
  return *known;
}

future<reference> request_reference(const gid& name) {
  return rpc(name.home(), issue_more, name).then([name](std::uint64_t issued) {
    if (issued == 0) return reference();
    return reference(take_reference(name.with_credit(log2_of_new_credit())));
  });
}

future<reference> refer_to(const gid& name) {
  return request_reference(name).then([name](reference come) {
    if (!come) throw no_such_object("object_ref", name);
    return come;
  });
}

unsigned log2_of_new_credit() noexcept { return static_cast<unsigned>(std::countr_zero(whole)); }

void issue_credit(std::span<const gid> names) noexcept {
  for (const gid& each : names) static_cast<void>(issue_more(each));
}

void end_unreferred_by(void (*end)(const gid& name)) noexcept { end_of_unreferred = end; }

void start_credit(std::size_t threshold) noexcept { returns_to_come().wait_for(threshold); }

std::uint64_t objects_with_waiting_credit() noexcept { return returns_to_come().objects(); }

void forget_credit() noexcept {
  held() = {};
  returns_to_come().clear();
}

void add_held_credit(const std::unordered_set<gid>& objects, std::vector<credit_line>& lines) {
  const held_lock hold(space().lock);
  for (const gid& name : objects) {
    const held_credit* const* const kept = held().find(name);
    if (kept != nullptr) lines.push_back({name, (*kept)->credit, (*kept)->references.load()});
  }
}

void return_credit(const gid& name) noexcept {
  if (!name.has_credit()) return;
  returns_to_come().add(name, std::uint64_t{1} << name.log2_credit());
}

credit_trail::credit_trail() noexcept : outer_(std::exchange(trail, this)) {}
credit_trail::~credit_trail() { trail = outer_; }

void credit_trail::note_shared(held_credit& from, std::uint64_t credit) {
  copy_reference(from);
  steps_.push_back({reference(&from), credit, false});
}
void credit_trail::note_taken(held_credit& into, std::uint64_t credit) {
  copy_reference(into);
  steps_.push_back({reference(&into), credit, true});
}
bool credit_trail::took_only(std::span<const gid> names) const {
  std::unordered_map<gid, std::uint64_t> left;
  for (const gid& each : names)
    left[each.without_credit()] += std::uint64_t{1} << each.log2_credit();
  return std::ranges::all_of(steps_, [&](const step& each) {
    if (!each.is_taken) return true;
    const auto named = left.find(each.keeps.name());
    if (named == left.end() || named->second < each.credit) return false;
    named->second -= each.credit;
    return true;
  });
}
void credit_trail::undo() noexcept {
  const held_lock hold(space().lock);
  for (step& each : steps_) {
    std::uint64_t& credit = each.keeps.held()->credit;
    credit = each.is_taken ? credit - each.credit : credit + each.credit;
    each.credit = 0;
  }
}

std::uint64_t issued_credit(const gid& name) noexcept {
  const held_lock hold(space().lock);
  const directory_entry* const entry = space().entry_of(name);
  return entry == nullptr ? 0 : entry->issued;
}

std::uint64_t credit_held(const gid& name) noexcept {
  std::uint64_t sum = returns_to_come().queued(name);
  const held_lock hold(space().lock);
  held_credit** const kept = held().find(name);
  return sum + (kept == nullptr ? 0 : (*kept)->credit);
}

}  // namespace acre::agas

namespace acre {

std::size_t collect() {
  runtime::require_job("collect");
  return agas::returns_to_come().start();
}

}  // namespace acre
