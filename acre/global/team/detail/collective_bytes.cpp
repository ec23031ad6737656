// SPDX-License-Identifier: BSD-3-Clause
// Collectives as coroutines over messages: trees within nodes and between them; alltoall, scans and
// allgather of large parts directly between ranks.
#include <acre/global/team/detail/collective_bytes.hpp>

#include <acre/base/error.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/wire/detail/load.hpp>
#include <acre/runtime/counters.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace acre::global {

namespace {

/// A collective over messages. Destruction without end() reports failure.
class collective_call {
 public:
  collective_call(team_ref team, collective_kind kind, std::uint64_t number) noexcept
      : team_(std::move(team)), number_(number), kind_(kind) {}

  collective_call(team_ref team, const collective_mark& mark)
      : team_(std::move(team)),
        number_(team_->enter(mark.kind == collective_kind::barrier ? runtime::counted::barrier
                                                                   : runtime::counted::collective,
                             mark)),
        kind_(mark.kind) {}
  collective_call(collective_call&&) noexcept = default;
  collective_call& operator=(collective_call&&) = delete;
  ~collective_call() {
    if (team_ == nullptr || is_over_) return;
    team_->here->fail(number_, "an exception passed through it");
  }

  void end() noexcept { is_over_ = true; }

  [[nodiscard]] const team_state& team() const noexcept { return *team_; }

  [[nodiscard]] envelope with(rank_t member, unsigned step) const noexcept {
    return {.channel = team_->channel(number_),
            .peer = team_->world_rank(member),
            .step = static_cast<std::uint16_t>(step),
            .kind = kind_};
  }
  void send(rank_t member, unsigned step, std::span<const std::byte> data) const {
    post_message(with(member, step), data);
  }
  /// Awaitable reception: of exactly into.size() bytes, or of any size.
  [[nodiscard]] incoming receive(rank_t member, unsigned step, std::span<std::byte> into) const {
    return {with(member, step), into};
  }
  [[nodiscard]] incoming receive(rank_t member, unsigned step) const {
    return incoming(with(member, step));
  }

 private:
  team_ref team_;
  std::uint64_t number_;
  collective_kind kind_;
  bool is_over_ = false;
};

enum step : unsigned { down, up, fold_near, fold_far, aside, room, part, round_of = 16 };

/// Ranks of a step, in rank order; this rank is at `index`.
struct sequence {
  std::span<const rank_t> members;
  rank_t count = 0;
  rank_t index = 0;

  [[nodiscard]] rank_t operator[](rank_t i) const noexcept {
    return members.empty() ? i : members[i];
  }
};

/// The steps of a collective: within nodes, then between them. All ranks are in one step if the
/// members of a node are not contiguous, to keep operand order.
struct levels {
  sequence near;
  sequence far;
};

levels levels_of(const team_state& team) noexcept {
  if (!team.nodes_in_order) return {{{}, 1, 0}, {{}, team.size, team.rank}};
  return {{team.near, static_cast<rank_t>(team.near.size()), team.place},
          {team.leaders, static_cast<rank_t>(team.leaders.size()), team.my_node}};
}

struct tree {
  std::optional<rank_t> parent;
  std::vector<rank_t> children;

