// SPDX-License-Identifier: BSD-3-Clause
// Blocking collectives: through shared memory if it reaches all members, else by messages; barriers
// and small allreduces use both. Large data is pipelined in slots.
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/detail/collective_bytes.hpp>
#include <acre/global/team/detail/roll_call.hpp>
#include <acre/global/wire/detail/load.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/remote.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace acre::global {

namespace {

/// As attend(); an exception also fails the link.
template <class Part>
void attend_in(node_link& link, const collective_caller& caller, Part&& part) {
  try {
    attend(caller.here, caller.number, part);
  } catch (...) {
    link.fail(caller.here.failure_of(caller.number).value_or(""));
    rethrow_with_place(caller.where);
  }
}

template <class Enter>
std::uint64_t enter_at(const site& where, Enter&& enter) {
  try {
    return enter();
  } catch (...) {
    rethrow_with_place(where);
  }
}

class shared_collective {
 public:
  shared_collective(const team_ref& team, collective_mark mark, const site& where)
      : caller_(enter(team, runtime::counted::collective, mark, where)), link_(team->link) {}

  [[nodiscard]] static collective_caller enter(const team_ref& team, runtime::counted counter,
                                               collective_mark mark, const site& where) {
    mark.form = collective_form::memory;
    return {mark.kind, where, *team->here,
            enter_at(where, [&] { return team->enter(counter, mark); })};
  }

  /// Calls move(offset, bytes) for pieces of at most `most` bytes, then rethrows user-code
  /// exceptions.
  template <class Move>
  void in_pieces(std::size_t bytes, std::size_t most, Move&& move) const {
    attend_in(link_, caller_, [&] {
      for (std::size_t offset = 0; offset < bytes; offset += most) {
        move(offset, std::min(most, bytes - offset));
      }
    });
    runtime::rethrow_lost_failure();
  }
  [[nodiscard]] node_link::exchange exchange(std::size_t bytes) const {
    return {link_, caller_, bytes};
  }

 private:
  collective_caller caller_;
  node_link& link_;
};

/// Maximum size of data to combine through shared memory; 0 if messages are required.
std::size_t most_combined(const team_ref& team, const combiner& op) noexcept {
  return team->in_one_node() ? team->link.slot_bytes() / op.element_bytes * op.element_bytes : 0;
}

void combine_slots(node_link::exchange& now, const combiner& op, rank_t count,
                   std::span<std::byte> result, std::size_t offset) {
  const std::byte* so_far = now.read(0) + offset;
  if (count == 1) std::memcpy(result.data(), so_far, result.size());
  for (rank_t other = 1; other < count; ++other) {
    op(result, so_far, now.read(other) + offset);
    so_far = result.data();
  }
}

/// Data from this size on is combined in parts, one per member.
constexpr std::size_t large_piece = 1024;

void allreduce_shared_work(const shared_collective& call, const node_link& link, const combiner& op,
                           std::span<std::byte> data) {
  const std::size_t share =
      divide_up(data.size() / op.element_bytes, std::size_t{link.size()}) * op.element_bytes;
  const auto share_of = [&](rank_t place) {
    const std::size_t begin = std::min(place * share, data.size());
    return data.subspan(begin, std::min(share, data.size() - begin));
  };
  const auto mine = share_of(link.place());
  {
    node_link::exchange now = call.exchange(data.size());
    now.show(data);
    combine_slots(now, op, link.size(), mine, link.place() * share);
  }
  node_link::exchange now = call.exchange(share);
  now.show(mine);
  for (rank_t other = 0; other < link.size(); ++other) {
    const auto part = share_of(other);
    if (other != link.place()) std::memcpy(part.data(), now.read(other), part.size());
  }
}

void await_leaders(const team_ref& team, collective_kind kind, std::uint64_t number,
                   const site& where) {
  task<> meeting = start_leaders_barrier(team, kind, number);
  await(meeting, *team->here, number, kind, where);
  meeting.get(where);
}

}  // namespace

