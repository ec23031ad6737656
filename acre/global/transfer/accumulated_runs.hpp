// SPDX-License-Identifier: BSD-3-Clause
// Atomic updates of contiguous elements on any rank, which share messages.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/direct_access.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/owner/requests_under_way.hpp>
#include <acre/runtime/counters.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace acre::global {

/// Payload: runs, each this head and its elements, padded to 8 bytes.
struct accumulated_head {
  std::uint64_t offset;
  std::uint64_t count;
};

template <atomic_value T, fabric::atomic_operation Operation>
struct accumulating {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;

  /// The order is relaxed: completion of the call orders all updates.
  static void apply(T* to, const std::byte* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      static_cast<void>(fabric::apply_atomic<Operation>(
          to + i, load_bytes<T>(values + i * sizeof(T)), T{}, std::memory_order_relaxed));
    }
  }

  static void serve(const at_owner::asked& request, at_owner::answer&) {
    std::span<const std::byte> rest = request.payload;
    while (!rest.empty()) {
      if (rest.size() < sizeof(accumulated_head)) at_owner::throw_not_here();
      const auto head = load_bytes<accumulated_head>(rest.data());
      rest = rest.subspan(sizeof(head));
      if (head.count > rest.size() / sizeof(T)) at_owner::throw_not_here();
      std::byte* const to = at_owner::place_here(head.offset, head.count * sizeof(T), sizeof(T));
      apply(reinterpret_cast<T*>(to), rest.data(), head.count);
      rest = rest.subspan(smaller(round_up(head.count * sizeof(T), std::size_t{8}), rest.size()));
    }
  }
};

/// For one thread, used once.
template <atomic_value T, fabric::atomic_operation Operation>
class accumulated_runs {
 public:
  explicit accumulated_runs(const char* call) : call_(call) {}

  /// to[i] = op(to[i], values[i]), at once if mapped here, else in finish().
  void add(global_ptr<T> to, std::span<const T> values, const site& where) {
    if (values.empty()) return;
    check_pointer(to.bits(), values.size_bytes(), call_, where);
    if (std::byte* const here = runtime::direct_address(to.bits())) {
      require_alignment<T>(here);
      accumulating<T, Operation>::apply(reinterpret_cast<T*>(here), std::as_bytes(values).data(),
                                        values.size());
      runtime::count(runtime::counted::direct_atomic, values.size());
      return;
    }
    while (!values.empty()) {
      std::vector<std::byte>& payload = payload_of(to.rank());
      const std::size_t room = runtime::max_payload() - payload.size() - sizeof(accumulated_head);
      const std::size_t count = std::min(values.size(), room / 8 * 8 / sizeof(T));
      append(payload, {to.offset(), count}, std::as_bytes(values.first(count)));
      to += static_cast<std::ptrdiff_t>(count);
      values = values.subspan(count);
    }
  }

  /// Waits until all are applied. Cost: 2 M per 16 to 32 KiB.
  /// @throws acre::error if the network is lost
  void finish(const site& where) {
    for (const batch& each : batches_) send(each);
    batches_.clear();
    under_way_.await(
        0, runtime::may_run::internal,
        [&](char, const at_owner::request_record& record, rank_t owner) {
          at_owner::check_answer(record, owner, call_);
        },
        call_, where);
  }

 private:
  struct batch {
    rank_t owner;
    std::vector<std::byte> payload;
  };

  /// With room for a head and an element.
  [[nodiscard]] std::vector<std::byte>& payload_of(rank_t owner) {
    auto found = std::ranges::lower_bound(batches_, owner, {}, &batch::owner);
    if (found == batches_.end() || found->owner != owner) {
      found = batches_.insert(found, batch{owner, {}});
    }
    const std::size_t least = sizeof(accumulated_head) + round_up(sizeof(T), std::size_t{8});
    if (found->payload.size() + least > runtime::max_payload()) {
      send(*found);
      found->payload.clear();
    }
    return found->payload;
  }
  void send(const batch& each) {
    if (each.payload.empty()) return;
    under_way_.add(
        at_owner::request_for<accumulating<T, Operation>>(each.owner, {}, each.payload, call_), 0);
  }
  static void append(std::vector<std::byte>& payload, const accumulated_head& head,
                     std::span<const std::byte> values) {
    const std::size_t first = payload.size();
    payload.resize(first + sizeof(head) + round_up(values.size(), std::size_t{8}));
    std::memcpy(payload.data() + first, &head, sizeof(head));
    std::memcpy(payload.data() + first + sizeof(head), values.data(), values.size());
  }

  const char* call_;
  std::vector<batch> batches_;
  at_owner::requests_under_way<char> under_way_;
};

}  // namespace acre::global