  /// Binomial tree over 0 … count-1, root 0, seen from `index`.
  template <class ToMember>
  void add_binomial(rank_t index, rank_t count, ToMember&& to_member) {
    const rank_t reach = index == 0 ? std::bit_ceil(count) : index & (~index + 1);
    if (index != 0) parent = to_member(index - reach);
    for (rank_t distance = reach / 2; distance != 0; distance /= 2) {
      if (index + distance < count) children.push_back(to_member(index + distance));
    }
  }
};

tree tree_from(const team_state& team, rank_t root) {
  tree shape;
  const auto nodes = static_cast<rank_t>(team.leaders.size());
  const rank_t root_node = nodes == 1 ? 0 : team.node_index(root);
  const rank_t speaker = team.my_node == root_node ? root : team.near[0];
  if (nodes > 1 && team.rank == speaker) {
    shape.add_binomial((team.my_node + nodes - root_node) % nodes, nodes, [&](rank_t i) {
      return i == 0 ? root : team.leaders[(i + root_node) % nodes];
    });
  }
  const auto ranks = static_cast<rank_t>(team.near.size());
  const auto first =
      static_cast<rank_t>(std::ranges::lower_bound(team.near, speaker) - team.near.begin());
  shape.add_binomial((team.place + ranks - first) % ranks, ranks,
                     [&](rank_t i) { return team.near[(i + first) % ranks]; });
  return shape;
}

constexpr std::size_t pipelined_bytes = std::size_t{64} << 10;

task<> pass_down(const collective_call& talk, tree shape, std::span<std::byte> data) {
  std::size_t offset = 0;
  do {
    const auto piece = data.subspan(offset, std::min(pipelined_bytes, data.size() - offset));
    if (shape.parent) co_await talk.receive(*shape.parent, step::down, piece);
    for (const rank_t child : shape.children) talk.send(child, step::down, piece);
    offset += piece.size();
  } while (offset < data.size());
}

task<> fold(const collective_call& talk, sequence ranks, unsigned name, const combiner& op,
            std::span<std::byte> data) {
  owned_bytes theirs(data.size());
  for (rank_t distance = 1; distance < ranks.count; distance *= 2) {
    if ((ranks.index & distance) != 0) {
      talk.send(ranks[ranks.index - distance], name, data);
      co_return;
    }
    if (ranks.index + distance < ranks.count) {
      co_await talk.receive(ranks[ranks.index + distance], name, theirs.span());
      op(data, data.data(), theirs.data());
    }
  }
}

/// Recursive doubling in rank order; excess ranks pair up first.
task<> fold_everywhere(const collective_call& talk, sequence ranks, const combiner& op,
                       std::span<std::byte> data) {
  if (ranks.count == 1) co_return;
  owned_bytes theirs(data.size());
  const rank_t power = std::bit_floor(ranks.count);
  const rank_t pairs = ranks.count - power;
  const bool paired = ranks.index < 2 * pairs;
  if (paired && ranks.index % 2 == 1) {
    talk.send(ranks[ranks.index - 1], step::fold_far, data);
    co_await talk.receive(ranks[ranks.index - 1], step::aside, data);
    co_return;
  }
  if (paired) {
    co_await talk.receive(ranks[ranks.index + 1], step::fold_far, theirs.span());
    op(data, data.data(), theirs.data());
  }
  const rank_t mine = paired ? ranks.index / 2 : ranks.index - pairs;
  unsigned round = step::round_of;
  for (rank_t distance = 1; distance < power; distance *= 2, ++round) {
    const rank_t partner = mine ^ distance;
    const rank_t member = ranks[partner < pairs ? 2 * partner : partner + pairs];
    incoming from_partner = talk.receive(member, round, theirs.span());
    talk.send(member, round, data);
    co_await from_partner;
    const bool mine_first = mine < partner;
    op(data, mine_first ? data.data() : theirs.data(), mine_first ? theirs.data() : data.data());
  }
  if (paired) talk.send(ranks[ranks.index + 1], step::aside, data);
}

task<> allreduce_as(team_ref team, collective_mark mark, combiner op, std::span<std::byte> data) {
  collective_call talk(std::move(team), mark);
  const levels level = levels_of(talk.team());
  if (level.near.count > 1) co_await fold(talk, level.near, step::fold_near, op, data);
  if (level.near.index == 0) co_await fold_everywhere(talk, level.far, op, data);
  if (level.near.count > 1) {
    tree inside;
    inside.add_binomial(level.near.index, level.near.count,
                        [&](rank_t i) { return level.near[i]; });
    co_await pass_down(talk, std::move(inside), data);
  }
  talk.end();
}

[[noreturn]] void throw_unequal_parts(rank_t member, std::size_t its, std::size_t mine) {
  throw error("gather",
              "member " + std::to_string(member) + " of the team passes " + std::to_string(its) +
                  " bytes, but this rank " + std::to_string(mine),
              "pass equal sizes on all ranks, or use gatherv or allgatherv");
}

[[noreturn]] void throw_damaged_part(rank_t member) {
  throw error("alltoall",
              "the size sent by member " + std::to_string(member) +
                  " of the team does not match its message",
              "run the same binary on all ranks; otherwise that rank or the network is faulty");
}

void append(std::byte*& to, const void* from, std::size_t bytes) noexcept {
  if (bytes != 0) std::memcpy(to, from, bytes);
  to += bytes;
}

task<bundle> pass_up(const collective_call& talk, tree shape, std::span<const std::byte> mine,
                     bool size_only = false) {
  const bundle_header header{
      .member = talk.team().rank, .is_apart = size_only, .bytes = mine.size()};
  if (size_only) mine = {};
  const std::size_t padded = round_up(mine.size(), payload_alignment);
  std::size_t total = sizeof(bundle_header) + padded;
  std::vector<owned_bytes> from_below;
  for (const rank_t child : shape.children) {
    from_below.push_back(co_await talk.receive(child, step::up));
    total += from_below.back().size();
  }
  bundle all{owned_bytes(total)};
  std::byte* end = all.bytes.data();
  append(end, &header, sizeof header);
  append(end, mine.data(), mine.size());
  std::memset(end, 0, padded - mine.size());
  end += padded - mine.size();
  for (const owned_bytes& part : from_below) append(end, part.data(), part.size());
  if (!shape.parent) co_return all;
  talk.send(*shape.parent, step::up, all.bytes.span());
  co_return bundle();
}

template <class PartFor>
task<> exchange_parts(const collective_call& talk, PartFor part_for, std::span<std::byte> result) {
  constexpr std::size_t awaited_at_once = 16;
  const rank_t me = talk.team().rank;
  const rank_t size = talk.team().size;
  const std::size_t part = result.size() / size;
  std::ranges::copy(part_for(me), result.subspan(me * part, part).begin());
  std::deque<incoming> awaited;
  for (rank_t distance = 1; distance < size; ++distance) {
    const rank_t to = (me + distance) % size;
    const rank_t from = (me + size - distance) % size;
    if (awaited.size() == awaited_at_once) {
      incoming& next = awaited.front();
      co_await next;
      awaited.pop_front();
    }
    awaited.emplace_back(talk.with(from, step::aside), result.subspan(from * part, part));
    talk.send(to, step::aside, part_for(to));
  }
  for (incoming& last : awaited) co_await last;
}

task<> send_when_there_is_room(const collective_call& talk, rank_t to,
                               std::span<const std::byte> part) {
  co_await talk.receive(to, step::room, {});
  talk.send(to, step::part, part);
}

class large_arrivals {
 public:
  void expect(const collective_call& talk, rank_t from, std::span<std::byte> place) {
    arrivals_.emplace_back(talk.with(from, step::part), place);
    talk.send(from, step::room, {});
  }
  task<> all() {
    for (incoming& each : arrivals_) co_await each;
  }

