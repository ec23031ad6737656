// SPDX-License-Identifier: BSD-3-Clause
// Distributes keys by splitters, and runs operations on parts: directly or by services.
//
// Splitter i is the least key of member i + 1. Each member holds all splitters, which change only
// in a collective call.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/detail/counted_operation.hpp>
#include <acre/container/phase_record.hpp>
#include <acre/container/sorted/detail/sorted_part.hpp>
#include <acre/container/sorted/detail/sorted_services.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/wait.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre::container {

inline constexpr std::size_t most_sorted_entry_bytes = std::size_t{1} << 16;

template <class K, class V, class Compare>
class sorted_parts : public team_object<team_memory> {
  static_assert(
      sizeof(K) + sizeof(V) <= most_sorted_entry_bytes,
      "a key and a value of sorted_map may take at most 64 KiB together: use a vector, or "
      "store a global_ptr to a larger object");

 public:
  using part = sorted_part<K, V, Compare>;
  using entries = typename part::entries;
  using start_of_scan = start_of_search<K>;
  using met = sorted_met<V>;

  [[nodiscard]] part local_part() const noexcept { return part(memory().mine()); }

  [[nodiscard]] rank_t owner_of(const K& key) const {
    std::size_t first = 0;
    std::size_t last = splitters_.size();
    while (first < last) {
      const std::size_t middle = first + (last - first) / 2;
      if (Compare{}(key, splitters_[middle])) {
        last = middle;
      } else {
        first = middle + 1;
      }
    }
    return static_cast<rank_t>(first);
  }

  template <class Operation, class Guarantee, class... Operands>
  met perform(Guarantee guarantee, const K& key, const char* call, const site& where,
              const Operands&... operands) const {
    const rank_t owner = owner_of(key);
    if (const part there = reach<Guarantee>(owner, call)) [[likely]] {
      return run_here<Operation>(guarantee, there, key, call, operands...);
    }
    using service = sorted_key_service<Operation, part>;
    return service::result_of(at_owner::ask_with<service>(
        members().world_rank(owner), words_for(owner, Operation::kind, guarantee), call, where, key,
        operands...));
  }

  template <class Operation, class Guarantee, class Convert, class... Operands>
  auto start(Guarantee guarantee, const K& key, const char* call, Convert convert,
             const Operands&... operands) const {
    using converted = std::invoke_result_t<Convert, met>;
    try {
      const rank_t owner = owner_of(key);
      if (const part there = reach<Guarantee>(owner, call)) [[likely]] {
        return make_ready_future(
            convert(run_here<Operation>(guarantee, there, key, call, operands...)));
      }
      using service = sorted_key_service<Operation, part>;
      return at_owner::ask_with_async<service>(
          members().world_rank(owner), words_for(owner, Operation::kind, guarantee), call,
          [convert, counted = counted_operation(in_flight_)](at_owner::answered&& answer) {
            return convert(service::result_of(answer));
          },
          key, operands...);
    } catch (...) {
      return make_failed_future<converted>(std::current_exception());
    }
  }

