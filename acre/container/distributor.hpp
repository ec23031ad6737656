// SPDX-License-Identifier: BSD-3-Clause
// Many-to-many exchange: ranks send items to any others and receive theirs as they arrive.
//
//     acre::distributor<edge> out(acre::world());
//     for (const edge& each : read_some()) {
//       out.push(owner(each), each);
//       out.receive([&](const edge& e) { graph.add(e); });
//     }
//     out.finish([&](const edge& e) { graph.add(e); });    // then the next round
//
// Memory of a round, which finish() ends without synchronisation: some megabytes of buffers for any
// team size, and items not yet received. push() may wait for buffer space, which any Acre call of
// the receiver frees, so circular pushes cannot deadlock. Protocol: detail/batch_exchange.hpp.
//
// Items of one sender arrive in any order. Writes before a push are visible to the receiver. One
// thread at a time per rank.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/container/detail/batch_exchange.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/progress.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <typeinfo>
#include <utility>

namespace acre {

namespace container {
template <class F, class T>
inline constexpr bool takes_an_item_or_a_span_of_const_items =
    std::invocable<F&, T&&> || (transferable<T> && std::invocable<F&, std::span<const T>>);
}  // namespace container

/// Receives an item; or, if trivially copyable, a span of a batch, valid during the call.
template <class F, class T>
concept receiver_of = container::takes_an_item_or_a_span_of_const_items<F, T>;

namespace container {
[[noreturn]] void throw_no_such_member(const char* call, rank_t member, rank_t members);
}  // namespace container

/// Destruction: collective, 1 alltoall + B; drops items not received. If items were pushed after
/// the last finish(), the next call that may throw, or the end of the job, throws acre::error,
/// except during stack unwinding; so does a distributor that exists at the end.
/// @tparam T  trivially copyable or serialisable
template <storable T>
class distributor {
  using exchange = container::batch_exchange;
  static constexpr bool is_plain = transferable<T>;
  static_assert(!is_plain || alignof(T) <= exchange::alignment);

 public:
  using value_type = T;
  static constexpr std::size_t default_memory = std::size_t{4} << 20;

  distributor() = default;

  /// Collective. Cost: 1 allgather, 1 allreduce.
  /// @param memory  approximate bytes for buffers
  /// @throws acre::error on all members if one is out of memory
  explicit distributor(const team& members, std::size_t memory = default_memory,
                       const site& where = site::current())
      : exchange_(std::make_unique<exchange>(members, is_plain ? sizeof(T) : 0, typeid(T), memory,
                                             where)) {}

  [[nodiscard]] const team& members() const { return get("distributor::members").members(); }
  [[nodiscard]] explicit operator bool() const noexcept { return exchange_ != nullptr; }

  /// Collects an item for a member. Cost: l, and 1 M per batch; R + W by the receiver for an item
  /// larger than a batch.
  /// @throws acre::error if the member does not exist or finish() has begun
  void push(rank_t member, const T& item) {
    exchange& all = get("distributor::push");
    check(all, member);
    if constexpr (is_plain) {
      std::memcpy(all.make_room(member, sizeof(T)), &item, sizeof(T));
    } else {
      const std::size_t bytes = serialized_size(item);
      std::byte* const room = all.make_room(member, record_bytes(bytes));
      const std::uint64_t length = bytes;
      std::memcpy(room, &length, sizeof(length));
      std::memset(room + sizeof(length) + bytes, 0, record_bytes(bytes) - sizeof(length) - bytes);
      try {
        write_to(std::span(room + sizeof(length), bytes), item);
      } catch (...) {
        all.take_back(member, record_bytes(bytes));
        throw;
      }
    }
  }
  void push(member to, const T& item) { push(members().number_of(to), item); }
  void push(rank_t member, std::span<const T> items) {
    if constexpr (is_plain) {
      exchange& all = get("distributor::push");
      check(all, member);
      while (!items.empty()) {
        const std::size_t count =
            smaller(all.room_at_once(member, sizeof(T)) / sizeof(T), items.size());
        std::memcpy(all.make_room(member, count * sizeof(T)), items.data(), count * sizeof(T));
        items = items.subspan(count);
      }
    } else {
      for (const T& each : items) push(member, each);
    }
  }
  void push(member to, std::span<const T> items) { push(members().number_of(to), items); }

