// SPDX-License-Identifier: BSD-3-Clause
#include "collective.hpp"

#include "failure.hpp"
#include "polling.hpp"
#include "state.hpp"
#include <acre/runtime/active_message.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

using acre::gasnet::transfers;

/// Created by begin_collective() or by the first message of a node that has entered before.
/// Protected by `guard`.
struct acre_gasnet_collective {
  std::uint32_t number = 0;
  bool has_begun = false;
  bool has_finished = false;
  transfers own;
  /// Nodes that have entered and wait for a block of this node.
  std::vector<gasnet_node_t> ready;
  std::size_t unsent = 0;
  std::size_t missing = 0;
  /// By phase, at the coordinator: nodes that have arrived.
  std::array<gasnet_node_t, 2> arrived{};
  /// By phase: all nodes have arrived.
  std::array<bool, 2> released{};
};

namespace acre::gasnet {
namespace {

using collective = acre_gasnet_collective;
using runtime::word;

constexpr runtime::handler_id collective_id{66};

enum class signal : std::uint32_t { ready, data, arrive, release };
enum phase : std::uint8_t { entry, end };

std::mutex guard;
std::map<std::uint32_t, collective> records;
std::uint32_t begun = 0;
/// Number of records, read without the lock.
constinit std::atomic<std::size_t> in_progress{0};

collective& record_of(std::uint32_t number) {
  const auto [found, is_new] = records.try_emplace(number);
  if (is_new) {
    found->second.number = number;
    in_progress.fetch_add(1, std::memory_order_relaxed);
  }
  return found->second;
}

// The load is spread over the nodes.
gasnet_node_t coordinator_of(std::uint32_t number) noexcept { return number % all_segments.nodes; }

void post(gasnet_node_t to, signal what, std::uint32_t number, word value,
          std::span<const std::byte> payload = {}) {
  const std::array<word, 2> arguments{number, value};
  runtime::send(to, collective_id, arguments, payload, static_cast<std::uint32_t>(what));
}

transfers::block* block_of(std::vector<transfers::block>& blocks, gasnet_node_t node) {
  const auto found = std::ranges::lower_bound(blocks, node, {}, &transfers::block::node);
  return found != blocks.end() && found->node == node ? &*found : nullptr;
}

[[noreturn]] void refuse(const runtime::message& received) {
  fail("gasnet_coll", "node " + std::to_string(received.header.source) +
                          " takes part in another collective than this node");
}

void store(collective& to, const runtime::message& received, std::size_t offset) {
  const std::span<const std::byte> data = received.payload;
  const transfers::block* const block = block_of(to.own.received, received.header.source);
  if (!to.has_begun || block == nullptr || offset > to.own.bytes ||
      data.size() > to.own.bytes - offset || data.size() > to.missing) {
    refuse(received);
  }
  std::memcpy(block->address + offset, data.data(), data.size());
  to.missing -= data.size();
}

void receive(const runtime::message& received) {
  if (received.arguments.size() < 2 || received.header.source >= all_segments.nodes) {
    refuse(received);
  }
  const std::scoped_lock lock(guard);
  collective& to = record_of(static_cast<std::uint32_t>(received.arguments[0]));
  const word value = received.arguments[1];
  switch (static_cast<signal>(received.header.tag)) {
    case signal::ready:
      to.ready.push_back(received.header.source);
      return;
    case signal::data:
      store(to, received, value);
      return;
    case signal::arrive:
      ++to.arrived[value == end ? end : entry];
      return;
    case signal::release:
      to.released[value == end ? end : entry] = true;
      return;
  }
  refuse(received);
}

[[maybe_unused]] const bool takes_part = runtime::set_owner_handler(collective_id, receive);

void arrive(std::uint32_t number, phase at) {
  const gasnet_node_t coordinator = coordinator_of(number);
  if (coordinator != runtime::world.rank) return post(coordinator, signal::arrive, number, at);
  const std::scoped_lock lock(guard);
  ++record_of(number).arrived[at];
}

void release_all(collective& at, phase which) {
  for (gasnet_node_t node = 0; node < all_segments.nodes; ++node) {
    if (node != runtime::world.rank) post(node, signal::release, at.number, which);
  }
  const std::scoped_lock lock(guard);
  at.released[which] = true;
}

void send_block(collective& from, const transfers::block& block) {
  const std::size_t piece = runtime::max_payload();
  for (std::size_t offset = 0; offset < from.own.bytes; offset += piece) {
    const std::size_t bytes = std::min(piece, from.own.bytes - offset);
    post(block.node, signal::data, from.number, offset, {block.address + offset, bytes});
  }
  const std::scoped_lock lock(guard);
  --from.unsent;
}

void finish(collective& of) {
  if (of.own.finish) of.own.finish();
  const std::uint32_t number = of.number;
  const bool waits_for_all = (of.own.flags & GASNET_COLL_OUT_ALLSYNC) != 0;
  {
    // Another thread may free a complete record at once.
    const std::scoped_lock lock(guard);
    of.has_finished = true;
  }
  if (waits_for_all) arrive(number, end);
}

/// Work that needs no lock; the record stays, as it is not complete.
using work = std::function<void()>;

std::optional<work> work_of(collective& of) {
  for (const phase at : {entry, end}) {
    if (of.arrived[at] == all_segments.nodes) {
      of.arrived[at] = 0;
      return [&of, at] { release_all(of, at); };
    }
  }
  if (!of.has_begun || of.has_finished) return std::nullopt;
  if ((of.own.flags & GASNET_COLL_IN_ALLSYNC) != 0 && !of.released[entry]) return std::nullopt;
  if (of.own.start) return std::exchange(of.own.start, nullptr);
  if (!of.ready.empty() && (!of.own.forwards || of.missing == 0)) {
    const gasnet_node_t node = of.ready.back();
    of.ready.pop_back();
    const transfers::block* const block = block_of(of.own.sent, node);
    if (block == nullptr) {
      fail("gasnet_coll",
           "node " + std::to_string(node) + " expects a block of another collective");
    }
    return [&of, block] { send_block(of, *block); };
  }
  if (of.unsent == 0 && of.missing == 0) return [&of] { finish(of); };
  return std::nullopt;
}

std::optional<work> next_work() {
  const std::scoped_lock lock(guard);
  for (auto& [number, each] : records) {
    if (auto found = work_of(each)) return found;
  }
  return std::nullopt;
}

}  // namespace

gasnet_coll_handle_t begin_collective(transfers&& own) {
  collective* made = nullptr;
  std::vector<transfers::block> sources;
  {
    const std::scoped_lock lock(guard);
    made = &record_of(begun++);
    made->own = std::move(own);
    made->has_begun = true;
    // Blocks of no bytes have no messages.
    const bool is_empty = made->own.bytes == 0;
    made->unsent = is_empty ? 0 : made->own.sent.size();
    made->missing = made->own.received.size() * made->own.bytes;
    if (!is_empty) sources = made->own.received;
  }
  for (const transfers::block& each : sources) {
    post(each.node, signal::ready, made->number, 0);
  }
  if ((made->own.flags & GASNET_COLL_IN_ALLSYNC) != 0) arrive(made->number, entry);
  advance_collectives();
  return made;
}

bool is_complete(gasnet_coll_handle_t handle) noexcept {
  const std::scoped_lock lock(guard);
  const bool waits_for_all = (handle->own.flags & GASNET_COLL_OUT_ALLSYNC) != 0;
  return waits_for_all ? handle->released[end] : handle->has_finished;
}

void end_collective(gasnet_coll_handle_t handle) {
  const std::scoped_lock lock(guard);
  records.erase(handle->number);
  in_progress.fetch_sub(1, std::memory_order_relaxed);
}

void advance_collectives() {
  static constinit std::atomic<bool> is_advancing{false};
  if (in_progress.load(std::memory_order_relaxed) == 0) return;
  if (is_advancing.exchange(true, std::memory_order_acquire)) return;
  while (const std::optional<work> each = next_work()) (*each)();
  is_advancing.store(false, std::memory_order_release);
}

}  // namespace acre::gasnet
