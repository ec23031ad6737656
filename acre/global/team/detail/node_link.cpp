// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/node_link.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/global/team/detail/roll_call.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <string>

namespace acre::global {

namespace {

using counter = std::atomic<std::uint32_t>;

constexpr std::size_t line = 64;
constexpr std::uint32_t slots = 4;
constexpr std::size_t largest_slot = 8192;
constexpr std::size_t smallest_slot = 512;
constexpr std::size_t bulk_budget = std::size_t{512} << 10;

bool reached(const counter& value, std::uint32_t target) noexcept {
  return static_cast<std::int32_t>(value.load(std::memory_order_acquire) - target) >= 0;
}

std::uint32_t label_of(const collective_caller& caller, std::size_t bytes) noexcept {
  return std::uint32_t{static_cast<std::uint8_t>(caller.kind)} << 24 |
         static_cast<std::uint32_t>(bytes);
}

std::size_t choose_slot_bytes(std::size_t members) noexcept {
  return std::clamp(bulk_budget / (members * slots) / line * line, smallest_slot, largest_slot);
}

}  // namespace

struct node_block {
  alignas(line) counter arrived;
  alignas(line) counter released;
  alignas(line) counter users;
  std::uint32_t counts_arrivals;
  counter failed;
  spin_lock cause_lock;
  char cause[256];
};

struct member_lines {
  struct slot {
    alignas(line) counter exchange;
    std::uint32_t label;
    std::byte data[line - 8];
  };
  alignas(line) counter rounds[line / sizeof(counter)];
  alignas(line) counter done;
  counter barriers;
  slot held[slots];
};

static_assert(sizeof(member_lines::slot) == line);

std::size_t node_link::block_bytes(std::size_t members) noexcept {
  return sizeof(node_block) + members * (sizeof(member_lines) + slots * choose_slot_bytes(members));
}

void node_link::format(std::byte* memory, std::size_t members) {
  auto* block = new (memory) node_block{};
  block->users.store(static_cast<std::uint32_t>(members), std::memory_order_relaxed);
  block->counts_arrivals = runtime::crowded() ? 1 : 0;
  // The kernel commits these pages on first use.
  new (memory + sizeof(node_block)) member_lines[members]{};
}

node_link::node_link(std::byte* memory, std::vector<rank_t> members, rank_t place)
    : block_(reinterpret_cast<node_block*>(memory)),
      lines_(reinterpret_cast<member_lines*>(memory + sizeof(node_block))),
      bulk_(memory + sizeof(node_block) + members.size() * sizeof(member_lines)),
      slot_bytes_(choose_slot_bytes(members.size())),
      members_(std::move(members)),
      place_(place) {}

void node_link::leave() noexcept { block_->users.fetch_sub(1, std::memory_order_release); }

bool node_link::abandoned(const std::byte* memory) noexcept {
  return reinterpret_cast<const node_block*>(memory)->users.load(std::memory_order_acquire) == 0;
}

void node_link::fail(const std::string& cause) noexcept {
  const std::lock_guard hold(block_->cause_lock);
  if (block_->failed.load(std::memory_order_relaxed) != 0) return;
  cause.copy(block_->cause, sizeof block_->cause - 1);
  block_->failed.store(1, std::memory_order_release);
}

void node_link::check_usable(const collective_caller& caller) const {
  if (block_->failed.load(std::memory_order_acquire) == 0) [[likely]]
    return;
  throw error(caller.name(),
              std::string("an earlier collective of this team failed: ") + block_->cause,
              no_more_use);
}

/// Spins some microseconds before progress, unless ranks share the core. Long waits query whether
/// the members at places `missing()` can still arrive.
template <class Ready, class Missing>
void node_link::await_store(Ready&& ready, const collective_caller& caller,
                            Missing&& missing) const {
  constexpr int looks_alone = 100;
  for (int look = runtime::shares_core() ? looks_alone : 0; look < looks_alone; ++look) {
    if (ready()) return;
    spin_pause();
  }
  attendance& here = caller.here;
  roll_call_times times;
  std::uint32_t asked = here.answers();
  const auto ready_or_lost = [&] {
    if (ready()) return true;
    if (caller.kind != collective_kind::job_end && times.is_time()) {
      times.put_off(here.answers() == asked);
      asked = here.answers();
      for (const rank_t place : missing()) {
        if (ask_whether_it_comes(members_[place], here, caller.number)) ++asked;
      }
    }
    if (!here.has_heard(caller.number)) return false;
    if (!ready()) here.throw_what_was_heard(caller.kind);
    return true;
  };
  const blocked_in_collective until_then(here, caller.number);
  runtime::wait_until(ready_or_lost, caller.name(), runtime::may_run::user_code, caller.where);
}

void node_link::wake_members() noexcept {
  if (runtime::this_node().sleepers.load(std::memory_order_relaxed) == 0) return;
  for (const rank_t member : members_) runtime::ring_bell(member);
}

void node_link::barrier(const collective_caller& caller) {
  if (members_.size() == 1) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return;
  }
  check_usable(caller);
  if (block_->counts_arrivals == 0) {
    disseminate(caller);
  } else {
    join_barrier();
    const std::uint32_t last = barriers_ * size();
    if (block_->arrived.fetch_add(1, std::memory_order_seq_cst) + 1 == last) {
      release();
    } else {
      await_release(caller);
    }
  }
}