 private:
  std::deque<incoming> arrivals_;
};

/// @param apart  set to true for parts that are sent separately
void unpack_bundle(const bundle& all, rank_t size, parts_taker& taken, std::vector<bool>& apart) {
  std::vector<std::size_t> bytes(size);
  apart.assign(size, false);
  all.for_each_part([&](const bundle_header& header, std::span<const std::byte>) {
    bytes[header.member] = header.bytes;
    apart[header.member] = header.is_apart != 0;
  });
  taken.make_room(bytes);
  all.for_each_part([&](const bundle_header& header, std::span<const std::byte> here) {
    if (!here.empty()) std::memcpy(taken.place_of(header.member).data(), here.data(), here.size());
  });
}

/// Direct exchange is faster from this size on, or for few ranks.
constexpr std::size_t large_part = 4096;
constexpr rank_t few_ranks = 4;

constexpr combiner nothing{
    .apply = [](const void*, std::byte*, const std::byte*, const std::byte*, std::size_t) {},
    .operation = nullptr,
    .element_bytes = 1};

}  // namespace

task<> start_barrier(team_ref team) {
  quiet();
  return allreduce_as(std::move(team), {.kind = collective_kind::barrier}, nothing, {});
}

task<> start_leaders_barrier(team_ref owner, collective_kind kind, std::uint64_t number) {
  collective_call talk(std::move(owner), kind, number);
  const team_state& team = talk.team();
  const auto nodes = static_cast<rank_t>(team.leaders.size());
  unsigned round = step::round_of;
  for (rank_t distance = 1; distance < nodes; distance *= 2, ++round) {
    const rank_t to = team.leaders[(team.my_node + distance) % nodes];
    const rank_t from = team.leaders[(team.my_node + nodes - distance) % nodes];
    incoming arrival = talk.receive(from, round, {});
    talk.send(to, round, {});
    co_await arrival;
  }
  talk.end();
}

