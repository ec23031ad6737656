// SPDX-License-Identifier: BSD-3-Clause
// Heaps of all members, used directly if mapped here, else by services.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/container/detail/lock_held.hpp>
#include <acre/container/priority/detail/heap_part.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/owner/many_at_owners.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre::container {

inline constexpr std::size_t most_stolen = 32;

template <class Part>
struct heap_push_one_service {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;

  static void serve(const at_owner::asked& request, at_owner::answer&) {
    reader from(request.payload);
    Part::requested(request.words).push(from.read<typename Part::value_type>());
  }
};

template <class Part>
class heap_push_service {
 public:
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static constexpr std::size_t answer_bytes = 0;

  explicit heap_push_service(std::span<const fabric::word> words) : part_(Part::requested(words)) {}
  std::uint8_t serve(reader item, at_owner::item_answer&) const {
    try {
      part_.push(item.read<typename Part::value_type>());
      return pushed;
    } catch (...) {
      return refused;
    }
  }
  enum : std::uint8_t { pushed, refused };

 private:
  Part part_;
};

/// Words: part, 1 if the payload has a bound. Answer: removed values, each at a multiple of 8; a
/// value larger than a message alone.
template <class Part>
struct heap_steal_service {
  using T = typename Part::value_type;
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;

  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    const Part part = Part::requested(request.words);
    reader from(request.payload);
    std::optional<T> bound;
    if (request.words[1] != 0) bound.emplace(from.read<T>());
    std::span<std::byte> room;
    std::size_t used = 0;
    part.take_half(most_stolen, bound ? &*bound : nullptr, [&](const T& value) {
      const std::size_t bytes = serialized_size(value);
      if (room.empty()) room = reply.room(larger(runtime::max_payload(), bytes));
      const std::size_t at = round_up(used, payload_alignment);
      if (at + bytes > room.size()) return false;
      write_to(room.subspan(at), value);
      used = at + bytes;
      return true;
    });
    if (!room.empty()) reply.keep_first(used);
  }
};

template <class T, class Compare>
class heap_parts : public team_object<team_memory> {
 public:
  using part = heap_part<T, Compare>;

  heap_parts(const team& members, const site& where)
      : team_object(members, empty_parts(members, where),
                    "the destructor of the priority_queue made", where) {
    const runtime::failures_held until_all_is_done;
    members.barrier(where);
  }
  ~heap_parts() {
    if (release()) local_part().release_all();
  }

  [[nodiscard]] part local_part() const noexcept { return part(memory().mine()); }
  [[nodiscard]] std::uint64_t local_size() const noexcept {
    return local_part().size() + kept_values_.load(std::memory_order_relaxed);
  }

  void push(rank_t member, const T& value, const char* call, const site& where) const {
    if (push_directly(member, value)) [[likely]]
      return;
    static_cast<void>(at_owner::ask_with<heap_push_one_service<part>>(
        members().world_rank(member), words_for(member), call, where, value));
  }
  /// @return false unless mapped here
  [[nodiscard]] bool push_directly(rank_t member, const T& value) const {
    const part there(memory().direct(member));
    if (!there) return false;
    there.push(value);
    runtime::count(runtime::direct_costs{.writes = 1, .atomics = 1});
    return true;
  }

  /// @param bound  null, or excluded
  [[nodiscard]] std::optional<T> pop_own(const T* bound) {
    return_kept();
    if (local_part().size() == 0) return std::nullopt;
    runtime::count(runtime::direct_costs{.reads = 1, .atomics = 1});
    return local_part().pop(bound);
  }
  [[nodiscard]] std::optional<T> peek_own() {
    return_kept();
    runtime::count(runtime::direct_costs{.reads = 1, .atomics = 1});
    return local_part().peek(nullptr);
  }

  template <class F>
  void for_each_own(F& f) {
    return_kept();
    local_part().for_each(f);
  }

  /// True also if that is unknown, as Compare threw or memory is full: pop_own() then throws.
  [[nodiscard]] bool may_have_own(const T* bound) noexcept {
    try {
      return_kept();
      return local_part().size() != 0 && (bound == nullptr || local_part().peek(bound).has_value());
    } catch (...) {
      return true;
    }
  }

  [[nodiscard]] bool is_near(rank_t member) const noexcept {
    return memory().direct(member) != nullptr;
  }

