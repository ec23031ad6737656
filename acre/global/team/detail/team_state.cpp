// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/team_state.hpp>

#include <acre/base/error.hpp>
#include <acre/global/future/task.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/team/detail/roll_call.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

namespace acre::global {

namespace {

struct team_registry {
  std::mutex lock;
  /// Differs per job, which handles may outlive. Guarded by the lock.
  std::uint64_t job = 0;
  std::vector<std::byte*> retired_blocks;
  std::atomic<std::uint32_t> next_number{0};
};

/// Never destroyed: static objects may hold teams.
team_registry& registry() {
  static auto& made = *new team_registry;
  return made;
}

std::uint64_t current_job() {
  const std::lock_guard hold(registry().lock);
  return registry().job;
}

void free_abandoned_blocks() {
  const std::lock_guard hold(registry().lock);
  std::erase_if(registry().retired_blocks, [](std::byte* block) {
    if (!node_link::abandoned(block)) return false;
    runtime::free_private(block);
    return true;
  });
}

bool is_identity(const std::vector<rank_t>& ranks) noexcept {
  if (ranks.size() != runtime::world.size) return ranks.empty();
  for (rank_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] != i) return false;
  }
  return true;
}

task<std::uint64_t> receive_block(envelope name) {
  std::uint64_t bits = 0;
  co_await incoming(name, std::as_writable_bytes(std::span(&bits, 1)));
  co_return bits;
}

}  // namespace

std::uint32_t reserve_team_number() noexcept {
  return registry().next_number.fetch_add(1, std::memory_order_relaxed);
}

void start_teams() noexcept {
  const std::lock_guard hold(registry().lock);
  start_roll_calls();
  ++registry().job;
  registry().next_number = end_number + 1;
}

void end_teams() noexcept {
  const std::lock_guard hold(registry().lock);
  ++registry().job;
  registry().retired_blocks.clear();
  clear_mailbox();
}

team_state::team_state(std::vector<rank_t> world_ranks, std::uint32_t number)
    : members(std::move(world_ranks)), job_(current_job()) {
  if (is_identity(members)) {
    members = {};
    rank = runtime::world.rank;
    size = runtime::world.size;
  } else {
    size = static_cast<rank_t>(members.size());
    rank = static_cast<rank_t>(std::ranges::find(members, runtime::world.rank) - members.begin());
  }
  constexpr unsigned number_bits = 28;
  if (number >> number_bits != 0) {
    throw error("team::split",
                "rank " + std::to_string(world_rank(0)) + " has split teams " +
                    std::to_string(number) + " times, which is the upper bound",
                "reuse teams instead of splitting them repeatedly");
  }
  id = std::uint64_t{world_rank(0)} << number_bits | number;
  here.emplace(id);
  attend(*here, 0, [this] {
    find_nodes();
    share_memory();
  });
}

void team_state::find_nodes() {
  std::unordered_map<std::uint32_t, rank_t> index_of;
  std::uint32_t previous = 0;
  for (rank_t member = 0; member < size; ++member) {
    const std::uint32_t node = runtime::node_of(world_rank(member));
    const auto [found, is_new] = index_of.try_emplace(node, static_cast<rank_t>(leaders.size()));
    if (is_new) {
      leaders.push_back(member);
    } else if (node != previous) {
      nodes_in_order = false;
    }
    previous = node;
    if (node == runtime::node_of(runtime::world.rank)) {
      if (member == rank) {
        place = static_cast<rank_t>(near.size());
        my_node = found->second;
      }
      near.push_back(member);
    }
  }
}

rank_t team_state::node_index(rank_t member) const noexcept {
  if (nodes_in_order) {
    const auto next = std::ranges::upper_bound(leaders, member);
    return static_cast<rank_t>(next - leaders.begin() - 1);
  }
  const std::uint32_t node = runtime::node_of(world_rank(member));
  const auto found = std::ranges::find_if(
      leaders, [&](rank_t leader) { return runtime::node_of(world_rank(leader)) == node; });
  return static_cast<rank_t>(found - leaders.begin());
}

void team_state::offer_memory(const std::vector<rank_t>& near_ranks, const envelope& to) {
  const auto tell = [&](std::uint64_t bits) {
    envelope name = to;
    for (rank_t other = 1; other < near.size(); ++other) {
      name.peer = near_ranks[other];
      post_message(name, std::as_bytes(std::span(&bits, 1)));
    }
  };
  try {
    free_abandoned_blocks();
    own_block_ =
        static_cast<std::byte*>(runtime::allocate_private(node_link::block_bytes(near.size())));
  } catch (...) {
    tell(0);
    throw;
  }
  node_link::format(own_block_, near.size());
  tell(to_global(own_block_).bits());
}

void team_state::share_memory() {
  std::vector<rank_t> near_ranks;
  near_ranks.reserve(near.size());
  for (const rank_t member : near) near_ranks.push_back(world_rank(member));
  const envelope name{
      .channel = channel(0), .peer = near_ranks[0], .step = 0, .kind = collective_kind::team};
  std::byte* memory = nullptr;
  if (place == 0) {
    offer_memory(near_ranks, name);
    memory = own_block_;
  } else {
    task<std::uint64_t> offer = receive_block(name);
    runtime::wait_until([&] { return offer.is_ready(); }, name_of(collective_kind::team));
    const std::uint64_t bits = offer.get();
    if (bits == 0) {
      throw error(name_of(collective_kind::team),
                  "rank " + std::to_string(near_ranks[0]) +
                      " is out of memory for the state that the team shares on this node",
                  "see the message of that rank");
    }
    memory = runtime::direct_address(bits);
  }
  link = node_link(memory, std::move(near_ranks), place);
}

team_state::~team_state() {
  const std::lock_guard hold(registry().lock);
  if (job_ != registry().job) return;
  link.leave();
  if (own_block_ != nullptr) registry().retired_blocks.push_back(own_block_);
}

}  // namespace acre::global