task<scope_end_of_all> start_scope_end(team_ref team, bool is_orderly, std::uint64_t object) {
  struct ends {
    std::uint64_t least;
    std::uint64_t greatest;
    std::uint64_t are_orderly;
  };
  constexpr combiner both{.apply =
                              [](const void*, std::byte* result, const std::byte* left,
                                 const std::byte* right, std::size_t) {
                                const auto a = load_bytes<ends>(left);
                                const auto b = load_bytes<ends>(right);
                                const ends joined{std::min(a.least, b.least),
                                                  std::max(a.greatest, b.greatest),
                                                  a.are_orderly & b.are_orderly};
                                std::memcpy(result, &joined, sizeof joined);
                              },
                          .operation = nullptr,
                          .element_bytes = sizeof(ends)};
  ends all{object, object, is_orderly ? 1U : 0U};
  quiet();
  co_await allreduce_as(std::move(team), {.kind = collective_kind::scope_end}, both,
                        std::as_writable_bytes(std::span(&all, 1)));
  co_return scope_end_of_all{.is_orderly = all.are_orderly != 0,
                             .is_same_object = all.least == all.greatest};
}

task<> start_leaders_allreduce(team_ref owner, collective_kind kind, std::uint64_t number,
                               combiner op, std::span<std::byte> data) {
  collective_call talk(std::move(owner), kind, number);
  const team_state& team = talk.team();
  const sequence leaders{team.leaders, static_cast<rank_t>(team.leaders.size()), team.my_node};
  co_await fold_everywhere(talk, leaders, op, data);
  talk.end();
}

task<> start_broadcast(team_ref team, rank_t root, std::span<std::byte> data) {
  collective_call talk(std::move(team),
                       {.kind = collective_kind::broadcast, .root = root, .bytes = data.size()});
  co_await pass_down(talk, tree_from(talk.team(), root), data);
  talk.end();
}

task<owned_bytes> start_broadcast_any(team_ref team, rank_t root, std::span<const std::byte> data) {
  collective_call talk(std::move(team), {.kind = collective_kind::broadcast, .root = root});
  const tree shape = tree_from(talk.team(), root);
  owned_bytes received;
  if (shape.parent) {
    received = co_await talk.receive(*shape.parent, step::down);
    data = received.span();
  }
  for (const rank_t child : shape.children) talk.send(child, step::down, data);
  talk.end();
  co_return received;
}

task<> start_allreduce(team_ref team, combiner op, std::span<std::byte> data) {
  return allreduce_as(std::move(team), {.kind = collective_kind::allreduce, .bytes = data.size()},
                      op, data);
}

task<> start_reduce(team_ref team, rank_t root, combiner op, std::span<std::byte> data) {
  collective_call talk(std::move(team),
                       {.kind = collective_kind::reduce, .root = root, .bytes = data.size()});
  const levels level = levels_of(talk.team());
  co_await fold(talk, level.near, step::fold_near, op, data);
  if (level.near.index == 0) co_await fold(talk, level.far, step::fold_far, op, data);
  const rank_t me = talk.team().rank;
  if (root != 0 && me == 0) talk.send(root, step::aside, data);
  if (root != 0 && me == root) co_await talk.receive(0, step::aside, data);
  talk.end();
}

