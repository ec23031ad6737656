// SPDX-License-Identifier: BSD-3-Clause
// Byte-level collectives. The asynchronous form is a coroutine over messages; the blocking form
// prefers shared memory. Spans must live until completion.
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

/// result[i] = left[i] op right[i], associative; operands may alias `result`.
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

task<> start_barrier(team_ref team);
/// Barrier of the first members of all nodes: part of collective `number`.
task<> start_leaders_barrier(team_ref owner, collective_kind kind, std::uint64_t number);
/// `op` must be commutative.
task<> start_leaders_allreduce(team_ref owner, collective_kind kind, std::uint64_t number,
                               combiner op, std::span<std::byte> data);
struct scope_end_of_all {
  bool is_orderly;
  bool is_same_object;
};
task<scope_end_of_all> start_scope_end(team_ref team, bool is_orderly, std::uint64_t object);
task<> start_broadcast(team_ref team, rank_t root, std::span<std::byte> data);
/// Broadcasts the root's `data` of any size; other members receive the result.
task<owned_bytes> start_broadcast_any(team_ref team, rank_t root, std::span<const std::byte> data);

task<> start_allreduce(team_ref team, combiner op, std::span<std::byte> data);
/// The result is in the root's `data`; that of others is overwritten.
task<> start_reduce(team_ref team, rank_t root, combiner op, std::span<std::byte> data);
/// `data` becomes the combination of ranks 0 to this one. A non-empty `before` becomes that of
/// lower ranks (unchanged on rank 0); `data` is scratch then.
task<> start_scan(team_ref team, combiner op, std::span<std::byte> data,
                  std::span<std::byte> before);

struct bundle {
  owned_bytes bytes;

  template <class Take>
  void for_each(Take&& take) const;
  /// Calls take(header, bytes) for each part. `bytes` is empty for parts sent separately.
  template <class Take>
  void for_each_part(Take&& take) const;
};
void place_equal_parts(const bundle& all, std::span<std::byte> result, std::size_t part);

task<bundle> start_gather(team_ref team, rank_t root, std::span<const std::byte> mine);
task<bundle> start_allgather(team_ref team, std::span<const std::byte> mine,
                             std::uint64_t bytes_of_each = collective_mark::any_size);

/// Parts have equal sizes; `result` holds them in rank order.
task<> start_allgather_equal(team_ref team, std::span<const std::byte> mine,
                             std::span<std::byte> result);

/// Parts have equal sizes; `result` holds them in rank order.
task<> start_alltoall(team_ref team, std::span<const std::byte> parts, std::span<std::byte> result);

/// Receives a part of any size from each member. Memory is allocated once the sizes are known, and
/// large parts arrive there without a copy.
class parts_taker {
 public:
  /// Allocates memory for parts of `bytes`. Called once. An exception fails the collective on all
  /// members.
  virtual void make_room(std::span<const std::size_t> bytes) = 0;
  /// Destination of a member's part, of its exact size.
  [[nodiscard]] virtual std::span<std::byte> place_of(rank_t member) noexcept = 0;

 protected:
  ~parts_taker() = default;
};

/// Larger parts wait until the receiver has allocated memory (rendezvous).
inline constexpr std::size_t most_with_size = std::size_t{16} << 10;

task<> start_alltoall_parts(team_ref team, std::vector<std::span<const std::byte>> parts,
                            parts_taker& taken);
task<> start_gather_parts(team_ref team, rank_t root, std::span<const std::byte> mine,
                          parts_taker& taken);
task<> start_allgather_parts(team_ref team, std::span<const std::byte> mine, parts_taker& taken);

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
task<std::vector<owned_bytes>> start_alltoall_any(team_ref team, std::vector<owned_bytes> parts);

/// Keeps user-code exceptions for the next public call, so destructors may use it.
void run_barrier(const team_ref& team, const site& where);
void run_small_allreduce(const team_ref& team, collective_kind kind, const combiner& op,
                         std::span<std::byte> data, const site& where, const char* call = nullptr);
struct compared_words {
  std::uint64_t least;
  std::uint64_t greatest;
  std::uint64_t flags;
};
/// Cost: an uncounted small allreduce.
/// @param call  enclosing call, or null
/// @param flags  combined, not compared
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
void run_gather(const team_ref& team, rank_t root, std::span<const std::byte> mine,
                std::span<std::byte> result, const site& where);
void run_allgather(const team_ref& team, std::span<const std::byte> mine,
                   std::span<std::byte> result, const site& where);
void run_alltoall(const team_ref& team, std::span<const std::byte> parts,
                  std::span<std::byte> result, const site& where);

/// Waits until `started` is ready: collective `number` in `here`.
template <class T>
void await(const task<T>& started, attendance& here, std::uint64_t number, collective_kind kind,
           const site& where) {
  const blocked_in_collective until_then(here, number);
  runtime::wait_until([&] { return started.is_ready(); }, name_of(kind),
                      runtime::may_run::user_code, where);
}

template <class T>
T result_at(task<T>& over, const site& where) {
  try {
    return over.get(where);
  } catch (...) {
    rethrow_with_place(where);
  }
}

/// Waits and returns the result. Rethrows user-code exceptions once the collective no longer uses
/// the caller's buffers.
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

struct bundle_header {
  std::uint32_t member;
  std::uint32_t is_apart;
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