void run_barrier(const team_ref& team, const site& where) {
  if (runtime::world.conduit != nullptr && runtime::anything_outstanding()) {
    runtime::await_quiet();
  }
  const collective_caller caller = shared_collective::enter(
      team, runtime::counted::barrier, {.kind = collective_kind::barrier}, where);
  attend_in(team->link, caller, [&] {
    if (team->in_one_node()) return team->link.barrier(caller);
    team->link.barrier_around(
        caller, [&] { await_leaders(team, collective_kind::barrier, caller.number, where); });
  });
}

void run_small_allreduce(const team_ref& team, collective_kind kind, const combiner& op,
                         std::span<std::byte> data, const site& where, const char* call) {
  const std::uint64_t number = enter_at(where, [&] {
    return team->here->enter({.kind = kind, .form = collective_form::memory, .bytes = data.size()});
  });
  if (call != nullptr) team->here->note_call(number, call, where);
  const collective_caller caller{kind, where, *team->here, number, call};
  node_link& link = team->link;
  attend_in(link, caller, [&] {
    {
      node_link::exchange arrival(link, caller, data.size());
      arrival.show(data);
      if (link.place() == 0) combine_slots(arrival, op, link.size(), data, 0);
    }
    if (link.place() == 0 && !team->in_one_node()) {
      task<> meeting = start_leaders_allreduce(team, kind, number, op, data);
      const blocked_in_collective until_they_come(*team->here, number);
      runtime::wait_until([&] { return meeting.is_ready(); }, caller.name(),
                          runtime::may_run::user_code, where);
      meeting.get(where);
    }
    node_link::exchange release(link, caller, data.size());
    if (link.place() == 0) {
      release.show(data);
    } else {
      std::memcpy(data.data(), release.read(0), data.size());
    }
  });
}

compared_words compare_words(const team_ref& team, collective_kind kind, std::uint64_t word,
                             const site& where, const char* call, std::uint64_t flags) {
  compared_words all{word, word, flags};
  if (team->size == 1) return all;
  const combiner join{.apply =
                          [](const void*, std::byte* result, const std::byte* left,
                             const std::byte* right, std::size_t) {
                            const auto a = load_bytes<compared_words>(left);
                            const auto b = load_bytes<compared_words>(right);
                            const compared_words both{std::min(a.least, b.least),
                                                      std::max(a.greatest, b.greatest),
                                                      a.flags | b.flags};
                            std::memcpy(result, &both, sizeof both);
                          },
                      .operation = nullptr,
                      .element_bytes = sizeof all};
  run_small_allreduce(team, kind, join, std::as_writable_bytes(std::span(&all, 1)), where, call);
  return all;
}

void run_broadcast(const team_ref& team, rank_t root, std::span<std::byte> data,
                   const site& where) {
  if (!team->in_one_node())
    return finish(team, start_broadcast(team, root, data), collective_kind::broadcast, where);
  const shared_collective call(
      team, {.kind = collective_kind::broadcast, .root = root, .bytes = data.size()}, where);
  if (team->size == 1) return;
  call.in_pieces(data.size(), team->link.slot_bytes(), [&](std::size_t offset, std::size_t bytes) {
    node_link::exchange now = call.exchange(bytes);
    if (team->rank == root) {
      now.show(data.subspan(offset, bytes));
    } else {
      std::memcpy(data.data() + offset, now.read(root), bytes);
    }
  });
}

void run_allreduce(const team_ref& team, const combiner& op, std::span<std::byte> data,
                   const site& where) {
  const std::size_t most = most_combined(team, op);
  if (most == 0)
    return finish(team, start_allreduce(team, op, data), collective_kind::allreduce, where);
  const shared_collective call(team, {.kind = collective_kind::allreduce, .bytes = data.size()},
                               where);
  if (team->size == 1) return;
  call.in_pieces(data.size(), most, [&](std::size_t offset, std::size_t bytes) {
    const auto piece = data.subspan(offset, bytes);
    if (team->size > 2 && bytes >= large_piece) {
      return allreduce_shared_work(call, team->link, op, piece);
    }
    node_link::exchange now = call.exchange(bytes);
    now.show(piece);
    combine_slots(now, op, team->size, piece, 0);
  });
}

