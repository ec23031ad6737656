// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/transfer/box_moves.hpp>

#include <acre/base/error.hpp>
#include <acre/fabric/box_copy.hpp>
#include <acre/global/transfer/detail/packed_get.hpp>
#include <acre/global/transfer/detail/packed_put.hpp>
#include <acre/global/transfer/detail/runs_there.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/remote.hpp>

#include <atomic>
#include <cstddef>

namespace acre::global {
namespace {

using fabric::box;

[[nodiscard]] rank_t owner_of(std::uint64_t bits) noexcept {
  return static_cast<rank_t>(bits >> offset_bits);
}
[[nodiscard]] runs_there all_runs(std::uint64_t bits, const box& shape) noexcept {
  return {.offset = bits & offset_mask,
          .runs = {.shape = shape, .first = 0, .count = shape.runs()}};
}

/// On an exception, waits for the pending parts of a packed box, which use the caller's memory.
template <class Issue>
void issue_parts(Issue&& issue) {
  try {
    issue();
  } catch (...) {
    try {
      runtime::await_answers();
    } catch (const error&) {  // NOLINT(bugprone-empty-catch): of the network that is lost
    }
    throw;
  }
}
void put_runs(std::uint64_t target, const void* source, const box& shape, const box_share& share) {
  issue_parts([&] {
    put_packed(owner_of(target), all_runs(target, shape), static_cast<const std::byte*>(source),
               share);
  });
}
void get_runs(std::uint64_t source, void* destination, const box& shape, const box_share& share) {
  issue_parts([&] {
    get_packed(owner_of(source), all_runs(source, shape), static_cast<std::byte*>(destination),
               share);
  });
}

void count_runs(runtime::counted operations, runtime::counted volume, const box& shape) noexcept {
  runtime::count(operations, shape.runs());
  runtime::count(volume, shape.bytes());
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

}  // namespace

bool is_packed(const box& shape) noexcept {
  constexpr std::size_t few = 8;
  constexpr std::size_t long_run = std::size_t{4} << 10;
  if (shape.runs() < few || runs_of_message(shape.run_bytes()) == 0) return false;
  return shape.run_bytes() < long_run || is_staged(shape.bytes());
}

void put_near_box(std::byte* there, const void* here, const box& shape) noexcept {
  using enum runtime::counted;
  count_runs(direct_put, direct_put_bytes, shape);
  fabric::copy_to_remote(there, static_cast<const std::byte*>(here), shape);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void get_near_box(const std::byte* there, void* here, const box& shape) noexcept {
  using enum runtime::counted;
  count_runs(direct_get, direct_get_bytes, shape);
  fabric::copy_to_local(static_cast<std::byte*>(here), there, shape);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void put_far_box_nbi(std::uint64_t target, const void* source, const box& shape) {
  if (!is_packed(shape)) return runtime::put_remote_nbi(target, source, shape);
  put_runs(target, source, shape, {});
}

void get_far_box_nbi(std::uint64_t source, void* destination, const box& shape) {
  if (!is_packed(shape)) return runtime::get_remote_nbi(source, destination, shape);
  get_runs(source, destination, shape, {});
}

void put_far_box(std::uint64_t target, const void* source, const box& shape,
                 fabric::operation& done) {
  if (!is_packed(shape)) return runtime::put_remote(target, source, shape, done);
  with_end(done, [&](const box_share& share) { put_runs(target, source, shape, share); });
}

void get_far_box(std::uint64_t source, void* destination, const box& shape,
                 fabric::operation& done) {
  if (!is_packed(shape)) return runtime::get_remote(source, destination, shape, done);
  with_end(done, [&](const box_share& share) { get_runs(source, destination, shape, share); });
}

}  // namespace acre::global
