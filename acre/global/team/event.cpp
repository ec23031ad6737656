// Who writes the word of a member, its count: anybody adds, its owner subtracts what it has seen
// there, a member that leaves by an exception sets the highest bit. All are locked instructions of
// CPUs: from other nodes they come as messages, which the CPU there executes. They are sequentially
// consistent, so whoever subtracts has seen what stands before the additions.
#include <acre/global/team/event.hpp>

#include <acre/base/error.hpp>
#include <acre/global/memory/wait_until.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/team/detail/waking_add.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <atomic>
#include <new>
#include <string>

namespace acre {

struct event::state {
  state(const team& of, const site& where)
      : members(of), end("the destructor of the event made", where) {
    blocks = team_memory(of, sizeof(std::uint64_t), alignof(std::uint64_t), "event", where);
    ::new (blocks.mine()) std::uint64_t(0);
  }
  ~state() {
    detail::say_if_one_has_left(end, members, [&](rank_t each) { return count_at(each); });
    end.release(blocks, members);
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  [[nodiscard]] global_ptr<std::uint64_t> count_at(rank_t number) const noexcept {
    return global_ptr<std::uint64_t>::from_bits(blocks.bits_of(number));
  }
  [[nodiscard]] std::atomic_ref<std::uint64_t> mine() const noexcept {
    return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(blocks.mine()));
  }
  [[nodiscard]] bool take(std::uint64_t wanted) const noexcept {
    const std::atomic_ref<std::uint64_t> count = mine();
    std::uint64_t seen = count.load(std::memory_order_acquire);
    while ((seen & ~detail::left_bit) >= wanted) {
      if (count.compare_exchange_weak(seen, seen - wanted)) return true;
    }
    return false;
  }
  [[nodiscard]] bool take_or_throw(std::uint64_t wanted) const {
    // What came before a member left is there, once that is seen.
    const bool is_over = (mine().load(std::memory_order_acquire) & detail::left_bit) != 0;
    if (take(wanted)) return true;
    if (is_over) detail::throw_has_left("event::wait", "a member of the event's team");
    return false;
  }

  team members;
  team_memory blocks;
  collective_end end;
};

event::event() noexcept = default;
event::event(event&&) noexcept = default;
event& event::operator=(event&&) noexcept = default;
event::~event() = default;

event::event(const team& members, const site& where) {
  const runtime::failures_held until_it_is_there;
  state_ = std::make_unique<state>(members, where);
  members.barrier(where);
}

event::state& event::get(const char* call) const {
  return detail::require_object(state_.get(), call, "event", "event{team}");
}

const team& event::members() const { return get("event::members").members; }

global_ptr<std::uint64_t> event::pointer(rank_t number, const site& where) const {
  const state& here = get("event::pointer");
  if (number >= here.members.size()) [[unlikely]] {
    detail::throw_no_member(("event" + describe_place(where)).c_str(), number, here.members.size());
  }
  return here.count_at(number);
}

void event::post(rank_t number, const site& where) {
  const global_ptr<std::uint64_t> count = pointer(number, where);
  quiet();
  detail::add_and_wake(state_->members, number, count, 1);
}

void event::wake(rank_t number) const {
  detail::wake_owner(state_->members, number, state_->count_at(number));
}

bool event::try_wait(std::uint64_t count) { return get("event::try_wait").take(count); }

void event::wait(std::uint64_t count, const site& where) {
  const state& here = get("event::wait");
  detail::wait_until([&] { return here.take_or_throw(count); }, "event::wait", where);
}

std::uint64_t event::query() const {
  return get("event::query").mine().load(std::memory_order_acquire) & ~detail::left_bit;
}

}  // namespace acre