  /// Sends collected items. Cost: 1 M per member with items.
  void flush() { get("distributor::flush").flush(); }

  /// Makes progress, then calls `f` with arrived items of this round; `f` may push.
  /// @return number of items
  /// @throws exceptions of `f`; its item or span counts as received
  template <receiver_of<T> F>
  std::size_t receive(F&& f) {
    exchange& all = get("distributor::receive");
    progress();
    return receive_arrived(all, f);
  }

  /// Ends this member's round and calls `f` with all further items. All members call it, without
  /// waiting for each other's return. Cost: 1 asynchronous alltoall of a word per member.
  /// @return number of items
  /// @throws exceptions of `f`; finish() may be called again
  template <receiver_of<T> F>
  std::size_t finish(F&& f, const site& where = site::current()) {
    exchange& all = get("distributor::finish");
    if (!all.is_ending()) all.begin_end();
    constexpr const char* call = "distributor::finish";
    std::size_t items = 0;
    while (!all.is_complete(call, where)) {
      const std::size_t now = receive_arrived(all, f);
      if (now == 0 && !all.is_complete(call, where)) all.await_more(call, where);
      items += now;
    }
    all.next_round();
    return items;
  }

 private:
  static constexpr std::size_t record_bytes(std::size_t bytes) noexcept {
    return sizeof(std::uint64_t) + round_up(bytes, payload_alignment);
  }

  template <class F>
  std::size_t receive_arrived(exchange& all, F& f) {
    std::size_t items = 0;
    exchange::arrival batch;
    // Only batches that wait now: excludes items that `f` pushes to this rank.
    for (std::uint64_t left = all.waiting(); left != 0 && all.take(batch); --left) {
      try {
        items += hand_out(batch, f);
      } catch (...) {
        if (batch.done < batch.bytes) {
          all.put_back(std::move(batch));
        } else {
          all.give_back(batch);
        }
        throw;
      }
      all.give_back(batch);
    }
    return items;
  }

  template <class F>
  static std::size_t hand_out(exchange::arrival& batch, F& f) {
    std::size_t items = 0;
    if constexpr (is_plain) {
      const auto* const first = reinterpret_cast<const T*>(batch.data);
      if constexpr (!std::invocable<F&, T&&> && !std::invocable<F&, const T&>) {
        const std::span<const T> rest(first + batch.done / sizeof(T),
                                      first + batch.bytes / sizeof(T));
        batch.done = batch.bytes;
        f(rest);
        return rest.size();
      } else {
        while (batch.done < batch.bytes) {
          const T& item = first[batch.done / sizeof(T)];
          batch.done += sizeof(T);
          ++items;
          if constexpr (std::invocable<F&, const T&>) {
            f(item);
          } else {
            f(T(item));
          }
        }
      }
    } else {
      while (batch.done < batch.bytes) {
        const std::byte* const record = batch.data + batch.done;
        std::uint64_t length = 0;
        std::memcpy(&length, record, sizeof(length));
        batch.done += record_bytes(length);
        ++items;
        f(deserialize<T>({record + sizeof(length), length}));
      }
    }
    return items;
  }

  static void check(const exchange& all, rank_t member) {
    if (member >= all.members().size()) [[unlikely]] {
      container::throw_no_such_member("distributor::push", member, all.members().size());
    }
  }
  [[nodiscard]] exchange& get(const char* call) const {
    return global::require_object(exchange_.get(), call, "distributor", "distributor{team}");
  }

  std::unique_ptr<exchange> exchange_;
};

}  // namespace acre