task<> start_scan(team_ref team, combiner op, std::span<std::byte> data,
                  std::span<std::byte> before) {
  collective_call talk(std::move(team), {.kind = collective_kind::scan, .bytes = data.size()});
  const rank_t me = talk.team().rank;
  const rank_t size = talk.team().size;
  owned_bytes theirs(data.size());
  bool nothing_before = true;
  unsigned round = step::round_of;
  for (rank_t distance = 1; distance < size; distance *= 2, ++round) {
    if (me + distance < size) talk.send(me + distance, round, data);
    if (me < distance) continue;
    co_await talk.receive(me - distance, round, theirs.span());
    op(data, theirs.data(), data.data());
    if (before.empty()) continue;
    if (nothing_before) {
      std::memcpy(before.data(), theirs.data(), before.size());
    } else {
      op(before, theirs.data(), before.data());
    }
    nothing_before = false;
  }
  talk.end();
}

task<bundle> start_gather(team_ref team, rank_t root, std::span<const std::byte> mine) {
  collective_call talk(std::move(team), {.kind = collective_kind::gather, .root = root});
  bundle all = co_await pass_up(talk, tree_from(talk.team(), root), mine);
  talk.end();
  co_return all;
}

task<bundle> start_allgather(team_ref team, std::span<const std::byte> mine,
                             std::uint64_t bytes_of_each) {
  collective_call talk(std::move(team),
                       {.kind = collective_kind::allgather, .bytes = bytes_of_each});
  const tree shape = tree_from(talk.team(), 0);
  bundle all = co_await pass_up(talk, shape, mine);
  if (shape.parent) all.bytes = co_await talk.receive(*shape.parent, step::down);
  for (const rank_t child : shape.children) talk.send(child, step::down, all.bytes.span());
  talk.end();
  co_return all;
}

task<> start_allgather_equal(team_ref team, std::span<const std::byte> mine,
                             std::span<std::byte> result) {
  if (mine.size() < large_part && team->size > few_ranks) {
    const bundle all = co_await start_allgather(std::move(team), mine, mine.size());
    place_equal_parts(all, result, mine.size());
  } else {
    collective_call talk(std::move(team),
                         {.kind = collective_kind::allgather, .bytes = mine.size()});
    co_await exchange_parts(talk, [mine](rank_t) { return mine; }, result);
    talk.end();
  }
}

task<> start_alltoall(team_ref team, std::span<const std::byte> parts,
                      std::span<std::byte> result) {
  collective_call talk(std::move(team), {.kind = collective_kind::alltoall, .bytes = parts.size()});
  const std::size_t part = parts.size() / talk.team().size;
  const auto part_for = [=](rank_t member) { return parts.subspan(member * part, part); };
  co_await exchange_parts(talk, part_for, result);
  talk.end();
}

task<> start_alltoall_parts(team_ref team, std::vector<std::span<const std::byte>> parts,
                            parts_taker& taken) {
  collective_call talk(std::move(team), {.kind = collective_kind::alltoall});
  const rank_t me = talk.team().rank;
  const rank_t size = talk.team().size;
  const auto is_with_size = [](std::size_t bytes) { return bytes <= most_with_size; };
  {
    owned_bytes head(sizeof(std::size_t) + most_with_size);
    for (rank_t distance = 1; distance < size; ++distance) {
      const auto part = parts[(me + distance) % size];
      const std::size_t bytes = part.size();
      std::byte* end = head.data();
      append(end, &bytes, sizeof bytes);
      if (is_with_size(bytes)) append(end, part.data(), bytes);
      talk.send((me + distance) % size, step::aside,
                head.span().first(static_cast<std::size_t>(end - head.data())));
    }
  }
  std::vector<std::size_t> sizes(size);
  std::vector<owned_bytes> heads(size);
  sizes[me] = parts[me].size();
  for (rank_t distance = 1; distance < size; ++distance) {
    const rank_t from = (me + size - distance) % size;
    heads[from] = co_await talk.receive(from, step::aside);
    if (heads[from].size() >= sizeof(std::size_t)) {
      std::memcpy(&sizes[from], heads[from].data(), sizeof(std::size_t));
    }
    const std::size_t along = is_with_size(sizes[from]) ? sizes[from] : 0;
    if (heads[from].size() != sizeof(std::size_t) + along) throw_damaged_part(from);
  }
  taken.make_room(sizes);
  large_arrivals arrivals;
  for (rank_t distance = 1; distance < size; ++distance) {
    const rank_t from = (me + size - distance) % size;
    const std::span<std::byte> place = taken.place_of(from);
    if (!is_with_size(sizes[from])) {
      arrivals.expect(talk, from, place);
    } else if (!place.empty()) {
      std::memcpy(place.data(), heads[from].data() + sizeof(std::size_t), place.size());
    }
    heads[from] = {};
  }
  if (!parts[me].empty()) {
    std::memcpy(taken.place_of(me).data(), parts[me].data(), parts[me].size());
  }
  for (rank_t distance = 1; distance < size; ++distance) {
    const rank_t to = (me + distance) % size;
    if (!is_with_size(parts[to].size())) co_await send_when_there_is_room(talk, to, parts[to]);
  }
  co_await arrivals.all();
  talk.end();
}