  /// Removes a batch of least values below the bound; returns the least, adds the others here, or
  /// keeps them until it can.
  /// @throws exceptions of deserialisation; the batch is lost
  [[nodiscard]] std::optional<T> steal(rank_t victim, const T* bound, const char* call,
                                       const site& where) {
    const part there(memory().direct(victim));
    if (there && there.size() == 0) return std::nullopt;
    std::optional<T> least;
    auto others = base::make_unique_object<batch>();
    others->values.reserve(most_stolen);
    const auto take = [&](T& value) {
      if (least) {
        others->values.push_back(std::move(value));
      } else {
        least.emplace(std::move(value));
      }
      return true;
    };
    if (there) {
      there.take_half(most_stolen, bound, take);
      const std::uint64_t taken = others->values.size() + (least ? 1 : 0);
      runtime::count(runtime::direct_costs{.reads = taken, .atomics = 1});
    } else {
      take_remotely(victim, bound, take, call, where);
    }
    add_or_keep(std::move(others));
    return least;
  }

  /// Adds values to this rank's part, now or when it can.
  void add_or_keep(std::vector<T> values) {
    auto added = base::make_unique_object<batch>();
    added->values = std::move(values);
    add_or_keep(std::move(added));
  }

  [[nodiscard]] std::optional<T> steal_anywhere(const char* call, const site& where) {
    const rank_t mine = members().rank();
    for (const bool near : {true, false}) {
      for (rank_t i = 1; i < members().size(); ++i) {
        const rank_t victim = (mine + i) % members().size();
        if (is_near(victim) != near) continue;
        if (std::optional<T> stolen = steal(victim, nullptr, call, where)) return stolen;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::array<fabric::word, 2> words_for(rank_t member,
                                                      bool has_bound = false) const noexcept {
    return {memory().bits_of(member) & offset_mask, has_bound ? fabric::word{1} : 0};
  }

 protected:
  void release_local() noexcept {
    const lock_held lock(lock_);
    while (kept_ != nullptr) pop_batch();
    kept_values_ = 0;
    local_part().release_all();
  }

 private:
  /// Values that this part had no room for, or whose comparison threw.
  struct batch {
    std::vector<T> values;
    base::unique_object<batch> next;
  };

  static team_memory empty_parts(const team& members, const site& where) {
    team_memory made(members, sizeof(heap_head), alignof(heap_head), "priority_queue",
                     {.number = sizeof(heap_head), .unit = "bytes", .type = &typeid(part)}, where);
    std::memset(made.mine(), 0, sizeof(heap_head));
    return made;
  }

  void pop_batch() noexcept {
    const base::unique_object<batch> first = std::move(kept_);
    kept_ = std::move(first->next);
  }
  void add_or_keep(base::unique_object<batch> some) noexcept {
    try {
      add_all(*some);
    } catch (...) {
      const lock_held lock(lock_);
      kept_values_ += some->values.size();
      some->next = std::move(kept_);
      kept_ = std::move(some);
    }
  }
  void add_all(batch& some) const {
    for (; !some.values.empty(); some.values.pop_back()) local_part().push(some.values.back());
  }

  /// @throws acre::error if memory is still full
  void return_kept() {
    if (kept_values_.load(std::memory_order_relaxed) == 0) [[likely]]
      return;
    const lock_held lock(lock_);
    while (kept_ != nullptr) {
      const std::size_t before = kept_->values.size();
      try {
        add_all(*kept_);
      } catch (...) {
        kept_values_ -= before - kept_->values.size();
        throw;
      }
      kept_values_ -= before;
      pop_batch();
    }
  }

  template <class Take>
  void take_remotely(rank_t victim, const T* bound, const Take& take, const char* call,
                     const site& where) const {
    using service = heap_steal_service<part>;
    const auto words = words_for(victim, bound != nullptr);
    const rank_t owner = members().world_rank(victim);
    const at_owner::answered answer =
        bound == nullptr ? at_owner::ask_with<service>(owner, words, call, where)
                         : at_owner::ask_with<service>(owner, words, call, where, *bound);
    const std::span<const std::byte> payload(answer.bytes);
    for (std::size_t at = 0; at < payload.size();) {
      reader from(payload.subspan(at));
      T value = from.read<T>();
      static_cast<void>(take(value));
      at = round_up(payload.size() - from.remaining(), payload_alignment);
    }
  }

  mutable spin_lock lock_;
  base::unique_object<batch> kept_;
  std::atomic<std::uint64_t> kept_values_{0};
};

}  // namespace acre::container
