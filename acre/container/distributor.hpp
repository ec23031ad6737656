// SPDX-License-Identifier: BSD-3-Clause
// Many to many: each rank of a team has items for any others, and takes what the
// others have for it as they come.
//
//     acre::distributor<edge> out(acre::world());
//     for (const edge& each : read_some()) {
//       out.push(owner(each), each);                       // collected, sent in batches
//       out.receive([&](const edge& e) { graph.add(e); }); // what has come so far
//     }
//     out.finish([&](const edge& e) { graph.add(e); });    // the rest; then the next round
//
// There is no global step on the way: who is ahead goes on pushing, and who is slow
// is not waited for. A round ends by counting: in finish() each member tells each
// other one how much it has sent, and receives until it has as much as it was told.
//
// Memory: some megabytes for buffers, however many members there are, and what has
// arrived and was not received yet. Pushing waits only for room in the rings and
// the network that messages go through; they are emptied by whatever the
// receiver does in Acre (barriers too), so members that push to each other, or all
// to one, always get on. How it works: detail/batch_exchange.hpp.
//
// Items of one member arrive in no certain order. What a member did in memory
// before it pushed an item is seen by who receives it.
//
// A distributor of a rank is used by one thread at a time.
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
/// Compilers print this name.
template <class F, class T>
inline constexpr bool takes_an_item_or_a_span_of_const_items =
    std::invocable<F&, T&&> || (transferable<T> && std::invocable<F&, std::span<const T>>);
}  // namespace container

/// What takes received items: f(item) for each, or f(span of items) for each batch of
/// trivially copyable ones. Items are valid during the call.
template <class F, class T>
concept receiver_of = container::takes_an_item_or_a_span_of_const_items<F, T>;

namespace container {
[[noreturn]] void throw_no_such_member(const char* call, rank_t member, rank_t members);
}  // namespace container

/// Moves: local. Destruction: collective, 1 alltoall and B; what was pushed and not
/// received is lost. On a rank that has pushed since its last finish() that is an acre::error of
/// the next call that may throw, or of the end of the job; not while an exception passes. It is
/// one of the end of the job as well where the distributor is still alive then.
/// @tparam T  trivially copyable, or serialisable; of any size
template <storable T>
class distributor {
  using exchange = container::batch_exchange;
  static constexpr bool is_plain = transferable<T>;
  static_assert(!is_plain || alignof(T) <= exchange::alignment);

 public:
  using value_type = T;
  static constexpr std::size_t default_memory = std::size_t{4} << 20;

  /// No distributor: good for being assigned to.
  distributor() = default;

  /// @param memory  bytes for buffers, about; batches of many members are smaller
  /// Collective. Cost: 1 allgather, 1 allreduce.
  /// @throws acre::error on all members when one has no room
  explicit distributor(const team& members, std::size_t memory = default_memory,
                       const site& where = site::current())
      : exchange_(std::make_unique<exchange>(members, is_plain ? sizeof(T) : 0, typeid(T), memory,
                                             where)) {}

  [[nodiscard]] const team& members() const { return get("distributor::members").members(); }
  /// Whether there is a distributor: not after it was moved away, or made without a team.
  [[nodiscard]] explicit operator bool() const noexcept { return exchange_ != nullptr; }

  // --- pushing ---------------------------------------------------------------------------

  /// Collects an item for a member of the team (this rank too). l, and 1 M for each batch;
  /// an item larger than a batch is fetched by its receiver, R and W.
  /// @throws acre::error when there is no such member, or finish() was begun; from
  ///         item to item nothing is lost
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
      // What fills it up is sent as well.
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
  /// Collects many.
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

  /// Sends what is collected, for those who should not wait for more. 1 M a member.
  void flush() { get("distributor::flush").flush(); }

  // --- receiving ---------------------------------------------------------------------------

  /// Calls f with what has arrived of this round; makes progress first. f may push.
  /// @return how many items those were
  /// @throws what f throws: that item counts as received, or the batch, if f takes batches
  template <receiver_of<T> F>
  std::size_t receive(F&& f) {
    exchange& all = get("distributor::receive");
    progress();
    return receive_arrived(all, f);
  }

  /// Ends this member's pushing for this round, and calls f with all that comes until
  /// everything has come that was pushed to this rank. All members call it; it does not
  /// wait for them to return. Afterwards the next round has begun. Cost: 1 asynchronous
  /// alltoall of a word a member.
  /// @return how many items those were
  /// @throws what f throws; the round goes on then, and finish() may be called again
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
  /// Its length, and its bytes; the next one begins at a multiple of payload_alignment.
  static constexpr std::size_t record_bytes(std::size_t bytes) noexcept {
    return sizeof(std::uint64_t) + round_up(bytes, payload_alignment);
  }

  template <class F>
  std::size_t receive_arrived(exchange& all, F& f) {
    std::size_t items = 0;
    exchange::arrival batch;
    // Not what f pushes to this rank meanwhile.
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

  /// Calls f for what is left of a batch; notes how far it got.
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
