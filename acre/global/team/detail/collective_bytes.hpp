// SPDX-License-Identifier: BSD-3-Clause
// Collectives on bytes: what the typed ones in team_collectives.hpp consist of.
//
// Each has one algorithm over messages, a coroutine, which is the asynchronous
// form; the blocking form takes shared memory where that reaches all members,
// and else waits for the coroutine. Spans must live until the result is there.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/global/future/task.hpp>
#include <acre/global/team/detail/roll_call.hpp>
#include <acre/global/team/detail/team_state.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/wait.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace acre::global {

/// An associative operation on elements of some type: result[i] = left[i] op
/// right[i]. `result` may be `left` or `right`.
struct combiner {
  void operator()(std::span<std::byte> result, const std::byte* left,
                  const std::byte* right) const {
    apply(operation, result.data(), left, right, result.size() / element_bytes);
  }

  void (*apply)(const void* operation, std::byte* result, const std::byte* left,
                const std::byte* right, std::size_t count) = nullptr;
  const void* operation = nullptr;
  std::size_t element_bytes = 0;
};

// --- asynchronous ----------------------------------------------------------------------

task<> start_barrier(team_ref team);
/// Among the leaders alone, as a part of a collective that all members have entered.
task<> start_leaders_barrier(team_ref owner, collective_kind kind, std::uint64_t number);
/// The same with data: each leader's become the combination of all leaders'. `op` is commutative.
task<> start_leaders_allreduce(team_ref owner, collective_kind kind, std::uint64_t number,
                               combiner op, std::span<std::byte> data);
/// How the members have left an object behind.
struct scope_end_of_all {
  bool is_orderly;      ///< on all: no exception passes
  bool is_same_object;  ///< where it is orderly
};
/// All members leave an object behind, or some because an exception passes: these do not wait.
/// @param object  a number that is the same on all members
task<scope_end_of_all> start_scope_end(team_ref team, bool is_orderly, std::uint64_t object);
task<> start_broadcast(team_ref team, rank_t root, std::span<std::byte> data);
/// What the root has, whatever its size; the others' `data` are ignored, the root gets nothing.
task<owned_bytes> start_broadcast_any(team_ref team, rank_t root, std::span<const std::byte> data);

task<> start_allreduce(team_ref team, combiner op, std::span<std::byte> data);
/// The result is in the root's `data`; those of the others are scratch.
task<> start_reduce(team_ref team, rank_t root, combiner op, std::span<std::byte> data);
/// `data` becomes the combination of ranks 0 to this one. Or, if `before` is not
/// empty, that becomes the combination of the ranks before this one (rank 0's
/// stays as it is), and `data` is scratch.
task<> start_scan(team_ref team, combiner op, std::span<std::byte> data,
                  std::span<std::byte> before);

/// Bytes from some members, of any size each.
struct bundle {
  owned_bytes bytes;

  /// Calls `take(member, bytes)` for each.
  template <class Take>
  void for_each(Take&& take) const;
  /// Calls `take(header, bytes)` for each; without bytes for those that are apart.
  template <class Take>
  void for_each_part(Take&& take) const;
};
/// Puts the bytes of each member, `part` of them, where they belong.
/// @throws acre::error when a member has another number of bytes
void place_equal_parts(const bundle& all, std::span<std::byte> result, std::size_t part);

/// On the root, everybody's bytes.
task<bundle> start_gather(team_ref team, rank_t root, std::span<const std::byte> mine);
task<bundle> start_allgather(team_ref team, std::span<const std::byte> mine,
                             std::uint64_t bytes_of_each = collective_mark::any_size);

/// Equal sizes: `result` holds one after the other.
task<> start_allgather_equal(team_ref team, std::span<const std::byte> mine,
                             std::span<std::byte> result);

/// As many bytes for each member, one after the other, and from each.
task<> start_alltoall(team_ref team, std::span<const std::byte> parts, std::span<std::byte> result);

/// Takes parts of any size: memory for them is made when the members have told their sizes, and
/// what is large arrives there without a copy in between.
class parts_taker {
 public:
  /// Called once. An exception fails the collective on all members.
  /// @param bytes  of each member's part
  virtual void make_room(std::span<const std::size_t> bytes) = 0;
  /// As many bytes as the member's part has.
  [[nodiscard]] virtual std::span<std::byte> place_of(rank_t member) noexcept = 0;

 protected:
  ~parts_taker() = default;
};

/// Larger parts wait for the room of their receiver; smaller ones travel with their size.
inline constexpr std::size_t most_with_size = std::size_t{16} << 10;

/// parts[i] goes to member i. `parts` must stay until the result is there.
task<> start_alltoall_parts(team_ref team, std::vector<std::span<const std::byte>> parts,
                            parts_taker& taken);