task<std::vector<owned_bytes>> start_alltoall_any(team_ref team, std::vector<owned_bytes> parts) {
  std::vector<std::span<const std::byte>> spans;
  spans.reserve(parts.size());
  for (const owned_bytes& each : parts) spans.emplace_back(each.span());
  owned_parts taken;
  co_await start_alltoall_parts(std::move(team), std::move(spans), taken);
  co_return std::move(taken).take();
}

task<> start_gather_parts(team_ref team, rank_t root, std::span<const std::byte> mine,
                          parts_taker& taken) {
  collective_call talk(std::move(team), {.kind = collective_kind::gather, .root = root});
  const rank_t me = talk.team().rank;
  const bool is_apart = me != root && mine.size() > most_with_size;
  const bundle all = co_await pass_up(talk, tree_from(talk.team(), root), mine, is_apart);
  if (me == root) {
    std::vector<bool> apart;
    unpack_bundle(all, talk.team().size, taken, apart);
    large_arrivals arrivals;
    for (rank_t from = 0; from < talk.team().size; ++from) {
      if (apart[from]) arrivals.expect(talk, from, taken.place_of(from));
    }
    co_await arrivals.all();
  } else if (is_apart) {
    co_await send_when_there_is_room(talk, root, mine);
  }
  talk.end();
}

task<> start_allgather_parts(team_ref team, std::span<const std::byte> mine, parts_taker& taken) {
  collective_call talk(std::move(team), {.kind = collective_kind::allgather});
  const rank_t me = talk.team().rank;
  const rank_t size = talk.team().size;
  const tree shape = tree_from(talk.team(), 0);
  const bool is_apart = size > 1 && mine.size() > most_with_size;
  bundle all = co_await pass_up(talk, shape, mine, is_apart);
  if (shape.parent) all.bytes = co_await talk.receive(*shape.parent, step::down);
  for (const rank_t child : shape.children) talk.send(child, step::down, all.bytes.span());
  std::vector<bool> apart;
  unpack_bundle(all, size, taken, apart);
  large_arrivals arrivals;
  for (rank_t distance = 1; distance < size; ++distance) {
    const rank_t from = (me + size - distance) % size;
    if (apart[from]) arrivals.expect(talk, from, taken.place_of(from));
  }
  if (is_apart) {
    std::memcpy(taken.place_of(me).data(), mine.data(), mine.size());
    for (rank_t distance = 1; distance < size; ++distance) {
      co_await send_when_there_is_room(talk, (me + distance) % size, mine);
    }
  }
  co_await arrivals.all();
  talk.end();
}

void place_equal_parts(const bundle& all, std::span<std::byte> result, std::size_t part) {
  all.for_each([&](rank_t member, std::span<const std::byte> bytes) {
    if (bytes.size() != part) throw_unequal_parts(member, bytes.size(), part);
    std::ranges::copy(bytes, result.subspan(member * part, part).begin());
  });
}

}  // namespace acre::global