void node_link::disseminate(const collective_caller& caller) {
  const std::uint32_t epoch = ++barriers_;
  const rank_t count = size();
  unsigned round = 0;
  for (rank_t distance = 1; distance < count; distance *= 2, ++round) {
    const rank_t partner =
        place_ + distance < count ? place_ + distance : place_ + distance - count;
    // Orders writes before the barrier; on x86-64 also the flag before the check for sleepers.
    // Elsewhere a missed sleeper sleeps until its time-out.
    lines_[partner].rounds[round].exchange(epoch, std::memory_order_seq_cst);
    if (runtime::this_node().sleepers.load(std::memory_order_relaxed) != 0) {
      runtime::ring_bell(members_[partner]);
    }
    const counter& mine = lines_[place_].rounds[round];
    const rank_t before = place_ < distance ? place_ + count - distance : place_ - distance;
    await_store([&] { return reached(mine, epoch); }, caller, [=] { return std::array{before}; });
  }
}

void node_link::join_barrier() noexcept {
  lines_[place_].barriers.store(++barriers_, std::memory_order_relaxed);
}

std::vector<rank_t> node_link::missing_in_barrier() const {
  constexpr std::size_t most = 8;
  std::vector<rank_t> missing;
  for (rank_t i = 1; i < size() && missing.size() < most; ++i) {
    const rank_t place = (place_ + i) % size();
    if (!reached(lines_[place].barriers, barriers_)) missing.push_back(place);
  }
  if (missing.empty() && place_ != 0) missing.push_back(0);
  return missing;
}

void node_link::arrive(const collective_caller& caller) {
  check_usable(caller);
  join_barrier();
  block_->arrived.fetch_add(1, std::memory_order_seq_cst);
  if (place_ != 0) runtime::ring_bell(members_[0]);
}

void node_link::await_arrivals(const collective_caller& caller) {
  const std::uint32_t all = barriers_ * size();
  await_store([&] { return reached(block_->arrived, all); }, caller,
              [this] { return missing_in_barrier(); });
}

void node_link::release() noexcept {
  block_->released.exchange(barriers_, std::memory_order_seq_cst);
  wake_members();
}

void node_link::await_release(const collective_caller& caller) {
  await_store([&] { return reached(block_->released, barriers_); }, caller,
              [this] { return missing_in_barrier(); });
}

std::byte* node_link::data_of(rank_t place, std::size_t bytes) const noexcept {
  const std::uint32_t which = exchanges_ % slots;
  if (bytes <= sizeof(member_lines::slot::data)) return lines_[place].held[which].data;
  return bulk_ + (std::size_t{place} * slots + which) * slot_bytes_;
}

void node_link::await_readers(const collective_caller& caller) {
  const std::uint32_t needed = exchanges_ - slots;
  if (static_cast<std::int32_t>(readers_done_ - needed) >= 0) return;
  std::uint32_t all_done = exchanges_ - 1;
  for (rank_t other = 0; other < size(); ++other) {
    const counter& done = lines_[other].done;
    if (other == place_) continue;
    await_store([&] { return reached(done, needed); }, caller, [=] { return std::array{other}; });
    const std::uint32_t its = done.load(std::memory_order_acquire);
    if (static_cast<std::int32_t>(all_done - its) > 0) all_done = its;
  }
  readers_done_ = all_done;
}

node_link::exchange::exchange(node_link& link, const collective_caller& caller, std::size_t bytes)
    : link_(link), call_(caller), bytes_(bytes) {
  link_.check_usable(caller);
  ++link_.exchanges_;
}

node_link::exchange::~exchange() {
  if (reads_ + 1 >= link_.size()) link_.readers_done_ = link_.exchanges_ - 1;
  link_.lines_[link_.place_].done.store(link_.exchanges_, std::memory_order_release);
}

std::byte* node_link::exchange::slot() {
  link_.await_readers(call_);
  return link_.data_of(link_.place_, bytes_);
}

void node_link::exchange::publish() {
  auto& slot = link_.lines_[link_.place_].held[link_.exchanges_ % slots];
  slot.label = label_of(call_, bytes_);
  slot.exchange.store(link_.exchanges_, std::memory_order_release);
  link_.wake_members();
}

void node_link::exchange::show(std::span<const std::byte> data) {
  std::ranges::copy(data, slot());
  publish();
}

const std::byte* node_link::exchange::read(rank_t place) {
  if (place != link_.place_) ++reads_;
  const auto& slot = link_.lines_[place].held[link_.exchanges_ % slots];
  link_.await_store([&] { return reached(slot.exchange, link_.exchanges_); }, call_,
                    [=] { return std::array{place}; });
  if (slot.label != label_of(call_, bytes_)) {
    link_.report_mismatch(call_, bytes_, slot.label, place);
  }
  return link_.data_of(place, bytes_);
}

void node_link::report_mismatch(const collective_caller& caller, std::size_t bytes,
                                std::uint32_t label, rank_t place) const {
  const auto say = [](rank_t rank, collective_kind kind, const char* name, std::size_t size) {
    std::string text = "rank " + std::to_string(rank) + " is in " + name;
    if (kind == collective_kind::call) return text;
    return text + " with " + std::to_string(size) + " bytes";
  };
  const auto other = static_cast<collective_kind>(label >> 24);
  throw error(caller.name(),
              say(members_[place_], caller.kind, caller.name(), bytes) + ", but " +
                  say(members_[place], other, name_of(other), label & 0xffffffU),
              same_collectives);
}

}  // namespace acre::global