/// `taken` is used on the root only.
task<> start_gather_parts(team_ref team, rank_t root, std::span<const std::byte> mine,
                          parts_taker& taken);
task<> start_allgather_parts(team_ref team, std::span<const std::byte> mine, parts_taker& taken);

/// Parts in memory of their own.
class owned_parts final : public parts_taker {
 public:
  void make_room(std::span<const std::size_t> bytes) override {
    for (const std::size_t each : bytes) parts_.emplace_back(each);
  }
  [[nodiscard]] std::span<std::byte> place_of(rank_t member) noexcept override {
    return parts_[member].span();
  }
  [[nodiscard]] std::vector<owned_bytes> take() && { return std::move(parts_); }

 private:
  std::vector<owned_bytes> parts_;
};
/// parts[i] goes to member i; the result has one from each.
task<std::vector<owned_bytes>> start_alltoall_any(team_ref team, std::vector<owned_bytes> parts);

// --- blocking ------------------------------------------------------------------------

/// Leaves what user code throws meanwhile to the next public call, so destructors
/// may use it.
void run_barrier(const team_ref& team, const site& where);
/// For small data, which one cache line holds: drain's and the end of the job's.
void run_small_allreduce(const team_ref& team, collective_kind kind, const combiner& op,
                         std::span<std::byte> data, const site& where, const char* call = nullptr);
/// The least and the greatest word of all members, and their flags together.
struct compared_words {
  std::uint64_t least;
  std::uint64_t greatest;
  std::uint64_t flags;
};
/// Cost: a small allreduce, which no counter counts: it compares what members mean.
/// @param call  of which this is a part, for who waits or asks; a literal, or null
/// @param flags  are not compared; the result has those that any member has set
[[nodiscard]] compared_words compare_words(const team_ref& team, collective_kind kind,
                                           std::uint64_t word, const site& where,
                                           const char* call = nullptr, std::uint64_t flags = 0);
void run_broadcast(const team_ref& team, rank_t root, std::span<std::byte> data, const site& where);
void run_allreduce(const team_ref& team, const combiner& op, std::span<std::byte> data,
                   const site& where);
void run_reduce(const team_ref& team, rank_t root, const combiner& op, std::span<std::byte> data,
                const site& where);
void run_scan(const team_ref& team, const combiner& op, std::span<std::byte> data,
              std::span<std::byte> before, const site& where);
/// Equal sizes: `result` holds one after the other. It is used on the root only.
void run_gather(const team_ref& team, rank_t root, std::span<const std::byte> mine,
                std::span<std::byte> result, const site& where);
void run_allgather(const team_ref& team, std::span<const std::byte> mine,
                   std::span<std::byte> result, const site& where);
void run_alltoall(const team_ref& team, std::span<const std::byte> parts,
                  std::span<std::byte> result, const site& where);

/// Waits for a collective, or a part of one, in the name of the caller.
/// @param here    where it was entered, as that number
template <class T>
void await(const task<T>& started, attendance& here, std::uint64_t number, collective_kind kind,
           const site& where) {
  const blocked_in_collective until_then(here, number);
  runtime::wait_until([&] { return started.is_ready(); }, name_of(kind),
                      runtime::may_run::user_code, where);
}

/// The result of a collective that is over. An error names the caller's line, which the members
/// that waited for this one do not hear of.
template <class T>
T result_at(task<T>& over, const site& where) {
  try {
    return over.get(where);
  } catch (...) {
    rethrow_with_place(where);
  }
}

/// The end of a blocking collective: what user code threw in the wait is thrown
/// now, when nothing of the collective uses the caller's buffers any more.
/// @param started  the last collective that this rank has entered in the team
template <class T>
T finish(const team_ref& team, task<T> started, collective_kind kind, const site& where) {
  await(started, *team->here, team->here->entered(), kind, where);
  if constexpr (std::is_void_v<T>) {
    result_at(started, where);
    runtime::rethrow_lost_failure();
  } else {
    T result = result_at(started, where);
    runtime::rethrow_lost_failure();
    return result;
  }
}

/// Before the bytes of each member.
struct bundle_header {
  std::uint32_t member;
  std::uint32_t is_apart;  ///< 1: the bytes are not in the bundle
  std::uint64_t bytes;
};

template <class Take>
void bundle::for_each_part(Take&& take) const {
  for (std::size_t at = 0; at < bytes.size();) {
    bundle_header header;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    at += sizeof header;
    const std::size_t here = header.is_apart != 0 ? 0 : header.bytes;
    take(header, std::span<const std::byte>(bytes.data() + at, here));
    at += round_up(here, payload_alignment);
  }
}
template <class Take>
void bundle::for_each(Take&& take) const {
  for_each_part([&](const bundle_header& header, std::span<const std::byte> here) {
    take(rank_t{header.member}, here);
  });
}

}  // namespace acre::global