  /// Calls take(i, met) in any order.
  template <class Operation, class Guarantee, class Operands, class Take>
  void perform_many(Guarantee guarantee, std::span<const K> keys, Operands&& operands, Take&& take,
                    const char* call, const site& where) const {
    constexpr std::size_t keys_at_once = 8192;
    const auto words_of = [&](rank_t member) {
      return words_for(member, Operation::kind, guarantee);
    };
    at_owner::many<sorted_keys_service<Operation, part>, decltype(words_of)> elsewhere(
        members(), words_of, call, where);
    const auto take_answer = [&](const at_owner::answered_item& answer) {
      met result{answer.code != 0};
      if (answer.value != nullptr) result.value.emplace(answer.value->template read<V>());
      take(answer.number, std::move(result));
    };
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const rank_t owner = owner_of(keys[i]);
      std::apply(
          [&](const auto&... each) {
            if (const part there = reach<Guarantee>(owner, call)) {
              take(i, run_here<Operation>(guarantee, there, keys[i], call, each...));
            } else {
              elsewhere.add(owner, i, keys[i], each...);
            }
          },
          operands(i));
      if ((i + 1) % keys_at_once == 0) elsewhere.finish(take_answer);
    }
    elsewhere.finish(take_answer);
  }

  /// Up to `most` entries, in order.
  /// @param bound  null, or excluded
  template <class Guarantee>
  scan_end scan(Guarantee guarantee, rank_t member, start_of_scan from, const K* bound,
                std::size_t most, entries& into, const char* call, const site& where) const {
    if (const part there = reach<Guarantee>(member, call)) [[likely]] {
      note_if_checked(there.head().phase, call,
                      entry_if_checked(members(), container_operation::find, guarantee));
      runtime::direct_costs spent;
      const scan_end end = there.template scan<Guarantee>(from, bound, most, into, spent);
      if constexpr (!is_local<Guarantee>) runtime::count(spent);
      return end;
    }
    into.clear();
    const auto words = words_for(member, container_operation::find, guarantee);
    const fabric::word flags = (from.key != nullptr ? has_start : 0) |
                               (from.is_after ? starts_after : 0) |
                               (bound != nullptr ? has_bound : 0);
    const std::array<fabric::word, 4> request{words[0], words[1], flags, most};
    const auto ask = [&](const auto&... keys) {
      return at_owner::ask_with<sorted_scan_service<part>>(members().world_rank(member), request,
                                                           call, where, keys...);
    };
    return sorted_scan_service<part>::take(from.key == nullptr
                                               ? bound == nullptr ? ask() : ask(*bound)
                                           : bound == nullptr ? ask(*from.key)
                                                              : ask(*from.key, *bound),
                                           into);
  }

 protected:
  sorted_parts(const team& members, const site& where)
      : team_object(members, empty_parts(members, where), "the destructor of the sorted_map made",
                    where) {}
  ~sorted_parts() = default;

  void await_promised(const site& where) const {
    if (in_flight_.load(std::memory_order_acquire) == 0) return;
    runtime::wait_until([this] { return in_flight_.load(std::memory_order_acquire) == 0; },
                        "sorted_map: asynchronous operations", runtime::may_run::user_code, where);
  }

  std::vector<K> splitters_;

 private:
  static team_memory empty_parts(const team& members, const site& where) {
    team_memory made(members, sizeof(sorted_head), alignof(sorted_head), "sorted_map",
                     {.number = sizeof(sorted_head), .unit = "bytes", .type = &typeid(part)},
                     where);
    std::memset(made.mine(), 0, sizeof(sorted_head));
    return made;
  }

  template <class Guarantee>
  [[nodiscard]] part reach(rank_t owner, const char* call) const {
    if constexpr (is_local<Guarantee>) {
      if (owner != members().rank()) throw_not_local(call, owner);
      return local_part();
    } else {
      return part(memory().direct(owner));
    }
  }

  template <class Operation, class Guarantee, class... Operands>
  met run_here(Guarantee guarantee, const part& there, const K& key, const char* call,
               const Operands&... operands) const {
    note_if_checked(there.head().phase, call,
                    entry_if_checked(members(), Operation::kind, guarantee));
    met result{false};
    runtime::direct_costs spent;
    result.is_done =
        Operation::template run<Guarantee>(there, key, result.value, spent, operands...);
    if constexpr (!is_local<Guarantee>) runtime::count(spent);
    return result;
  }

  /// Phase entry.
  template <class Guarantee>
  [[nodiscard]] std::array<fabric::word, 2> words_for(rank_t owner, container_operation operation,
                                                      Guarantee guarantee) const noexcept {
    return {memory().bits_of(owner) & offset_mask,
            entry_if_checked(members(), operation, guarantee).bits()};
  }

  mutable std::atomic<std::uint64_t> in_flight_{0};
};

}  // namespace acre::container