void run_reduce(const team_ref& team, rank_t root, const combiner& op, std::span<std::byte> data,
                const site& where) {
  const std::size_t most = most_combined(team, op);
  if (most == 0)
    return finish(team, start_reduce(team, root, op, data), collective_kind::reduce, where);
  const shared_collective call(
      team, {.kind = collective_kind::reduce, .root = root, .bytes = data.size()}, where);
  if (team->size == 1) return;
  call.in_pieces(data.size(), most, [&](std::size_t offset, std::size_t bytes) {
    node_link::exchange now = call.exchange(bytes);
    const auto piece = data.subspan(offset, bytes);
    now.show(piece);
    if (team->rank == root) combine_slots(now, op, team->size, piece, 0);
  });
}

void run_scan(const team_ref& team, const combiner& op, std::span<std::byte> data,
              std::span<std::byte> before, const site& where) {
  const std::size_t most = most_combined(team, op);
  if (most == 0)
    return finish(team, start_scan(team, op, data, before), collective_kind::scan, where);
  const shared_collective call(team, {.kind = collective_kind::scan, .bytes = data.size()}, where);
  call.in_pieces(data.size(), most, [&](std::size_t offset, std::size_t bytes) {
    node_link::exchange now = call.exchange(bytes);
    const auto piece = data.subspan(offset, bytes);
    now.show(piece);
    if (before.empty()) {
      combine_slots(now, op, team->rank + 1, piece, 0);
    } else if (team->rank != 0) {
      combine_slots(now, op, team->rank, before.subspan(offset, bytes), 0);
    }
  });
}

void run_gather(const team_ref& team, rank_t root, std::span<const std::byte> mine,
                std::span<std::byte> result, const site& where) {
  if (!team->in_one_node()) {
    const bundle all = finish(team, start_gather(team, root, mine), collective_kind::gather, where);
    return place_equal_parts(all, result, mine.size());
  }
  const shared_collective call(
      team, {.kind = collective_kind::gather, .root = root, .bytes = mine.size()}, where);
  call.in_pieces(mine.size(), team->link.slot_bytes(), [&](std::size_t offset, std::size_t bytes) {
    node_link::exchange now = call.exchange(bytes);
    if (team->rank != root) return now.show(mine.subspan(offset, bytes));
    for (rank_t other = 0; other < team->size; ++other) {
      const std::byte* const from = other == root ? mine.data() + offset : now.read(other);
      std::memcpy(result.data() + other * mine.size() + offset, from, bytes);
    }
  });
}

void run_allgather(const team_ref& team, std::span<const std::byte> mine,
                   std::span<std::byte> result, const site& where) {
  if (!team->in_one_node()) {
    return finish(team, start_allgather_equal(team, mine, result), collective_kind::allgather,
                  where);
  }
  const shared_collective call(team, {.kind = collective_kind::allgather, .bytes = mine.size()},
                               where);
  call.in_pieces(mine.size(), team->link.slot_bytes(), [&](std::size_t offset, std::size_t bytes) {
    node_link::exchange now = call.exchange(bytes);
    now.show(mine.subspan(offset, bytes));
    for (rank_t other = 0; other < team->size; ++other) {
      std::memcpy(result.data() + other * mine.size() + offset, now.read(other), bytes);
    }
  });
}

void run_alltoall(const team_ref& team, std::span<const std::byte> parts,
                  std::span<std::byte> result, const site& where) {
  const std::size_t part = parts.size() / team->size;
  const std::size_t most = team->link.slot_bytes() / team->size;
  if (!team->in_one_node() || most == 0) {
    return finish(team, start_alltoall(team, parts, result), collective_kind::alltoall, where);
  }
  const shared_collective call(team, {.kind = collective_kind::alltoall, .bytes = parts.size()},
                               where);
  call.in_pieces(part, most, [&](std::size_t offset, std::size_t bytes) {
    node_link::exchange now = call.exchange(bytes * team->size);
    std::byte* const row = now.slot();
    for (rank_t to = 0; to < team->size; ++to) {
      std::memcpy(row + to * bytes, parts.data() + to * part + offset, bytes);
    }
    now.publish();
    for (rank_t from = 0; from < team->size; ++from) {
      std::memcpy(result.data() + from * part + offset, now.read(from) + team->rank * bytes, bytes);
    }
  });
}

}  // namespace acre::global
